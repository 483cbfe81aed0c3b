// The keys that sign ID Tokens (promise 17, threat 100): made once, sealed at rest, announced
// before they sign and known after they have stopped.
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { eq, isNull } from 'drizzle-orm';
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { signingKeys } from '../../drizzle/schema/engine.ts';
import { transaction } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { rebuildWhenChanged } from '../../src/oidc/signing-keys/signing-key-watch.ts';
import {
  loadSigningKeys,
  replaceSigningKeys,
  rotateSigningKeys,
} from '../../src/oidc/signing-keys/signing-keys.ts';
import { createKeys } from '../../src/secrets.ts';
import { form } from '../harness/client.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Protocol, startProtocol } from '../harness/protocol.ts';
import { Browser, callbackOf, exchange, signIn } from '../harness/protocol-client.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe('signing keys', () => {
  let database: TestDatabase;
  const keys = createKeys('a secret of at least 32 characters');
  let now = new Date('2026-11-21T10:00:00.000Z');
  const clock = () => now;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.remove());

  test('processes that start at once on an empty database agree on one key of each algorithm, sealed at rest', async () => {
    const { db } = database.connection;
    const loaded = await Promise.all([1, 2, 3].map(() => loadSigningKeys(db, { keys, clock })));
    expect(new Set(loaded.flatMap(({ kids }) => kids)).size).toBe(3);
    const [kid = ''] = loaded[0]?.kids ?? [];
    const [row] = await db.select().from(signingKeys).where(eq(signingKeys.kid, kid));
    expect(Object.keys(row?.publicJwk ?? {}).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    const [privateKey = {}] = loaded[0]?.jwks.keys ?? [];
    const exponent = 'd' in privateKey ? String(privateKey.d) : '';
    expect(exponent.length).toBeGreaterThan(300);
    expect(JSON.stringify(row)).not.toContain(exponent);
    const others = createKeys('another secret of at least 32 characters');
    await expect(loadSigningKeys(db, { keys: others, clock })).rejects.toThrow();
  });

  /** By algorithm, in the order in which the engine has them. */
  async function orders(): Promise<Record<string, string[]>> {
    const { jwks } = await loadSigningKeys(database.connection.db, { keys, clock });
    const orders: Record<string, string[]> = {};
    for (const { alg = '', kid = '' } of jwks.keys) orders[alg] = [...(orders[alg] ?? []), kid];
    return orders;
  }

  const algorithms = ['RS256', 'ES256', 'EdDSA'];

  test('a new key is published for a day, then signs; the old one stays until its tokens are of no use', async () => {
    const { db } = database.connection;
    const before = await orders();
    const rotations = await transaction(db, (tx) => rotateSigningKeys(tx, { keys, clock }));
    const [old, made] = [
      (alg: string) => before[alg]?.[0],
      (alg: string) => rotations.find(({ algorithm }) => algorithm === alg)?.kid,
    ];
    const each = (order: (alg: string) => unknown[]) =>
      Object.fromEntries(algorithms.map((alg) => [alg, order(alg)]));
    for (const { activatedAt } of rotations) expect(activatedAt).toEqual(new Date(now.getTime() + DAY));
    expect(await orders()).toEqual(each((alg) => [old(alg), made(alg)]));
    now = new Date(now.getTime() + DAY);
    expect(await orders()).toEqual(each((alg) => [made(alg), old(alg)]));
    now = new Date(now.getTime() + 14 * DAY);
    expect(await orders()).toEqual(each((alg) => [made(alg), old(alg)]));
    now = new Date(now.getTime() + HOUR);
    expect(await orders()).toEqual(each((alg) => [made(alg)]));
  });

  test('a key that became known to somebody else can be replaced at once, and alone', async () => {
    const { db } = database.connection;
    const before = await orders();
    const [rotation, ...others] = await transaction(db, (tx) =>
      replaceSigningKeys(tx, { keys, clock }, ['ES256']),
    );
    expect(others).toEqual([]);
    expect(await orders()).toEqual({ ...before, ES256: [rotation?.kid, before.ES256?.[0]] });
  });

  test('what a process of the release before does to the keys of all algorithms is mended', async () => {
    const { db } = database.connection;
    await db
      .update(signingKeys)
      .set({ retiresAt: new Date(now.getTime() + 15 * DAY) })
      .where(isNull(signingKeys.retiresAt));
    const { ES256: [present] = [] } = await orders();
    expect((await orders()).ES256).toEqual([present, expect.any(String), expect.any(String)]);
    now = new Date(now.getTime() + DAY);
    expect((await orders()).ES256?.[0]).not.toBe(present);
  });
});

