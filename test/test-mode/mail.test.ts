// Promise 53: whom an application in test mode mails, against a real SMTP server, and that no page tells (threat 143).
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { addMember } from '../../src/applications/membership.ts';
import { changeTestAddresses } from '../../src/applications/test-addresses.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { createBrowser, type Page } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { addAccount } from '../harness/identity.ts';
import { untilItWorks } from '../harness/outage.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const MEMBER = 'member@company.test';
const TESTER = 'tester@friends.test';
const STRANGER = 'stranger@elsewhere.test';
const STRANGER_WITH_ACCOUNT = 'account@elsewhere.test';

let smtp: TestSmtp;
let service: TestTollgate;
let application: RegisteredApplication;

beforeAll(async () => {
  smtp = await startSmtp();
  service = await startTollgate({ SMTP_URL: smtp.url });
  application = await service.register({ name: 'In the making', isTest: true, balance: 0n });
  const { id: accountId } = await addAccount(service.db, { email: MEMBER, name: 'Member' });
  await addAccount(service.db, { email: STRANGER_WITH_ACCOUNT, name: 'Somebody' });
  await transaction(service.db, async (tx) => {
    const workspaceId = service.workspace.id;
    await addMember(tx, { workspaceId, accountId, role: 'developer', now: new Date() });
    await changeTestAddresses(tx, application, [TESTER]);
  });
});
afterAll(async () => {
  await service?.stop();
  await smtp?.stop();
});

/** As far as the page for the code, without what differs from attempt to attempt. */
async function askForCode(email: string, of = application): Promise<string> {
  const browser = createBrowser();
  const arrival = await browser.open(startAttempt(service, of).url);
  const page = pageOf(arrival);
  const form = page.forms.find(({ action }) => action.endsWith('/sign-in'));
  if (!form) throw new Error('no form for an address');
  const { html } = pageOf(await browser.submit(page, form, { email }, form.buttons[0]));
  return html
    .replaceAll(email, 'ADDRESS')
    .replaceAll(/\/interaction\/[\w-]+/g, '/interaction/UID')
    .replaceAll(/name="csrf" value="[^"]*"|value="[\w.-]{30,}"/g, 'TOKEN')
    .replaceAll(/\d+ (minutes?|seconds?)/g, 'TIME');
}

function pageOf(arrival: { page: Page } | { leftTo: string }): Page {
  if ('page' in arrival) return arrival.page;
  throw new Error('the browser left');
}

test('promise 53: a code is mailed to members and listed testers, to nobody else, and the pages are the same', async () => {
  const pages: string[] = [];
  for (const email of [STRANGER, STRANGER_WITH_ACCOUNT, MEMBER, TESTER]) pages.push(await askForCode(email));
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).toContain('Codes are only emailed to its team and its listed testers.');
  // In the order of the queue: whoever was asked for before these two has had a turn.
  await untilItWorks(async () => expect(smtp.accepted.length).toBeGreaterThanOrEqual(2));
  expect(smtp.accepted.flatMap(({ to }) => to).sort()).toEqual([MEMBER, TESTER].sort());
});

test('the company’s own trace says why there was no mail', async () => {
  await untilItWorks(async () => {
    const rows = rowsOf(
      await service.db.execute(sql`
        select step, reason from sign_in_steps where application_id = ${application.id} and step like 'code_%'`),
    );
    expect(rows.filter(({ reason }) => reason === 'not_a_test_address')).toHaveLength(2);
    expect(rows.filter(({ step }) => step === 'code_mailed')).toHaveLength(2);
  });
});

test('a live application mails whoever asks', async () => {
  const live = await service.register();
  await askForCode('customer@elsewhere.test', live);
  await untilItWorks(async () =>
    expect(smtp.accepted.flatMap(({ to }) => to)).toContain('customer@elsewhere.test'),
  );
});
