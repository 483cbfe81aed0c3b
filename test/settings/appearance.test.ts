// How an application looks, without a browser: threats 43 (logo) and 44 (service name) through the
// real forms, and the preview, which must say what the real sign-in page says.
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { applications } from '../../drizzle/schema/applications.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { mailsTo, signInAs } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';

let lab: SettingsLab;
let developer: Visitor;
let application: RegisteredApplication;

beforeAll(async () => {
  lab = await openSettingsLab();
  developer = lab.visitor(lab.acme.developer);
  application = await lab.acme.register({ name: 'Nordlicht Notes' });
});
afterAll(() => lab?.stop());

const pageOf = (rest: string) => `/settings/${lab.acme.workspace.id}/applications/${application.id}${rest}`;
const square = (format: 'png' | 'jpeg' | 'webp', size = 300) =>
  sharp({ create: { width: size, height: size, channels: 3, background: '#3451d1' } })
    [format]()
    .toBuffer();

const give = (bytes: Uint8Array, name = 'logo.png', fields: Record<string, string> = {}) =>
  developer.upload(pageOf('/appearance'), { name: 'Nordlicht Notes', logo: { bytes, name }, ...fields });

async function storedLogo(): Promise<Uint8Array | null | undefined> {
  const [row] = await lab.service.db.select().from(applications).where(eq(applications.id, application.id));
  return row?.logo;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc(body));
  return Buffer.concat([length, body, check]);
}

