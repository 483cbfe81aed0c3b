// What outlives the service: its database, the companies' endpoint, the mail server, people with their browsers, and
// the time. Each life of the service is an instance that `restart` starts in here.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { fromPglite, PgBoss } from 'pg-boss';
import { applications } from '../../drizzle/schema/applications.ts';
import { createApplication } from '../../src/applications/application.ts';
import { recordConsent } from '../../src/applications/consent.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { inBites } from '../../src/database/bites.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { releaseForgotten } from '../../src/webhooks/release.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { type Browser, createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Client, startAttempt } from '../harness/client.ts';
import { openTestPglite, openTestPostgres, type TestDatabase } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { addAccount } from '../harness/identity.ts';
import { startSmtp } from '../harness/smtp.ts';
import { answerOk, createAuthority, issueCertificate, startSink } from '../webhooks/sink.ts';
import { createFuse, type Fuse } from './fuse.ts';
import { type Instance, startInstance } from './instance.ts';

export type DatabaseKind = 'pglite' | 'postgres';
export type Person = { email: string; browser: Browser; accountId: string };
export type RegisteredClient = Client & { applicationId: string };
export type World = Awaited<ReturnType<typeof createWorld>>;

const CALLBACK = 'https://shop.example.test/callback';
/** Attempts to sign in before a series begins. */
const PATIENCE = 5;
const PEOPLE = 4;
/** Longer than a webhook's lease, and than the queue leaves a job to a process that is silent. */
const BETWEEN_LIVES_MILLISECONDS = 61_000;

