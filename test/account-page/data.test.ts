// A person's data, handed over and deleted: nothing that names the person remains, tokens die at once, and the
// ledger still proves itself.

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, refresh, startAttempt, userinfo } from '../harness/client.ts';
import { longWorkDone } from '../harness/long-work.ts';
import { expectOracles } from '../harness/oracles.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const EMAIL = 'ada.canary@example.test';
const NAME = 'Ada Canary';

let service: TestTollgate;
let application: RegisteredApplication;

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});

afterAll(() => service.stop());

async function signIn(browser = createBrowser()) {
  const attempt = startAttempt(service, application, { scope: 'openid email profile offline_access' });
  const callback = await signInAs({ authorizationUrl: attempt.url, email: EMAIL, name: NAME, browser });
  const { code = '' } = readCallback(callback);
  return exchange(service, application, { code, verifier: attempt.verifier });
}

test('account export shows a person everything that is stored about them, and no secret', async () => {
  const answer = await signIn();
  expect(answer.status).toBe(200);
  const copy = await service.tollgate.operator('account export', { account: EMAIL.toUpperCase() });
  expect(copy).toMatchObject({
    account: { email: EMAIL, email_verified: true, name: NAME, has_password: false },
    applications: [
      { application_id: application.id, agreed_scopes: expect.arrayContaining(['email']), sign_in_count: 1 },
    ],
  });
});

test('account delete ends tokens and sessions at once and leaves nothing that names the person', async () => {
  const browser = createBrowser();
  const { body } = await signIn(browser);
  const [before] = rowsOf(await service.db.execute(sql`select sub from customers`));
  await service.tollgate.operator('account delete', { account: EMAIL });

  expect((await userinfo(service, String(body.access_token))).status).toBe(401);
  expect((await refresh(service, application, String(body.refresh_token))).body.error).toBe('invalid_grant');
  await longWorkDone(service.db);
  expect(await rowsThatName('canary')).toEqual([]);

  // The same browser has to start again, and is somebody new to the application.
  expect((await signIn(browser)).status).toBe(200);
  const subs = rowsOf(await service.db.execute(sql`select sub from customers order by registered_at`));
  expect(subs).toHaveLength(2);
  expect(subs[0]).toEqual(before);
  expect(subs[1]).not.toEqual(before);
  await expectOracles(service, { exchanges: 3, canaries: [EMAIL, NAME] });
});

test('an unknown person is a clear error', async () => {
  const unknown = service.tollgate.operator('account delete', { account: 'nobody@example.test' });
  await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
});

/** Every row of every table, the job queue's included. */
async function rowsThatName(word: string): Promise<unknown[]> {
  const tables = rowsOf(
    await service.db.execute(sql`
      select table_schema as schema, table_name as name from information_schema.tables
      where table_schema in ('public', 'jobs') and table_type = 'BASE TABLE'`),
  );
  const found: unknown[] = [];
  for (const { schema, name } of tables) {
    const table = sql`${sql.identifier(String(schema))}.${sql.identifier(String(name))}`;
    const pattern = `%${word}%`;
    found.push(
      ...rowsOf(
        await service.db.execute(sql`
      select ${String(name)} as table, row_to_json(t)::text as row from ${table} t where row_to_json(t)::text ilike ${pattern}`),
      ),
    );
  }
  return found;
}
