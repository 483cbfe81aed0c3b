// Keys that change while the service runs (threat 100): signing keys on schedule and in an
// emergency, and TOLLGATE_SECRET replaced without a lost session, code, webhook secret or `sub`.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { keptKeys, signingKeys } from '../../drizzle/schema/engine.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { knownDevices, rememberDevice } from '../../src/accounts/known-device.ts';
import { readCursor, writeCursor } from '../../src/api/cursor.ts';
import { type Application, createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { readConfig } from '../../src/config/config.ts';
import { transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { createLog } from '../../src/log.ts';
import { rebuildWhenChanged } from '../../src/oidc/signing-keys/signing-key-watch.ts';
import { loadSigningKeys, replaceSigningKeys } from '../../src/oidc/signing-keys/signing-keys.ts';
import { createKeys, randomSecret, seal, unseal } from '../../src/secrets.ts';
import { loadKeys } from '../../src/service/pairwise-key.ts';
import { createTollgate, type Tollgate } from '../../src/tollgate.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { inboxReader, signInAs } from '../harness/browserless-person.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('signing keys on schedule', () => {
  let database: TestDatabase;
  const keys = createKeys(randomSecret());
  const log = createLog({ level: 'silent' });
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.remove());

  /** A process that looks once a minute, at a second of its own, and serves what it saw last. */
  async function startProcess(clock: () => Date) {
    const { db } = database.connection;
    let engine = await loadSigningKeys(db, { keys, clock });
    return {
      engine: () => engine,
      look: () =>
        rebuildWhenChanged({
          db,
          keys,
          clock,
          log,
          kidsInUse: () => engine.kids,
          rebuild: async () => {
            engine = await loadSigningKeys(db, { keys, clock });
          },
        }),
    };
  }

  test('promise 17 and threat 100: an ID Token issued at any moment verifies with the key set cached an hour before, over 200 days and two processes', async () => {
    const start = Date.parse('2026-01-01T00:00:00Z');
    let now = start;
    const clock = () => new Date(now);
    const processes = [await startProcess(clock), await startProcess(clock)];
    const published: { at: number; keys: readonly JWK[] }[] = [];
    const signers = new Set<string>();
    const verifyAll = async () => {
      const cached = published.findLast(({ at }) => at <= now - HOUR);
      if (!cached) return;
      for (const { engine } of processes) {
        for (const alg of ['RS256', 'ES256', 'EdDSA']) {
          const signer = engine().jwks.keys.find((key) => key.alg === alg);
          signers.add(String(signer?.kid));
          const token = await new SignJWT({ sub: 'someone' })
            .setProtectedHeader({ alg, kid: String(signer?.kid) })
            .sign(await importJWK({ ...signer }, alg));
          await jwtVerify(token, createLocalJWKSet({ keys: cached.keys.map(publicPart) }));
        }
      }
    };
    // Every seven hours; every minute around the announcements and the changes, where one process is a minute behind.
    for (let step = 0; now < start + 200 * DAY; step += 1) {
      const age = (now - start) % (90 * DAY);
      const isNear = [0, 89 * DAY].some((moment) => Math.abs(age - moment) <= 5 * MINUTE);
      now += isNear || (7 * HOUR + age) % (90 * DAY) < 5 * MINUTE ? MINUTE : nextStep(age);
      await processes[step % 2]?.look();
      if (!isNear) await processes[(step + 1) % 2]?.look();
      await verifyAll();
      for (const { engine } of processes) published.push({ at: now, keys: engine().jwks.keys });
    }
    expect(signers.size).toBe(9);
    const rows = await database.connection.db.select().from(signingKeys);
    const announced = rows.map((row) => row.activatedAt.getTime() - row.createdAt.getTime());
    expect(announced.sort((a, b) => a - b)).toEqual([0, DAY, DAY].flatMap((each) => [each, each, each]));
    const rotated = rows.map((row) => Math.round((row.activatedAt.getTime() - start) / DAY));
    expect(rotated.sort((a, b) => a - b)).toEqual([0, 90, 180].flatMap((each) => [each, each, each]));
  });

  /** Up to the minute before the next interesting moment. */
  function nextStep(age: number): number {
    const next = [89 * DAY - 5 * MINUTE, 90 * DAY - 5 * MINUTE].find((moment) => moment > age);
    return Math.min(7 * HOUR, Math.max(MINUTE, (next ?? 0) - age));
  }

  test('the key of a rotated one leaves the set when the last token it signed is of no use', async () => {
    const { db } = database.connection;
    const later = () => new Date(Date.parse('2026-01-01T00:00:00Z') + 220 * DAY);
    const { kids } = await loadSigningKeys(db, { keys, clock: later });
    expect(kids).toHaveLength(3);
  });

  test('keys rotate --now: a new key signs at once, the leaked one leaves the key set when every process knows, an announced one never signs', async () => {
    const { db } = database.connection;
    let now = Date.parse('2026-09-20T00:00:00Z');
    const clock = () => new Date(now);
    const before = await loadSigningKeys(db, { keys, clock });
    const made = (await transaction(db, (tx) => replaceSigningKeys(tx, { keys, clock }))).map(
      ({ kid }) => kid,
    );
    const at = async () => (await loadSigningKeys(db, { keys, clock })).kids;
    const leaked = ['RS256', 'ES256', 'EdDSA'].map(
      (alg) => before.jwks.keys.find((key) => key.alg === alg)?.kid,
    );
    expect(await at()).toEqual(made.flatMap((kid, index) => [kid, leaked[index]]));
    now += 3 * MINUTE;
    expect(await at()).toEqual(made);
  });
});

function publicPart({ kty, n, e, crv, x, y, kid, alg }: JWK): JWK {
  return JSON.parse(JSON.stringify({ kty, n, e, crv, x, y, kid, alg }));
}

describe('TOLLGATE_SECRET replaced', () => {
  const [oldest, newest] = [randomSecret(), randomSecret()];

  test('whatever one secret made is understood while it stands in the list, and the first one writes', () => {
    const before = createKeys(oldest);
    const during = createKeys(`${newest},${oldest}`);
    const after = createKeys(newest);
    const sealed = seal(before, 'value', 'place');
    expect(unseal(during, sealed, 'place')).toBe('value');
    expect(() => unseal(after, sealed, 'place')).toThrow();
    expect(unseal(after, seal(during, 'value', 'place'), 'place')).toBe('value');
    const owner = { id: 'acc_1', generation: 1 };
    const device = rememberDevice(before.device, undefined, owner);
    expect(knownDevices(during.device, device)(owner)).toMatch(/^[\w-]{16}$/);
    expect(knownDevices(after.device, device)(owner)).toBeUndefined();
    const list = { name: 'customers', applicationId: 'app_1', filters: {} };
    const cursor = writeCursor(before, list, { time: new Date(0), id: 'x' });
    expect(readCursor(during, list, cursor).id).toBe('x');
    expect(() => readCursor(after, list, cursor)).toThrow();
  });

  test('promise 11: `sub` stays the same through every replacement, the first secret gone', async () => {
    const database = await openTestDatabase();
    const { db } = database.connection;
    const now = new Date();
    const first = await loadKeys(db, oldest, now);
    expect(first.pairwise).toEqual(createKeys(oldest).pairwise);
    const both = await loadKeys(db, `${newest},${oldest}`, now);
    expect(both.pairwise).toEqual(first.pairwise);
    await expect(loadKeys(db, newest, now)).rejects.toMatchObject({
      description: expect.stringContaining('TOLLGATE_SECRET'),
    });
    const tollgate = await createTollgate({
      config: readConfig({
        PORT: String(await freePort()),
        ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
      }),
      log: createLog({ level: 'silent' }),
      stores: { connection: database.connection, keys: both, close: async () => undefined },
    });
    expect(await tollgate.operator('keys reseal', {})).toMatchObject({ keptKeys: 1, webhookSecrets: 0 });
    expect(await tollgate.operator('keys reseal', {})).toEqual({
      keptKeys: 0,
      signingKeys: 0,
      webhookSecrets: 0,
    });
    await tollgate.stop();
    const alone = await loadKeys(db, newest, now);
    expect(alone.pairwise).toEqual(first.pairwise);
    expect(await db.select().from(keptKeys)).toHaveLength(1);
    await database.remove();
  });
});

describe('a service restarted with another secret', () => {
  const [oldest, newest] = [randomSecret(), randomSecret()];
  let database: TestDatabase;
  let running: Tollgate;
  let application: Application & { clientSecret: string | undefined };
  let workspaceId: string;
  let port: number;
  beforeAll(async () => {
    database = await openTestDatabase();
    port = await freePort();
    running = await serve(oldest);
    const { db } = database.connection;
    application = await transaction(db, async (tx) => {
      const now = new Date();
      const workspace = await createWorkspace(tx, { name: 'Acme', ...running.config, now });
      workspaceId = workspace.id;
      const made = await createApplication(tx, {
        workspaceId,
        name: 'Shop',
        clientType: 'confidential',
        redirectUris: ['https://app.example.test/callback'],
        now,
      });
      await topUp(tx, { applicationId: made.application.id, amount: 1_000_000n, reference: 'first', now });
      return { ...made.application, clientSecret: made.clientSecret };
    });
  });
  afterAll(async () => {
    await running.stop();
    await database.remove();
  });

  async function serve(secret: string): Promise<Tollgate> {
    const { connection, databaseUrl } = database;
    const tollgate = await createTollgate({
      config: readConfig({ PORT: String(port), ...(databaseUrl && { DATABASE_URL: databaseUrl }) }),
      log: createLog({ level: 'silent' }),
      stores: {
        connection,
        keys: await loadKeys(connection.db, secret, new Date()),
        close: async () => undefined,
      },
    });
    await tollgate.listen();
    return tollgate;
  }

  async function restart(secret: string): Promise<void> {
    await running.stop();
    running = await serve(secret);
  }

  /** The `sub` of the sign-in and whether a code was asked for. */
  async function signIn(browser: Browser): Promise<{ sub: string; pages: number }> {
    const service = { url: running.config.baseUrl };
    const attempt = startAttempt(service, application);
    let pages = 0;
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      email: 'ada@example.test',
      browser,
      onPage: () => {
        pages += 1;
      },
    });
    const { code = '' } = readCallback(callback);
    const { status, body } = await exchange(service, application, { code, verifier: attempt.verifier });
    expect(status).toBe(200);
    const [, payload = ''] = String(body.id_token).split('.');
    return { sub: JSON.parse(Buffer.from(payload, 'base64url').toString()).sub, pages };
  }

  test('threat 100 and promise 11: sessions, codes in the mail, webhook secrets and `sub` survive a replaced secret and the end of the old one', async () => {
    const browser = createBrowser();
    const first = await signIn(browser);
    expect(first.pages).toBeGreaterThan(1);
    const keys = await loadKeys(database.connection.db, oldest, new Date());
    await transaction(database.connection.db, (tx) =>
      createSubscription(tx, {
        keys,
        workspaceId,
        url: 'https://hooks.example.test/',
        allowLoopback: false,
        now: new Date(),
      }),
    );
    // Restarted in the middle of a sign-in: when the code is asked for, it was mailed under the old secret.
    const attempt = startAttempt({ url: running.config.baseUrl }, application);
    const inbox = await inboxReader(`${running.config.baseUrl}/dev/inbox.json`, 'grace@example.test');
    const callback = await signInAs({
      authorizationUrl: attempt.url,
      email: 'grace@example.test',
      inbox: async (address) => {
        const code = await inbox(address);
        await restart(`${newest},${oldest}`);
        return code;
      },
    });
    expect(readCallback(callback).code).toBeDefined();
    expect(await signIn(browser)).toEqual({ sub: first.sub, pages: 0 });
    expect(await running.operator('keys reseal', {})).toEqual({
      keptKeys: 1,
      signingKeys: 3,
      webhookSecrets: 1,
    });
    await restart(newest);
    expect(await signIn(browser)).toEqual({ sub: first.sub, pages: 0 });
    const [subscription] = await database.connection.db.select().from(webhookSubscriptions);
    const secret = unseal(
      createKeys(newest),
      subscription?.sealedSecret ?? '',
      `webhook secret of ${subscription?.id}`,
    );
    expect(secret).toMatch(/^whsec_/);
  });
});
