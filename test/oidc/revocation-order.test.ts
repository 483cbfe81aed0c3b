// Deletions of the engine's records lock them in one order (adapters/revoke.ts): a logout that meets a password reset, or
// a cleaning up, waits for it and never ends in a deadlock, which would be a 503 for one of the two.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { revokeAccount, revokeGrantsInSql } from '../../adapters/revoke.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { deleteExpiredRecords } from '../../src/service/housekeeping.ts';
import { hasPostgres, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { addAccount } from '../harness/identity.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { until } from '../harness/until.ts';

/** PGlite has one connection, on which nobody meets anybody. */
const onPostgres = (await hasPostgres()) ? describe : describe.skip;
const NOW = new Date('2026-11-22T10:00:00.000Z');

onPostgres('two who take the same records', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestPostgres();
  });
  afterAll(() => database.remove());

  /** Last first, so that whoever takes them as they come takes them in the wrong order. */
  async function addRecords(name: string): Promise<string> {
    const { id: accountId } = await addAccount(database.connection.db, {
      email: `${randomUUID()}@example.test`,
    });
    for (const number of [3, 2, 1]) {
      await database.connection.db.insert(engineRecords).values({
        model: 'RefreshToken',
        idHash: `${name} ${number}`,
        grantId: `grant of ${name}`,
        accountId,
        payload: {},
        expiresAt: new Date(NOW.getTime() - 86_400_000),
      });
    }
    return accountId;
  }
  const left = async (name: string) =>
    rowsOf(
      await database.connection.db.execute(
        sql`select id_hash from engine_records where id_hash like ${`${name} %`}`,
      ),
    ).length;

  test.each([
    ['the end of a grant', (name: string) => revokeGrantsInSql(database.connection.db, [`grant of ${name}`])],
    [
      'the end of an account',
      (_name: string, accountId: string) =>
        transaction(database.connection.db, (tx) => revokeAccount(tx, { accountId, now: NOW })),
    ],
  ])(
    '%s waits for one who took the first, and takes nothing meanwhile that the other still needs',
    async (name, end) => {
      const accountId = await addRecords(name);
      let ended: Promise<void> | undefined;
      await database.connection.db.transaction(async (tx) => {
        const take = (number: number) =>
          tx.execute(sql`select 1 from engine_records where id_hash = ${`${name} ${number}`} for update`);
        await take(1);
        ended = end(name, accountId);
        await until('somebody waits for a lock', () => countLockWaits(database.connection.db), {
          isIt: (count) => count > 0,
        });
        await take(2);
        await take(3);
      });
      await ended;
      expect(await left(name)).toBe(0);
    },
  );

  test('cleaning up passes over what somebody else has taken', async () => {
    const name = 'expired';
    await addRecords(name);
    await database.connection.db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from engine_records where id_hash = ${`${name} 2`} for update`);
      await deleteExpiredRecords(database.connection.db, NOW);
      expect(await left(name)).toBe(1);
    });
    await deleteExpiredRecords(database.connection.db, NOW);
    expect(await left(name)).toBe(0);
  });
});