describe('the engine built anew', () => {
  let protocol: Protocol;
  beforeAll(async () => {
    protocol = await startProtocol();
  });
  afterAll(() => protocol.stop());

  test('keeps sessions, codes and tokens; every ID Token verifies with the key set of an hour ago', async () => {
    const application = await protocol.register();
    const keySet = async () => (await fetch(`${protocol.origin}/oauth/jwks`)).json();
    const clock = () => protocol.clock.now();
    const first = await signIn(protocol, application);
    await transaction(protocol.db, (tx) => rotateSigningKeys(tx, { keys: protocol.keys, clock }));
    await protocol.rebuild();
    const before = await keySet();
    expect(before.keys).toHaveLength(6);
    const { body } = await exchange(protocol, application, first);
    const { id_token: oldToken } = body;
    const start = Date.now();
    protocol.clock.now = () => new Date(Date.now() + DAY);
    await protocol.rebuild();
    protocol.clock.now = () => new Date();
    expect(Date.now() - start).toBeLessThan(5_000);
    const second = await signIn(protocol, application, {
      browser: first.browser,
      changed: { prompt: 'none' },
    });
    const { id_token: newToken } = (await exchange(protocol, application, second)).body;
    const kidOf = (token: unknown) => decodeProtectedHeader(String(token)).kid;
    expect(kidOf(newToken)).not.toBe(kidOf(oldToken));
    const cached = createLocalJWKSet(before);
    for (const token of [oldToken, newToken]) {
      await jwtVerify(String(token), cached, { issuer: protocol.origin, audience: application.clientId });
    }
    const logout = await first.browser.request(`/oauth/logout?${form({ id_token_hint: String(oldToken) })}`);
    expect(logout.status).toBe(200);
  });

  test('is built when the keys changed elsewhere, and only then', async () => {
    const clock = () => protocol.clock.now();
    let { kids } = await loadSigningKeys(protocol.db, { keys: protocol.keys, clock });
    let built = 0;
    const rebuild = async () => {
      built += 1;
      kids = (await loadSigningKeys(protocol.db, { keys: protocol.keys, clock })).kids;
    };
    const log = createLog({ level: 'silent' });
    const look = () =>
      rebuildWhenChanged({
        db: protocol.db,
        keys: protocol.keys,
        clock,
        log,
        kidsInUse: () => kids,
        rebuild,
      });
    await look();
    expect(built).toBe(0);
    await transaction(protocol.db, (tx) => rotateSigningKeys(tx, { keys: protocol.keys, clock }));
    await look();
    await look();
    expect(built).toBe(1);
    protocol.clock.now = () => new Date(Date.now() + DAY);
    await look();
    protocol.clock.now = () => new Date();
    expect(built).toBe(2);
  });

  test('says nothing on the console', async () => {
    const spies = (['log', 'info', 'warn', 'error'] as const).map((method) =>
      jest.spyOn(console, method).mockImplementation(() => undefined),
    );
    const written: string[] = [];
    const stderr = jest
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => written.push(String(text)) > 0);
    await protocol.rebuild();
    const application = await protocol.register();
    const { browser, ...signedIn } = await signIn(protocol, application, {
      changed: { scope: 'openid offline_access' },
    });
    await exchange(protocol, application, signedIn);
    await browser.follow('/oauth/logout');
    await new Browser(protocol).request('/oauth/authorize');
    expect(
      callbackOf(
        await browser.request(
          `/oauth/authorize?${form({ client_id: application.clientId, redirect_uri: application.redirectUris[0] ?? '' })}`,
        ),
      ).error,
    ).toBe('invalid_request');
    for (const spy of spies) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    stderr.mockRestore();
    expect(written).toEqual([]);
  });
});