export async function createWorld(kind: DatabaseKind, options: { redisUrl?: string | undefined } = {}) {
  const database = await (kind === 'pglite' ? openTestPglite() : openTestPostgres());
  const { db } = database.connection;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-crash-'));
  const authority = await createAuthority();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, authority.cert);
  const sink = await startSink({ certificate: await issueCertificate({ authority }) });
  const smtp = await startSmtp();
  const smtpPort = Number(new URL(smtp.url).port);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const keys = createKeys(randomSecret());
  const time = { aheadMilliseconds: 0 };
  const clock = () => new Date(Date.now() + time.aheadMilliseconds);
  const surroundings = { database, keys, port, smtpPort, caFile, clock, redisUrl: options.redisUrl };
  let since = clock();
  let ageing: Awaited<ReturnType<typeof startAgeing>> | undefined;
  let life: { fuse: Fuse; instance: Instance } | undefined;

  /** The next life; the one before is over, and some time has passed. */
  async function restart(): Promise<Fuse> {
    await life?.instance.bury();
    if (life) await letTimePass();
    const fuse = createFuse();
    life = { fuse, instance: await startInstance(surroundings, fuse) };
    // The endpoint belongs to the outside: it has the webhook even if the service dies before the answer.
    sink.respond = (socket, received) => {
      if (fuse.pass('endpoint ← webhook')) answerOk(socket, received);
      else socket.destroy();
    };
    return fuse;
  }

  async function letTimePass(): Promise<void> {
    time.aheadMilliseconds += BETWEEN_LIVES_MILLISECONDS;
    await ageing?.age();
  }

  await restart();
  ageing = await startAgeing(database, clock);
  const now = new Date();
  const workspace = await transaction(db, (tx) =>
    createWorkspace(tx, {
      name: 'Acme',
      currency: 'EUR',
      registrationPrice: 50_000n,
      signInPrice: 20_000n,
      now,
    }),
  );
  const workspaceId = workspace.id;
  await transaction(db, (tx) =>
    createSubscription(tx, { keys, workspaceId, url: sink.url, allowLoopback: true, now }),
  );
  const people: Person[] = [];

  /** An application that every person has agreed to, so that a session makes codes without a page. */
  async function register(balance = 1_000_000_000n): Promise<RegisteredClient> {
    return transaction(db, async (tx) => {
      const { application, clientSecret } = await createApplication(tx, {
        workspaceId,
        name: 'Shop',
        clientType: 'confidential',
        redirectUris: [CALLBACK],
        now,
      });
      const applicationId = application.id;
      if (balance > 0n) await topUp(tx, { applicationId, amount: balance, reference: applicationId, now });
      const scopes = ['openid', 'email', 'profile', 'offline_access'];
      await tx.update(applications).set({ allowsDevices: true }).where(eq(applications.id, applicationId));
      for (const { accountId } of people) await recordConsent(tx, { applicationId, accountId, scopes, now });
      return { applicationId, clientId: application.clientId, clientSecret, redirectUris: [CALLBACK] };
    });
  }

  async function readCode(email: string): Promise<string> {
    for (let waited = 0; waited < 15_000; waited += 50) {
      const mail = smtp.accepted.find(({ to }) => to.includes(email));
      const code =
        mail && /\b(\d{3})(?: |=C2=A0|\u00a0)?(\d{3})\b/.exec(mail.message.split('\n\n').slice(1).join('\n'));
      if (code) return `${code[1]}${code[2]}`;
      await sleep(50);
    }
    throw new Error(`no code was mailed to ${email}`);
  }

  const first = await register();
  for (let number = 0; number < PEOPLE; number += 1) {
    const email = `person-${number}@example.test`;
    const browser = createBrowser();
    const account = await addAccount(db, { email, name: 'Ada', now });
    await onceItAnswers(() => {
      const { url: authorizationUrl } = startAttempt({ url }, first);
      return signInAs({ authorizationUrl, email, browser, name: 'Ada', inbox: readCode });
    });
    people.push({ email, browser, accountId: account.id });
  }

  return {
    kind,
    url,
    db,
    people,
    sink,
    smtp,
    register,
    restart,
    letTimePass,
    /** Of the present life. */
    fuse() {
      if (!life) throw new Error('the service was never started');
      return life.fuse;
    },
    /** The same. */
    operator() {
      if (!life) throw new Error('the service was never started');
      return life.instance.operator;
    },
    /** Start of the present series; what the endpoint and the mail server got before it is forgotten. */
    since: () => since,
    forget() {
      since = clock();
      sink.received.length = 0;
      smtp.accepted.length = 0;
      smtp.lines.length = 0;
    },
    logLines: () => life?.instance.logLines ?? [],
    async remove() {
      await life?.instance.bury();
      await ageing?.stop();
      await Promise.all([sink.close(), smtp.stop()]);
      await database.remove();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * The queue's own clock, moved: jobs that a dead process held run out, and waiting ones become due. One queue of the
 * world's own does it for every life; to start one each time would cost as much as the crash.
 */
async function startAgeing({ connection, databaseUrl }: TestDatabase, clock: () => Date) {
  const { db } = connection;
  const common = { schema: 'jobs', supervise: false, schedule: false, migrate: false };
  const boss =
    connection.kind === 'pglite'
      ? new PgBoss({ ...common, db: fromPglite(connection.pglite), backend: 'pglite' })
      : new PgBoss({ ...common, connectionString: databaseUrl ?? '', max: 1 });
  boss.on('error', () => undefined);
  await boss.start();
  /** What a process held that died before its tokens left (src/webhooks/release.ts). */
  async function releaseHeld(): Promise<void> {
    const before = new Date(clock().getTime() + 1_000);
    await inBites(db, { bite: (tx, rows) => releaseForgotten(tx, { before, rows }) });
  }
  return {
    async age(): Promise<void> {
      await db.execute(
        sql`update jobs.job set started_on = started_on - interval '10 minutes' where state = 'active'`,
      );
      await db.execute(sql`update jobs.queue set monitor_on = null, monitor_claim_on = null`);
      await boss.supervise();
      await releaseHeld();
      await db.execute(sql`update jobs.job set start_after = now() where state in ('created', 'retry')`);
    },
    stop: () => boss.stop({ graceful: false, close: true }),
  };
}

export async function countRows(world: Pick<World, 'db'>, query: ReturnType<typeof sql>): Promise<number> {
  const [row] = rowsOf(await world.db.execute(query));
  return Number(row?.count ?? 0);
}

/** What comes before the crashes is not under test: a busy machine's 503 there must not end a run of an hour. */
async function onceItAnswers(signIn: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await signIn();
      return;
    } catch (error) {
      const isBusy = error instanceof Error && error.message.startsWith('503');
      if (!isBusy || attempt === PATIENCE) throw error;
    }
  }
}
