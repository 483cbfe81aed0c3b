// `npm run chaos`: two processes of the compiled service on one PostgreSQL (and one Redis, with --redis), sign-ins at a
// steady rate, and one process killed with -9 again and again (threat 94). What was acknowledged must all be there
// afterwards. `--minutes` (10), `--rate` (100 a second), `--kill-seconds` (1), `--redis redis://…`, `--people`.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { sql } from 'drizzle-orm';
import { createApplication } from '../../src/applications/application.ts';
import { recordConsent } from '../../src/applications/consent.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { randomSecret } from '../../src/secrets.ts';
import { loadKeys } from '../../src/service/pairwise-key.ts';
import { createSubscription } from '../../src/webhooks/subscription.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { type Client, startAttempt } from '../harness/client.ts';
import { openTestPostgres } from '../harness/database.ts';
import { freePort } from '../harness/free-port.ts';
import { addAccount } from '../harness/identity.ts';
import { findViolations } from '../harness/invariants.ts';
import { createAuthority, issueCertificate } from '../webhooks/sink.ts';
import { startBalancer } from './balancer.ts';
import { createProcess, type ServiceProcess } from './process.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { cookieHeader, drive, type Traffic } from './traffic.ts';

const CALLBACK = 'https://shop.example.test/callback';
const APPLICATIONS = 5;
/** More sign-ins at once only wait for each other. */
const LANES = 32;
/** The queue gives up a dead process's jobs after a minute, and looks once a minute. */
const DELIVERY_PATIENCE_MILLISECONDS = 300_000;

const print = (line: string) => void process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    rate: { type: 'string', default: '100' },
    'kill-seconds': { type: 'string', default: '1' },
    people: { type: 'string', default: '20' },
    redis: { type: 'string' },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'tollgate-chaos-'));
const database = await openTestPostgres();
const { db } = database.connection;
const authority = await createAuthority();
const caFile = join(folder, 'ca.pem');
await writeFile(caFile, authority.cert);
const receiver = await startReceiver(await issueCertificate({ authority }));
const [port, ...ports] = [await freePort(), await freePort(), await freePort()];
const url = `http://127.0.0.1:${port}`;
const secret = randomSecret();
const environment = {
  DATABASE_URL: database.databaseUrl ?? '',
  TOLLGATE_SECRET: secret,
  RATE_LIMIT_FACTOR: '100000',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW_LOOPBACK: 'on',
  WEBHOOK_CA_FILE: caFile,
  // A start is mostly the compilation of its modules; the next one finds what the last one compiled.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  ...(values.redis && { REDIS_URL: values.redis }),
};
const processes: ServiceProcess[] = [];
for (const processPort of ports) {
  const directory = join(folder, String(processPort));
  await mkdir(directory);
  processes.push(createProcess({ port: processPort, directory, baseUrl: url, environment, print }));
}
const balancer = await startBalancer(port, ports);
await Promise.all(processes.map((each) => each.start()));
const { clients, cookies } = await assemble(db, Number(values.people));
print(`two processes, ${cookies.length} people, ${clients.length} applications; killing begins`);

let isOver = false;
const seconds = Number(values.minutes) * 60;
const driving = drive({ port, rate: Number(values.rate), lanes: LANES, clients, cookies }, () => isOver);
const kills = await killAgainAndAgain(seconds);
isOver = true;
const traffic = await driving;
await untilBothAreReady();
const isSound = await check(traffic, receiver, kills);
for (const each of processes) await each.stop();
await balancer.close();
await receiver.close();
await database.remove();
await rm(folder, { recursive: true });
process.exit(isSound ? 0 : 1);

