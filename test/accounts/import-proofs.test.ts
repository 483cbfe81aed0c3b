// What is older than proofs: accounts, linked identities and passkeys get proofs that say they were taken over, some at a
// time, by any number of processes, each of which may be killed (docs/identity-invariants.md).
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { proofImports } from '../../drizzle/schema/proofs.ts';
import { IDENTITY_IMPORT, importProofs } from '../../src/accounts/import-proofs.ts';
import { verifyAccounts } from '../../src/accounts/verify.ts';
import { type Database, rowsOf } from '../../src/database/connection.ts';
import { importBatch } from '../../src/limits/account.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { startTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

const PEOPLE = 2 * importBatch + 100;
const CREDENTIALS = importBatch + 50;
const day = 86_400_000;

/** As the release before proofs wrote them; every third account was vouched for. */
async function addPeople(db: Database, people = PEOPLE): Promise<void> {
  await db.execute(sql`
    insert into accounts (id, email, email_verified, locale, vouched_by, created_at, updated_at)
    select 'acc_' || n, 'person' || n || '@example.test', true, 'en', case when n % 3 = 0 then 'google' end, now(), now()
    from generate_series(1, ${people}::int) n`);
  await db.execute(sql`
    insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up, created_at)
    select 'pky_' || n, 'acc_' || n, 'key' || n, '', 0, '{}', 'key', false, now()
    from generate_series(1, ${Math.min(people, CREDENTIALS)}::int) n`);
  await db.execute(sql`
    insert into social_identities (provider, subject, account_id, email, created_at)
    select 'google', n::text, 'acc_' || n, 'person' || n || '@example.test', now()
    from generate_series(1, ${Math.min(people, CREDENTIALS)}::int) n`);
}

async function waiting(db: Database): Promise<number> {
  const [row] = rowsOf(
    await db.execute(sql`select (select count(*) from accounts where mailbox_proof_id is null)
      + (select count(*) from passkeys where owner_proof_id is null)
      + (select count(*) from social_identities where proof_id is null or owner_proof_id is null) as count`),
  );
  return Number(row?.count);
}

async function broken(db: Database): Promise<string[]> {
  const { checks } = await verifyAccounts(db);
  return checks.filter(({ violations }) => violations.length > 0).map(({ rule }) => rule);
}

describe('what is older than proofs', () => {
  let database: TestDatabase;
  const clock = () => new Date();
  beforeAll(async () => {
    database = await openTestDatabase();
    await addPeople(database.connection.db);
  });
  afterAll(() => database.remove());

  test('is no violation before it has been taken over', async () => {
    expect(await broken(database.connection.db)).toEqual([]);
  });

  test('is taken over some at a time: who is stopped or fails half-way has done what was committed', async () => {
    const { db } = database.connection;
    const all = PEOPLE + 2 * CREDENTIALS;
    let bites = 0;
    expect(await importProofs(db, { clock, isStopped: () => bites++ >= 1 })).toBe(importBatch);
    expect(await waiting(db)).toBe(all - importBatch);
    await db.execute(sql`alter table proofs add constraint nothing_new check (passkey_id is null) not valid`);
    await expect(importProofs(db, { clock })).rejects.toThrow();
    await db.execute(sql`alter table proofs drop constraint nothing_new`);
    expect(await waiting(db)).toBe(CREDENTIALS);
    expect(await broken(db)).toEqual([]);
  });

  test('is taken over once, by any number of processes, and then proves itself', async () => {
    const { db } = database.connection;
    const taken = await Promise.all([importProofs(db, { clock }), importProofs(db, { clock })]);
    expect(taken[0] + taken[1]).toBe(CREDENTIALS);
    expect(await waiting(db)).toBe(0);
    expect(await importProofs(db, { clock })).toBe(0);
    const methods = rowsOf(await db.execute(sql`select distinct method, purpose from proofs`));
    expect(methods).toEqual([{ method: 'import', purpose: 'import' }]);
    await db.update(proofImports).set({ until: new Date() });
    expect(await broken(db)).toEqual([]);
  });

  test('what is made a day later without its proofs is not taken over, but found', async () => {
    const { db } = database.connection;
    await db.update(proofImports).set({ until: new Date(Date.now() - day / 2) });
    await db.execute(sql`update passkeys set owner_proof_id = null where id = 'pky_1'`);
    expect(await importProofs(db, { clock })).toBe(0);
    expect(await broken(db)).toEqual(['A26: what is older than proofs has been taken over']);
  });

  test('a service takes it over when it starts; where nobody had an account, nothing is ever taken over', async () => {
    const service = await startTollgate({}, async () => {
      const old = await openTestDatabase();
      await addPeople(old.connection.db, 20);
      const until = new Date(Date.now() + day);
      await old.connection.db.insert(proofImports).values({ name: IDENTITY_IMPORT, until });
      return old;
    });
    await until('nothing waits for its proof', () => waiting(service.db), { isIt: (count) => count === 0 });
    await service.stop();
    const fresh = await openTestDatabase();
    const startedAt = new Date();
    expect(await importProofs(fresh.connection.db, { clock: () => startedAt })).toBe(0);
    expect(await fresh.connection.db.select().from(proofImports)).toEqual([
      { name: IDENTITY_IMPORT, until: startedAt },
    ]);
    await fresh.remove();
  });
});
