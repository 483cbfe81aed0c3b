// Processes of the service and of the bare engine, started for the bench.
import { findAccounts } from '../src/accounts/account.ts';
import { freePort } from '../test/harness/free-port.ts';
import { signInBrowser } from '../test/harness/identity.ts';
import { type BenchDatabase, type Company, REDIS_URL, SECRET } from './company.ts';
import { type Child, startChild } from './processes.ts';
import type { Application, Target } from './sign-in.ts';
import type { EngineSession } from './tollgate-process.ts';

export type Server = { child: Child; target: Target };

export async function startBareEngine(people: number): Promise<Server> {
  const child = startChild('bare-engine.ts', { environment: { REDIS_URL } });
  const { port, applications } = await child.call<{ port: number; applications: Application[] }>('start');
  return { child, target: { port, applications, people: await child.call('people', people) } };
}

/** Counts every request against its limits as production does; the limits are out of reach. */
export async function startTollgate(
  database: BenchDatabase,
  company: Company,
  environment: Record<string, string> = {},
): Promise<Server> {
  const port = await freePort();
  const child = startChild('tollgate-process.ts', {
    // It runs the compiled service, and its own file has nothing but types to strip.
    withoutTsx: true,
    nodeOptions: ['--expose-gc'],
    environment: {
      DATABASE_URL: database.url,
      REDIS_URL: `${REDIS_URL}?prefix=bench-${process.pid}:`,
      TOLLGATE_SECRET: SECRET,
      RATE_LIMIT_FACTOR: '1000000',
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ...environment,
    },
  });
  await child.call('start');
  const sessions = await child.call<EngineSession[]>('sessions', company.accountIds);
  await recordSessions(database, sessions);
  return { child, target: { port, applications: company.applications, people: sessions } };
}

/** Each with the proof that it stands on, as a sign-in on the pages leaves it. */
async function recordSessions(
  { connection: { db } }: BenchDatabase,
  sessions: EngineSession[],
): Promise<void> {
  const accounts = await findAccounts(
    db,
    sessions.map(({ accountId }) => accountId),
  );
  for (const { accountId, uid } of sessions) {
    const account = accounts.get(accountId);
    if (!account) throw new Error('nobody to sign in');
    await signInBrowser(db, { account, uid });
  }
}
