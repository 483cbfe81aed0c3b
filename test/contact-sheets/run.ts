// `npm run contact-sheets`: opens every page of the service with a busy company in it, on a desktop and on a phone, and keeps
// small sheets of all pictures in docs/screenshots. With a folder as argument the whole pictures stay there, to be looked at.
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { BrowserContextOptions } from 'playwright-core';
import { STORES_VARIABLE } from '../harness/stores.ts';
import { everythingOn, openSettingsLab } from '../settings/lab.ts';
import { makeBusyCompany } from './company.ts';
import { makeSheet, type SheetSize } from './sheet.ts';
import { type Tour, tourHostedAndAccount, tourReading, tourSettings } from './tours.ts';

const { values } = parseArgs({
  options: {
    /** Keeps the single pictures, and makes no sheets. */
    pictures: { type: 'string' },
    look: { type: 'string' },
    language: { type: 'string' },
    tour: { type: 'string' },
  },
});

type Look = { name: string; options: BrowserContextOptions; size: SheetSize; mostPixels: number };
const looks: Look[] = [
  {
    name: 'desktop-light',
    options: {
      colorScheme: 'light',
      viewport: { width: 1280, height: 860 },
      locale: values.language ?? 'en-GB',
    },
    size: { columns: 5, width: 320, height: 260 },
    mostPixels: 2_400,
  },
  {
    name: 'phone-dark',
    options: {
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
      locale: values.language ?? 'de-DE',
    },
    size: { columns: 9, width: 170, height: 368 },
    mostPixels: 3_600,
  },
];
const tours = { hosted: tourHostedAndAccount, settings: tourSettings, reading: tourReading };
const sheets = {
  'hosted-pages': ['hosted'],
  account: ['account'],
  settings: ['settings', 'empty'],
  reading: ['reading'],
};
const destination = new URL('../../docs/screenshots/', import.meta.url).pathname;

process.env[STORES_VARIABLE] ??= 'embedded';
const lab = await openSettingsLab({
  ...everythingOn,
  GOOGLE_CLIENT_ID: 'example',
  GOOGLE_CLIENT_SECRET: 'example',
  GITHUB_CLIENT_ID: 'example',
  GITHUB_CLIENT_SECRET: 'example',
});
const busy = await makeBusyCompany(lab);
const nothing = await lab.addWorkspace('Neue Firma');
const empty = { workspaceId: nothing.workspace.id, owner: nothing.owner };
let complaints = 0;
for (const look of looks.filter(({ name }) => name.includes(values.look ?? ''))) await takeAll(look);
// The people here are painted over, which no proof of accounts accepts.
await lab.stop().catch(() => undefined);
process.stdout.write(`${complaints} pages could not be taken\n`);
process.exit(complaints === 0 ? 0 : 1);

async function takeAll({ name, options, size, mostPixels }: Look): Promise<void> {
  const folder = values.pictures
    ? join(values.pictures, name)
    : await mkdtemp(join(tmpdir(), 'tollgate-pictures-'));
  await mkdir(folder, { recursive: true });
  const shoot: Tour['shoot'] = async (page, title) => {
    await page.waitForLoadState('load');
    const full = await page.evaluate('document.documentElement.scrollHeight');
    const { width = 0, height = 0 } = options.viewport ?? {};
    // What stays in view while one scrolls is as high as the picture.
    await page.setViewportSize({ width, height: Math.min(Math.max(Number(full), height), mostPixels) });
    await page.screenshot({ path: join(folder, `${title}.png`) });
    await page.setViewportSize({ width, height });
  };
  for (const [part, tour] of Object.entries(tours)) {
    if (values.tour && values.tour !== part) continue;
    await tour({ lab, busy, empty, options, shoot }).catch((error: unknown) => {
      complaints += 1;
      process.stderr.write(`${name}, ${part}: ${String(error)}\n`);
    });
  }
  if (values.pictures) return;
  for (const [sheet, families] of Object.entries(sheets)) {
    const to = join(destination, `sheet-${sheet}-${name}.webp`);
    await makeSheet(folder, { families, size, to });
    process.stdout.write(`${to}: ${Math.round((await stat(to)).size / 1024)} KiB\n`);
  }
  await rm(folder, { recursive: true });
}
