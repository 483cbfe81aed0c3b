// The whole service for a test: real HTTP on loopback, a database of its own, a workspace with applications of
// both kinds, captured logs and a clock that the test may move.
import { Writable } from 'node:stream';
import { proofImports } from '../../drizzle/schema/proofs.ts';
import { IDENTITY_IMPORT } from '../../src/accounts/import-proofs.ts';
import {
  type Application,
  createApplication,
  type NewApplication,
} from '../../src/applications/application.ts';
import { createWorkspace, type Workspace } from '../../src/applications/workspace.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { createLog } from '../../src/log.ts';
import { createKeys, type Keys, randomSecret } from '../../src/secrets.ts';
import { createTollgate, type Tollgate } from '../../src/tollgate.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';
import { freePort } from './free-port.ts';
import { requireProvenAccounts } from './invariants.ts';
import { connectTestRedis } from './redis.ts';

export type RegisteredApplication = Application & { clientSecret: string | undefined };

export type TestTollgate = {
  /** {base_url} */
  url: string;
  tollgate: Tollgate;
  db: Database;
  keys: Keys;
  workspace: Workspace;
  /** Milliseconds that the service's clock runs ahead of the real one; the engine keeps its own time. */
  clock: { aheadMilliseconds: number };
  /** Every line that the service logged. */
  logLines: string[];
  /** Registers an application in the workspace and gives it a balance (100.00 unless told otherwise). */
  register(input?: Partial<NewApplication> & { balance?: bigint }): Promise<RegisteredApplication>;
  /** Proves the accounts when everything is over. */
  stop(): Promise<void>;
};

export const CALLBACK = 'https://app.example.test/callback';

/** Variables of src/config/config.ts; rate limits are 1,000 times the usual ones unless the test sets its own factor. */
export async function startTollgate(
  environment: Record<string, string> = {},
  openDatabase: () => Promise<TestDatabase> = openTestDatabase,
  machine: () => number = () => Date.now(),
): Promise<TestTollgate> {
  const database = await openDatabase();
  const redis = 'REDIS_URL' in environment ? undefined : connectTestRedis();
  const port = await freePort();
  const config = readConfig({
    PORT: String(port),
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'debug',
    // Tests ask for the proofs themselves (oracles.ts), and the schedule has tests of its own.
    LEDGER_VERIFY_MINUTES: '0',
    ACCOUNTS_VERIFY_MINUTES: '0',
    ...(database.databaseUrl && { DATABASE_URL: database.databaseUrl }),
    ...(redis && { REDIS_URL: redis.url }),
    ...environment,
  });
  const clock = { aheadMilliseconds: 0 };
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const keys = createKeys(randomSecret());
  const { connection } = database;
  // No earlier release has been at work in it.
  await connection.db
    .insert(proofImports)
    .values({ name: IDENTITY_IMPORT, until: new Date(0) })
    .onConflictDoNothing();
  const tollgate = await createTollgate({
    config,
    log: createLog({ level: config.logLevel, destination }),
    clock: Object.assign(() => new Date(Date.now() + clock.aheadMilliseconds), { machine }),
    stores: { connection, keys, close: database.remove },
  });
  await tollgate.listen();
  const { db } = connection;
  const workspace = await transaction(db, (tx) =>
    createWorkspace(tx, { name: 'Acme', ...config, now: new Date() }),
  );
  return {
    url: config.baseUrl,
    tollgate,
    db,
    keys,
    workspace,
    clock,
    logLines,
    register: (input = {}) => registerApplication(db, workspace.id, input),
    async stop() {
      await tollgate.stop();
      await redis?.remove();
      try {
        await requireProvenAccounts(db);
      } finally {
        await database.remove();
      }
    },
  };
}

async function registerApplication(
  db: Database,
  workspaceId: string,
  input: Partial<NewApplication> & { balance?: bigint },
): Promise<RegisteredApplication> {
  const { balance = 100_000_000n, ...rest } = input;
  const now = new Date();
  return transaction(db, async (tx) => {
    const { application, clientSecret } = await createApplication(tx, {
      workspaceId,
      name: 'Example shop',
      clientType: 'confidential',
      redirectUris: [CALLBACK],
      postLogoutRedirectUris: ['https://app.example.test/'],
      now,
      ...rest,
    });
    if (balance > 0n) {
      await topUp(tx, { applicationId: application.id, amount: balance, reference: application.id, now });
    }
    return { ...application, clientSecret };
  });
}
