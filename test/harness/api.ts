// The customer-data API alone, over real HTTP and a database of its own, for the tests that need thousands of
// rows and requests rather than a whole sign-in; test/harness/tollgate.ts starts everything.
import { Writable } from 'node:stream';
import Koa from 'koa';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { proofs } from '../../drizzle/schema/proofs.ts';
import { transfers } from '../../drizzle/schema/transfers.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { createApi } from '../../src/api/routes.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { createApplication } from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Database } from '../../src/database/connection.ts';
import { lookUpsOf, readsOf } from '../../src/database/connection.ts';
import { createReadingLanes } from '../../src/database/reading-lanes.ts';
import { writeErrors } from '../../src/http/error-answer.ts';
import { pinHost } from '../../src/http/pinned-host.ts';
import { createRateLimiter } from '../../src/http/rate-limit.ts';
import { logRequests } from '../../src/http/request-log.ts';
import { securityHeaders } from '../../src/http/security-headers.ts';
import { readingLimits } from '../../src/limits/reads.ts';
import { createLog } from '../../src/log.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { listen } from '../../src/service/server.ts';
import { openTestDatabase, type TestDatabase } from './database.ts';

export const START = new Date('2026-11-21T10:00:00.000Z');

export type Company = { workspaceId: string; applicationId: string; key: string; keyId: string };
export type TestApi = Awaited<ReturnType<typeof startApi>>;

type TestApiOptions = { rateLimitFactor?: number; database?: TestDatabase; apiBaseUrl?: string };

export async function startApi(options: TestApiOptions = {}) {
  const database = options.database ?? (await openTestDatabase());
  const { db } = database.connection;
  const config = readConfig({ API_BASE_URL: options.apiBaseUrl });
  const clock = { now: START };
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: 'debug', destination });
  const rateLimiter = createRateLimiter({ factor: options.rateLimitFactor ?? 1000 });
  const keys = createKeys(randomSecret());
  const app = new Koa();
  // Broken connections, which a test makes on purpose.
  app.on('error', (error) => log.debug({ err: error }, 'connection failed'));
  app.use(logRequests(log));
  app.use(pinHost(config));
  app.use(securityHeaders(config));
  app.use(writeErrors({ log, page: refusePage }));
  app.use(
    createApi({
      config,
      db,
      lookUps: lookUpsOf(database.connection),
      lanes: createReadingLanes(readsOf(database.connection), readingLimits),
      keys,
      rateLimiter,
      clock: () => clock.now,
      log,
      health: { isShuttingDown: () => false },
    }),
  );
  const server = await listen(app.callback(), { host: '127.0.0.1', port: 0 });
  const origin = `http://127.0.0.1:${server.port}`;
  return {
    origin,
    port: server.port,
    url: `${origin}/v1`,
    db,
    database,
    connection: database.connection,
    clock,
    logLines,
    /** Ends this service and leaves the database to others. */
    close: () => server.close(),
    async stop() {
      await server.close();
      await database.remove();
    },
  };
}

/** A workspace with one application and a key that may read it. */
export async function addCompany(db: Database, name: string): Promise<Company> {
  const prices = { currency: 'EUR', registrationPrice: 50_000n, signInPrice: 20_000n };
  const workspace = await createWorkspace(db, { name, ...prices, now: START });
  const applicationId = await addApplication(db, workspace.id);
  const { id, key } = await createApiKey(db, {
    workspaceId: workspace.id,
    name: 'Backend',
    scopes: ['identity:read'],
    now: START,
  });
  return { workspaceId: workspace.id, applicationId, key, keyId: id };
}

export async function addApplication(db: Database, workspaceId: string): Promise<string> {
  const { application } = await createApplication(db, {
    workspaceId,
    name: 'Shop',
    clientType: 'confidential',
    redirectUris: ['https://shop.example/callback'],
    now: START,
  });
  return application.id;
}

/** Rows as a sign-in leaves them: one account, one customer, one charge and one event for each number. */
export async function addRows(
  db: Database,
  applicationId: string,
  numbers: number[],
  at = sameMillisecondPairs,
) {
  const rows = numbers.map((number) => ({
    number,
    time: at(number),
    tag: `${applicationId.slice(-12)}_${number}`,
  }));
  const emailOf = (number: number) => `person.${number}.${applicationId.slice(-12)}@example.com`;
  await db.insert(proofs).values(
    rows.map(({ number, time, tag }) => ({
      id: `pro_${tag}`,
      interactionHash: 'nowhere',
      browserHash: 'nowhere',
      purpose: 'import' as const,
      method: 'import' as const,
      accountId: `acc_${tag}`,
      isNewAccount: false,
      generation: 1,
      mailbox: emailOf(number),
      isMailboxVerified: true,
      provenAt: time,
    })),
  );
  await db.insert(accounts).values(
    rows.map(({ number, time, tag }) => ({
      id: `acc_${tag}`,
      email: emailOf(number),
      emailVerified: true,
      mailboxProofId: `pro_${tag}`,
      name: number % 3 === 0 ? null : `Person ${number}`,
      locale: 'en',
      createdAt: time,
      updatedAt: time,
    })),
  );
  await db.insert(customers).values(
    rows.map(({ time, tag }) => ({
      applicationId,
      accountId: `acc_${tag}`,
      sub: `sub_${tag}`,
      registeredAt: time,
      lastSignInAt: time,
      signInCount: 1,
    })),
  );
  await db.insert(transfers).values(
    rows.map(({ time, tag }) => ({
      id: `trf_${tag}`,
      applicationId,
      code: 'charge' as const,
      debitAccount: `application:${applicationId}`,
      creditAccount: `usage:${applicationId}`,
      amount: 20_000n,
      currency: 'EUR',
      reference: `charge:${tag}`,
      createdAt: time,
    })),
  );
  await db.insert(usageEvents).values(
    rows.map(({ number, time, tag }) => ({
      id: `evt_${tag}`,
      applicationId,
      sub: `sub_${tag}`,
      kind: number % 2 === 0 ? ('registration' as const) : ('sign_in' as const),
      amount: 20_000n,
      currency: 'EUR',
      transferId: `trf_${tag}`,
      codeHash: `code_${tag}`,
      occurredAt: time,
    })),
  );
}

/** Two rows share each moment, so that the second sort key has to decide. */
function sameMillisecondPairs(number: number): Date {
  return new Date(START.getTime() + Math.floor(number / 2) * 1000);
}

/** The API answers in JSON whatever the caller accepts. */
function refusePage(): never {
  throw new Error('the customer-data API has no error pages');
}
