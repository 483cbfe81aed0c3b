// Smaller promises about strangers: no secret of an address reaches the log however it is written, one mailbox gets one
// budget of mails however its address is spelled, and a command whose reader has left ends as it would have.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mailboxOf } from '../../src/accounts/email-address.ts';
import { codeMailsPerEmail } from '../../src/limits/credentials.ts';
import { codeMailsPerMailbox } from '../../src/limits/strangers.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { hasPostgres, openTestPostgres } from '../harness/database.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const isTherePostgres = await hasPostgres();
let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

describe('threat 92: a secret in an address', () => {
  const secret = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF';
  test.each([
    '/settings/invitations/%',
    '/Settings/Invitations/%',
    '//settings//invitations//%',
    '/settings/invitations/%/',
    '/settings/./invitations/%',
    '/%73ettings/invitations/%',
    '/ACCOUNT/address/cancel/%',
    '//account/address/cancel/%',
    '/interaction/%/sign-in',
    '/INTERACTION/%/sign-in',
    '/oauth/authorize/%',
    '/oauth//authorize/%',
    '/nowhere/%/else',
  ])('%s is in no line of the log', async (pattern) => {
    const path = pattern.replace(/%(?!73)/, secret);
    service.logLines.length = 0;
    await rawRequest(Number(new URL(service.url).port), { path });
    const lines = service.logLines.join('');
    expect(lines).toContain('"msg":"request"');
    expect(lines.toLowerCase()).not.toContain(secret.toLowerCase());
  });

  test('ids of ours stay readable', async () => {
    service.logLines.length = 0;
    await fetch(`${service.url}/v1/applications/${application.id}/customers`);
    expect(service.logLines.join('')).toContain(`/v1/applications/${application.id}/customers`);
  });
});

describe('threat 34: mails to one mailbox', () => {
  async function askForCode(email: string): Promise<number> {
    const browser = createBrowser();
    const arrival = await browser.open(startAttempt(service, application).url);
    if (!('page' in arrival)) throw new Error('no page');
    const form = arrival.page.forms.find(({ action }) => action.endsWith('/sign-in'));
    if (!form) throw new Error('no form');
    const next = await browser.submit(arrival.page, form, { email }, form.buttons[0]);
    return 'page' in next ? next.page.status : 0;
  }

  test.each([
    ['behind a plus', (n: number) => `victim+${n}@example.test`],
    [
      'with dots, at Gmail',
      (n: number) => `${'victimsmailbox'.slice(0, n)}.${'victimsmailbox'.slice(n)}@gmail.com`,
    ],
  ])('%s: no more than one mailbox may get, whatever the spelling', async (_name, spell) => {
    const statuses = [];
    for (let n = 1; n <= codeMailsPerMailbox.count + 2; n += 1) statuses.push(await askForCode(spell(n)));
    const mailed = statuses.filter((status) => status === 200);
    expect(mailed).toHaveLength(codeMailsPerMailbox.count);
    expect(statuses.at(-1)).toBe(429);
  });

  test('two accounts of one mailbox both get their codes', async () => {
    for (const email of ['ada+work@example.test', 'ada+home@example.test'])
      for (let n = 0; n < codeMailsPerEmail.count; n += 1) expect(await askForCode(email)).toBe(200);
  });

  test('which spellings are one mailbox', () => {
    expect(mailboxOf('a.d.a+x+y@gmail.com')).toBe('ada@gmail.com');
    expect(mailboxOf('ada@googlemail.com')).toBe('ada@gmail.com');
    expect(mailboxOf('a.da+x@example.com')).toBe('a.da@example.com');
  });
});

(isTherePostgres ? test : test.skip)(
  '`tollgate accounts verify | head`: a reader that has seen enough is no failure',
  async () => {
    const { databaseUrl = '', remove } = await openTestPostgres();
    // Many lines, then one more a moment later, and nobody who reads them.
    const program = join(import.meta.dirname, '../../src/command/program.ts');
    const script = `const { runCommandLine } = await import("${program}");
      await runCommandLine(["node", "tollgate", "accounts", "verify"]);
      for (let line = 0; line < 3; line += 1) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        console.log("more");
      }`;
    const node = `"${process.execPath}" --import tsx --input-type=module -e '${script}'`;
    const command = `{ ${node}; echo "status $?" >&2; } | true`;
    const environment = { DATABASE_URL: databaseUrl, TOLLGATE_SECRET: 'a secret of at least 32 characters' };
    const env = { ...process.env, ...environment };
    const { stderr } = await promisify(execFile)('sh', ['-c', command], { env });
    expect(stderr).toBe('status 0\n');
    await remove();
  },
);