async function assemble(target: Database, people: number): Promise<{ clients: Client[]; cookies: string[] }> {
  const now = new Date();
  const keys = await loadKeys(target, secret, now);
  const made: (Client & { applicationId: string })[] = [];
  await transaction(target, async (tx) => {
    const prices = { currency: 'EUR', registrationPrice: 50_000n, signInPrice: 20_000n };
    const { id: workspaceId } = await createWorkspace(tx, { name: 'Acme', ...prices, now });
    await createSubscription(tx, { keys, workspaceId, url: receiver.url, allowLoopback: true, now });
    for (let count = 0; count < APPLICATIONS; count += 1) {
      const { application, clientSecret } = await createApplication(tx, {
        workspaceId,
        name: 'Shop',
        clientType: 'confidential',
        redirectUris: [CALLBACK],
        now,
      });
      await topUp(tx, { applicationId: application.id, amount: 10n ** 14n, reference: application.id, now });
      made.push({
        applicationId: application.id,
        clientId: application.clientId,
        clientSecret,
        redirectUris: [CALLBACK],
      });
    }
  });
  const signedIn: string[] = [];
  for (let number = 0; number < people; number += 1) {
    const email = `person-${number}@example.test`;
    const { id: accountId } = await addAccount(target, { email, name: 'Ada', now });
    for (const { applicationId } of made)
      await recordConsent(target, { applicationId, accountId, scopes: ['openid', 'email', 'profile'], now });
    const browser = createBrowser();
    const [first] = made;
    if (!first) throw new Error('no application');
    await signInAs({ authorizationUrl: startAttempt({ url }, first).url, email, browser });
    signedIn.push(cookieHeader(browser));
  }
  return { clients: made, cookies: signedIn };
}

/** Never the last one that is up: what both together cannot do is not what this asks. */
async function killAgainAndAgain(forSeconds: number): Promise<number> {
  const end = performance.now() + forSeconds * 1000;
  let killed = 0;
  while (performance.now() < end) {
    await sleep(Number(values['kill-seconds']) * 1000);
    if (!processes.every(({ isReady }) => isReady)) continue;
    await processes[killed % processes.length]?.killAndRestart();
    killed += 1;
  }
  return killed;
}

/** What a start costs, in company: on two cores it competes with the sign-ins that the other process serves. */
function startsOf(all: ServiceProcess[]) {
  const starts = all.flatMap(({ starts: each }) => each);
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  return {
    medianSeconds: Number(median(starts.map(({ seconds: took }) => took)).toFixed(2)),
    medianCpuSeconds: Number(median(starts.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2)),
  };
}

async function untilBothAreReady(): Promise<void> {
  while (!processes.every(({ isReady }) => isReady)) await sleep(100);
}

async function check(
  { acknowledged, attempted, failed, durations }: Traffic,
  endpoint: Receiver,
  killed: number,
) {
  const pending = async () => {
    const [row] = rowsOf(
      await db.execute(sql`select count(*) from webhook_deliveries where status = 'pending'`),
    );
    return Number(row?.count);
  };
  const waitedFrom = performance.now();
  while ((await pending()) > 0 && performance.now() - waitedFrom < DELIVERY_PATIENCE_MILLISECONDS)
    await sleep(500);
  const waited = Math.round((performance.now() - waitedFrom) / 1000);
  const events = rowsOf(await db.execute(sql`select id, code_hash from usage_events`));
  const charged = new Set(events.map((event) => String(event.code_hash)));
  const lost = [...acknowledged].filter((hash) => !charged.has(hash));
  const ids = await endpoint.ids();
  const received = new Set(ids);
  const undelivered = events.filter(({ id }) => !received.has(String(id)));
  const violations = await findViolations(db);
  const duplicates = ids.length - received.size;
  const sorted = durations.toSorted((a, b) => a - b);
  const percentile = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0);
  print(
    JSON.stringify(
      {
        seconds,
        kills: killed,
        secondsBetweenKills: Number((seconds / Math.max(1, killed)).toFixed(1)),
        start: startsOf(processes),
        signInsAttempted: attempted,
        signInsAcknowledged: acknowledged.size,
        acknowledgedPerSecond: Number((acknowledged.size / seconds).toFixed(1)),
        milliseconds: { median: percentile(0.5), p99: percentile(0.99) },
        notAcknowledged: failed,
        charges: events.length,
        chargedButNotAcknowledged: events.length - acknowledged.size,
        acknowledgedButLost: lost.length,
        webhooksReceived: received.size,
        webhooksLost: undelivered.length,
        duplicates,
        duplicateShare: `${((duplicates / Math.max(1, received.size)) * 100).toFixed(2)} %`,
        secondsUntilLastWebhook: waited,
        violations,
      },
      undefined,
      2,
    ),
  );
  return lost.length === 0 && undelivered.length === 0 && violations.length === 0;
}