function crc(bytes: Uint8Array): number {
  let value = ~0;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** One bit a pixel, all of them black: 113 MB of pixels in 110 KB. */
function bomb(side: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function animation(frames: number): Buffer {
  const screen = Buffer.from([...Buffer.from('GIF89a'), 1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

describe('threat 43: logos', () => {
  const script = '<script>alert(1)</script>';
  const refused: [name: string, make: () => Uint8Array | Promise<Uint8Array>, sentence: string][] = [
    [
      'an SVG with a script',
      () => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">${script}</svg>`),
      'must be a PNG, JPEG or WebP image',
    ],
    ['HTML named .png', () => Buffer.from(`<!doctype html>${script}`), 'damaged or not an image'],
    ['a PNG of 30,000 × 30,000 pixels', () => bomb(30_000), 'larger than 2048 × 2048 pixels'],
    ['a PNG of 2,049 × 2,049 pixels', () => square('png', 2_049), 'larger than 2048 × 2048 pixels'],
    ['a GIF with 10,000 frames', () => animation(10_000), 'must be a PNG, JPEG or WebP image'],
    ['600 KiB', () => Buffer.concat([PNG_SIGNATURE, Buffer.alloc(600 * 1024)]), 'larger than 512 KiB'],
    ['half a PNG', async () => (await square('png')).subarray(0, 120), 'damaged or not an image'],
  ];

  test.each(refused)('%s is refused with a sentence at the field', async (_name, make, sentence) => {
    const bytes = await make();
    const before = process.memoryUsage().rss;
    const startedAt = performance.now();
    const answer = await give(bytes);
    expect(answer.status).toBe(400);
    expect(/id="logo-problem">([^<]*)</.exec(answer.html)?.[1]).toContain(sentence);
    expect(answer.html).toContain('value="Nordlicht Notes"');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(await storedLogo()).toBeNull();
  });

  test('10 MB are refused before they are read', async () => {
    expect((await give(Buffer.alloc(10 * 1024 * 1024))).status).toBe(413);
    expect(await storedLogo()).toBeNull();
  });

  test.each(['png', 'jpeg', 'webp'] as const)(
    'a %s is drawn anew: nothing of the file reaches a browser, whatever its name',
    async (format) => {
      const clean = await sharp(await square(format))
        .withExif({ IFD0: { Copyright: 'secret location', ImageDescription: script } })
        .toFormat(format)
        .toBuffer();
      // A polyglot: an image, and HTML for whoever reads on.
      const answer = await give(Buffer.concat([clean, Buffer.from(script)]), '../../x.html');
      expect(answer.status).toBe(303);
      const logo = await fetch(`${lab.service.url}/applications/${application.id}/logo`);
      const bytes = Buffer.from(await logo.arrayBuffer());
      expect(bytes.subarray(0, 8)).toEqual(PNG_SIGNATURE);
      expect(bytes.toString('latin1')).not.toMatch(/script|secret location|Exif/i);
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 192, height: 192 });
      expect(Object.fromEntries(logo.headers)).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cross-origin-resource-policy': 'same-origin',
      });
    },
  );

  test('a new application takes one along; without a new file the old one stays; it can be removed', async () => {
    const made = await developer.upload(`/settings/${lab.acme.workspace.id}/applications/new`, {
      kind: 'confidential',
      name: 'With a logo',
      callback: 'https://logo.example/cb',
      logo: { bytes: await square('webp') },
    });
    expect(made.status).toBe(303);
    const id = /app_\w+/.exec(made.location ?? '')?.[0];
    expect((await fetch(`${lab.service.url}/applications/${id}/logo`)).status).toBe(200);

    const before = await storedLogo();
    const renamed = await developer.upload(pageOf('/appearance'), { name: 'Nordlicht Notes' });
    expect(renamed.status).toBe(303);
    expect(await storedLogo()).toEqual(before);
    await developer.post(pageOf('/appearance'), {}, pageOf('/logo/remove'));
    expect(await storedLogo()).toBeNull();
    expect((await fetch(`${lab.service.url}/applications/${application.id}/logo`)).status).toBe(404);
  });
});

describe('threat 44: service names', () => {
  test.each([
    ['CRLF', 'Shop\r\nBcc: eve@example.com', 'line breaks or invisible characters'],
    ['right-to-left override', 'Shop \u202egnp.exe', 'line breaks or invisible characters'],
    ['zero width space', 'Sh\u200bop', 'line breaks or invisible characters'],
    ['10 kB', 'x'.repeat(10_240), 'has 1 to 100 characters'],
    ['nothing', '  ', 'has 1 to 100 characters'],
  ])('%s is refused, and what was typed stays in the field', async (_name, name, sentence) => {
    const answer = await developer.upload(pageOf('/appearance'), { name });
    expect(answer.status).toBe(400);
    expect(/id="name-problem">([^<]*)</.exec(answer.html)?.[1]).toContain(sentence);
    if (name.length > 9_000) expect(answer.html).toContain(name);
    const [row] = await lab.service.db.select().from(applications).where(eq(applications.id, application.id));
    expect(row?.name).toBe('Nordlicht Notes');
  });

  test('HTML is only text: in settings, on the hosted pages, in the mail and its subject', async () => {
    const name = '<img src=x onerror=alert(1)> & "Co"';
    const hostile = await lab.acme.register();
    const own = (rest: string) => `/settings/${lab.acme.workspace.id}/applications/${hostile.id}${rest}`;
    expect((await developer.upload(own('/appearance'), { name })).status).toBe(303);
    for (const rest of ['', '/credentials', '/addresses', '/appearance', '/try', '/../../applications']) {
      const { html, status } = await developer.get(own(rest));
      expect([rest, status]).toEqual([rest, 200]);
      expect(html).not.toContain('<img src=x');
      expect(html).toContain('&lt;img src=x');
    }
    const email = 'hostile.name@example.com';
    const pages: string[] = [];
    const { url } = startAttempt(lab.service, hostile);
    await signInAs({ authorizationUrl: url, email, onPage: ({ html }) => pages.push(html) });
    expect(pages.length).toBeGreaterThan(2);
    for (const html of pages) expect(html).not.toContain('<img src=x');
    const [mail] = await mailsTo(`${lab.service.url}/dev/inbox.json`, email);
    const [raw] = (await (await fetch(`${lab.service.url}/dev/inbox.json?to=${email}`)).json()) as {
      subject: string;
      html: string;
    }[];
    expect(mail?.text).toContain(name);
    expect(raw?.subject).toContain(name);
    expect(raw?.subject).not.toMatch(/[\r\n]/);
    expect(raw?.html).not.toContain('<img src=x');
  });
});

test('the preview says what the sign-in page says, in light and in dark, and nothing in it can be used', async () => {
  const { html } = await developer.get(pageOf('/appearance'));
  const previews = html.split('<figure').slice(1);
  expect(previews).toHaveLength(2);
  const shown = await createBrowser().open(startAttempt(lab.service, application).url);
  const real = textsOf('page' in shown ? (shown.page.html.split('<footer')[0] ?? '') : '');
  // Hidden on the page until a script of it shows it.
  const shownTexts = real.filter((text) => !text.startsWith('No passkey was chosen.'));
  for (const preview of previews) {
    const [stage = ''] = preview.split('</figure>');
    expect(stage).toContain(' inert');
    expect(stage).not.toMatch(/<form|href=|<h1/);
    // The name is marked for the script that follows what is typed; to a reader it is one sentence.
    const words = stage.replace(/<span data-preview-name[^>]*>([^<]*)<\/span>/g, '$1');
    // Below the card: links, and the head of a mail.
    const [card = ''] = words.split('<ul class="brand-links"');
    const texts = textsOf(card.slice(card.indexOf('<div')));
    expect(texts.length).toBeGreaterThan(8);
    expect(texts).toEqual(shownTexts);
  }
});

function textsOf(html: string): string[] {
  return (html.split('</head>').at(-1) ?? '')
    .split(/<[^>]*>?/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
}
