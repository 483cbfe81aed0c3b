// The stores that can keep the engine's state, and one of them opened: its adapters, people with browsers in it, and
// what a request of such a browser saves.
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { createEngineAdapter, createRevocation, type Revocation } from '../../adapters/stores.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import { type Account, findAccount } from '../../src/accounts/account.ts';
import { type Database, lookUpsOf, rowsOf } from '../../src/database/connection.ts';
import { hasPostgres, openTestPglite, openTestPostgres, type TestDatabase } from './database.ts';
import { type EngineRequests, startEngineRequests } from './engine-requests.ts';
import { addAccount, signInBrowser } from './identity.ts';
import { hasRedis, openTestRedis, type TestRedis, untilReady } from './redis.ts';

export type StoreKind = { name: string; openSql: () => Promise<TestDatabase>; openRedis?: () => TestRedis };

/** Of those that are there. */
export async function availableStores(): Promise<StoreKind[]> {
  const hasServers = { postgres: await hasPostgres(), redis: await hasRedis() };
  const kinds: (StoreKind & { isAvailable: boolean })[] = [
    { name: 'PGlite', openSql: openTestPglite, isAvailable: true },
    { name: 'PostgreSQL', openSql: openTestPostgres, isAvailable: hasServers.postgres },
    {
      name: 'Redis with PGlite',
      openSql: openTestPglite,
      openRedis: openTestRedis,
      isAvailable: hasServers.redis,
    },
    {
      name: 'Redis with PostgreSQL',
      openSql: openTestPostgres,
      openRedis: openTestRedis,
      isAvailable: hasServers.redis && hasServers.postgres,
    },
  ];
  return kinds.filter(({ isAvailable }) => isAvailable);
}

/** Somebody who is signed in: a session lives, whatever the engine has saved of it. */
export type SignedIn = { account: Account; uid: string; sessionHash: string };

export type EngineStores = {
  db: Database;
  redis: TestRedis | undefined;
  adapterFor: (model: string) => Adapter;
  revocation: Revocation;
  requests: EngineRequests;
  /** A new person, or a person again in another browser. */
  signIn(account?: Account): Promise<SignedIn>;
  /** As while a request of this browser is answered. */
  save(browser: SignedIn, model: string, id: string, payload?: AdapterPayload): Promise<void>;
  /** The engine takes no code or token whose grant it does not find. */
  isUsable(model: string, id: string): Promise<boolean>;
  everythingStored(): Promise<string>;
  /** Remembers what the engine has saved; the answer brings exactly that back, as a store that lost its last moment. */
  remember(): Promise<() => Promise<void>>;
  remove(): Promise<void>;
};

export async function openEngineStores(kind: StoreKind, clock: () => Date): Promise<EngineStores> {
  const database = await kind.openSql();
  const { db } = database.connection;
  const redis = kind.openRedis?.();
  if (redis) await untilReady(redis.client);
  const requests = await startEngineRequests();
  const stores = { db, lookUps: lookUpsOf(database.connection), redis: redis?.client };
  const adapterFor = createEngineAdapter({ ...stores, clock, clients: async () => undefined });
  return {
    db,
    redis,
    adapterFor,
    revocation: createRevocation(stores),
    requests,
    async signIn(known) {
      const account = known
        ? await findAccount(db, known.id)
        : await addAccount(db, { email: `${randomUUID()}@example.com` });
      if (!account) throw new Error('nobody to sign in');
      const uid = randomUUID();
      return { account, uid, sessionHash: await signInBrowser(db, { account, uid }) };
    },
    save: ({ uid, account }, model, id, payload = {}) =>
      requests.during(uid, () => {
        const ofSession = model === 'Session' ? { uid, loginTs: 1 } : { sessionUid: uid };
        return adapterFor(model).upsert(id, { jti: id, accountId: account.id, ...ofSession, ...payload }, 60);
      }),
    async isUsable(model, id) {
      const payload = await adapterFor(model).find(id);
      if (!payload?.grantId || model === 'Session') return payload !== undefined;
      return (await adapterFor('Grant').find(payload.grantId)) !== undefined;
    },
    async everythingStored() {
      const rows = rowsOf(await db.execute(sql`select * from engine_records`));
      const keys = (await redis?.keys()) ?? [];
      return JSON.stringify([
        rows,
        await Promise.all(keys.map(async (key) => [key, await redis?.dump(key)])),
      ]);
    },
    async remember() {
      const rows = await db.select().from(engineRecords);
      const bringBackRedis = await redis?.remember();
      return async () => {
        await db.delete(engineRecords);
        if (rows.length > 0) await db.insert(engineRecords).values(rows);
        await bringBackRedis?.();
      };
    },
    async remove() {
      await requests.stop();
      await redis?.remove();
      await database.remove();
    },
  };
}
