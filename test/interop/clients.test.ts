// The table of docs/clients.md (promise 1), one sign-in for each of its cells: a library as a newcomer sets it up, with
// the lines that the page gives, and as it is with compatible client rules. `UPDATE_DOCS=1` writes what was seen.
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { findApache } from '../harness/apache.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { modAuthOpenidc } from './clients/apache.ts';
import { aspNetCore } from './clients/aspnet-core.ts';
import { type Driver, nodeDrivers } from './clients/drivers.ts';
import { furtherNodeDrivers } from './clients/node.ts';
import { goOidc, rustOpenidconnect } from './clients/programs.ts';
import { pythonDrivers } from './clients/python.ts';
import { rubyAndPhpDrivers } from './clients/ruby-and-php.ts';
import { springBoots } from './clients/spring.ts';

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

const page = join(resolve(import.meta.dirname, '../..'), 'docs/clients.md');

const withoutApache = 'Apache mod_auth_openidc: not installed, `npm run servers -- languages` brings it';

/** What is not on this machine has no test here; its row is as it was seen last. */
async function installedDrivers(): Promise<Driver[]> {
  const { GO_OIDC_CLIENT: go, RUST_OPENIDCONNECT_CLIENT: rust } = process.env;
  const apacheVersion = await findApache();
  if (apacheVersion === undefined) test.skip(withoutApache, () => {});
  return [
    ...nodeDrivers,
    ...(apacheVersion ? [modAuthOpenidc(apacheVersion)] : []),
    ...furtherNodeDrivers(),
    ...(await pythonDrivers()),
    ...(go ? [goOidc(go, process.env.GO_OIDC_VERSION ?? '3')] : []),
    ...(rust ? [rustOpenidconnect(rust)] : []),
    ...(await rubyAndPhpDrivers()),
    ...springBoots(),
    ...aspNetCore,
  ];
}

type Columns = { hasLines: boolean; isCompatible: boolean };
let people = 0;

async function cell(driver: Driver, { hasLines, isCompatible }: Columns): Promise<string> {
  people += 1;
  const email = `person${people}@example.test`;
  try {
    const read = await driver.signIn({
      issuer: service.url,
      email,
      hasLines,
      async register(callback, kind) {
        const application = await service.register({
          redirectUris: [callback],
          clientType: kind ?? 'confidential',
        });
        const isIt = eq(applications.id, application.id);
        await service.db.update(applications).set({ isCompatible }).where(isIt);
        return application;
      },
    });
    expect(read).toBe(email);
    return 'yes';
  } catch (error) {
    return `no: ${reasonOf(error)}`;
  }
}

function reasonOf(error: unknown): string {
  const told = error instanceof Error ? error.message : String(error);
  const [, code] = /^(\w+):/.exec(told) ?? [];
  if (code !== 'invalid_request' && code !== undefined) return `\`${code}\``;
  const [, missing] = /missing required parameters: ([^.]*)\./.exec(told) ?? [];
  if (missing)
    return missing
      .split(', ')
      .map((name) => `\`${name}\``)
      .join(', ');
  return told.replaceAll('\n', ' ');
}

/** What a distribution brings has a version of its own there, with answers of its own; CI has the page's. */
const isTheVersionShown = ({ name, version, isOfTheSystem }: Driver, known = '') =>
  !isOfTheSystem || Boolean(process.env.CI) || known.startsWith(`| ${name} | ${version} |`);

for (const driver of await installedDrivers()) {
  test(`${driver.name} ${driver.version}`, async () => {
    const cells = [
      await cell(driver, { hasLines: false, isCompatible: false }),
      await cell(driver, { hasLines: true, isCompatible: false }),
      await cell(driver, { hasLines: false, isCompatible: true }),
    ];
    const [asItIs, withLines, compatible] = cells;
    // The lines are for one of the two: what they bring there is to work.
    const atBest = driver.isCompatibleOnly
      ? await cell(driver, { hasLines: true, isCompatible: true })
      : withLines;
    const told = driver.isCompatibleOnly
      ? `${withLines}; with compatible rules ${atBest}: ${driver.lines}`
      : `${withLines}: ${driver.lines}`;
    const row = `| ${[driver.name, driver.version, asItIs, told, compatible].join(' | ')} |`;
    const text = await readFile(page, 'utf8');
    const known = text.split('\n').find((line) => line.startsWith(`| ${driver.name} |`));
    if (process.env.UPDATE_DOCS)
      await writeFile(
        page,
        text.replace(known ?? '<!-- next row -->', () => row),
      );
    else if (isTheVersionShown(driver, known)) expect(known).toBe(row);
    expect(atBest).toBe('yes');
  });
}
