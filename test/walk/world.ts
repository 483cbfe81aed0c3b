// The place of all stories: one service (on servers two processes of it that share everything), two applications of
// two companies, a GitHub, and the few tables that every version has.
import { sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Database, openDatabase, rowsOf } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import { createTollgate } from '../../src/tollgate.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { openTestRedis } from '../harness/redis.ts';
import { STORES_VARIABLE } from '../harness/stores.ts';
import { type RegisteredApplication, startTollgate } from '../harness/tollgate.ts';
import type { WalkClock } from './clock.ts';
import { type GitHub, startGitHub } from './github.ts';
import { createWire, type Wire } from './wire.ts';

export type Stores = 'embedded' | 'servers';
export type AppName = 'shop' | 'forum';

export type World = {
  url: string;
  db: Database;
  clock: WalkClock;
  wire: Wire;
  github: GitHub;
  applications: Record<AppName, RegisteredApplication>;
  logLines: string[];
  close(): Promise<void>;
};

/** No story is refused for the crowd that all stories together are; budgets of one address stay what they are. */
const CROWD = '1000000';

export async function openWorld(stores: Stores, clock: WalkClock): Promise<World> {
  process.env[STORES_VARIABLE] = stores;
  const github = await startGitHub();
  const redis = stores === 'servers' ? openTestRedis() : undefined;
  let database: TestDatabase | undefined;
  const port = await freePort();
  const environment = {
    PORT: String(port),
    RATE_LIMIT_FACTOR: CROWD,
    LOG_LEVEL: 'error',
    GITHUB_CLIENT_ID: 'walker',
    GITHUB_CLIENT_SECRET: 'walker-secret',
    GITHUB_URL: github.url,
    GITHUB_API_URL: github.url,
    ...(redis && { REDIS_URL: redis.url }),
  };
  // PostgreSQL keeps the machine's time; the embedded database's moves with everybody's.
  const machine = stores === 'servers' ? clock.machine : undefined;
  const open = async () => {
    database = await openTestDatabase();
    return database;
  };
  const service = await startTollgate(environment, open, machine);
  const second = database?.databaseUrl
    ? await startSecond({ environment, port, databaseUrl: database.databaseUrl, keys: service.keys, clock })
    : undefined;
  const wire = createWire([port, ...(second ? [second.port] : [])]);
  const shop = await service.register({ name: 'Shop' });
  const forum = await service.register({ name: 'Forum' });
  await service.db.update(applications).set({ allowsDevices: true });
  return {
    url: service.url,
    db: service.db,
    clock,
    wire,
    github,
    applications: { shop, forum },
    logLines: service.logLines,
    async close() {
      wire.close();
      await second?.stop();
      await service.stop();
      await redis?.remove();
      await github.stop();
    },
  };
}

type Second = {
  environment: Record<string, string>;
  port: number;
  databaseUrl: string;
  keys: Awaited<ReturnType<typeof startTollgate>>['keys'];
  clock: WalkClock;
};

/** The same address, another process: nothing in memory is shared. */
async function startSecond({ environment, port, databaseUrl, keys, clock }: Second) {
  const own = await freePort();
  const config = readConfig({
    ...environment,
    PORT: String(own),
    DATABASE_URL: databaseUrl,
    BASE_URL: `http://localhost:${port}`,
  });
  const connection = await openDatabase({ databaseUrl });
  const tollgate = await createTollgate({
    config,
    log: createLog({ level: 'error' }),
    clock: Object.assign(() => new Date(Date.now()), { machine: clock.machine }),
    stores: { connection, keys, close: () => connection.close() },
  });
  await tollgate.listen();
  return { port: own, stop: () => tollgate.stop() };
}

export type AccountRow = { id: string; email: string; verified: boolean };
export type Tables = {
  accounts: AccountRow[];
  /** `owner`: the address of its account, undefined when there is no such account. */
  identities: { subject: string; owner: string | undefined }[];
  passkeys: { credentialId: string; owner: string | undefined }[];
};

/** Everything of these people that any version keeps about who may come in. */
export async function readTables(
  db: Database,
  about: { emails: string[]; subjects: string[]; keys: string[] },
) {
  const list = (values: string[]) =>
    sql`array[${sql.join([sql`''`, ...values.map((each) => sql`${each}`)], sql`, `)}]::text[]`;
  const rows = rowsOf(
    await db.execute(sql`
      select 'account' as kind, id as one, email as two, email_verified::text as three from accounts
        where email = any(${list(about.emails)})
      union all select 'identity', subject, (select email from accounts a where a.id = account_id), ''
        from social_identities where subject = any(${list(about.subjects)})
      union all select 'passkey', credential_id, (select email from accounts a where a.id = account_id), ''
        from passkeys where credential_id = any(${list(about.keys)})`),
  );
  const tables: Tables = { accounts: [], identities: [], passkeys: [] };
  for (const row of rows) {
    const one = String(row.one);
    const owner = row.two === null ? undefined : String(row.two);
    if (row.kind === 'account')
      tables.accounts.push({ id: one, email: owner ?? '', verified: row.three === 'true' });
    else if (row.kind === 'identity') tables.identities.push({ subject: one, owner });
    else tables.passkeys.push({ credentialId: one, owner });
  }
  return tables;
}

export type Mail = { id: string; to: string; subject: string; text: string };

/** Newest last. */
export async function readMails(db: Database, to: string[]): Promise<Mail[]> {
  const recipients = sql`array[${sql.join(
    to.map((each) => sql`${each}`),
    sql`, `,
  )}]::text[]`;
  const rows = rowsOf(
    await db.execute(
      sql`select id, recipient, subject, text from development_inbox where recipient = any(${recipients}) order by sent_at, id`,
    ),
  );
  return rows.map((row) => ({
    id: String(row.id),
    to: String(row.recipient),
    subject: String(row.subject),
    text: String(row.text),
  }));
}
