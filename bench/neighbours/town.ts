// The two companies of the bench on one service: the good one, whose sign-ins and webhooks are measured, and what the
// burdens of the bad one need. Everything is written into the tables before the service starts.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BenchDatabase, createBenchDatabase, createCompany, subscribe } from '../company.ts';
import type { Tally } from '../load.ts';
import { type Child, startChild } from '../processes.ts';
import { type Server, startTollgate } from '../service.ts';
import type { Person, Target } from '../sign-in.ts';
import type { Burden, Prepared } from './burden.ts';
import type { Endpoints } from './endpoints.ts';
import type { Turns } from './rounds.ts';

const GOOD_PEOPLE = 64;
/** More than are ever under way, so that none waits for a connection. */
const GOOD_CONNECTIONS = 48;
/** A webhook that has not come by then counts as one that failed. */
const WEBHOOK_PATIENCE_MILLISECONDS = 30_000;

/** What burdens fill before the service starts. */
export type Foundation = { database: BenchDatabase; endpoints: Child & Endpoints };

export type Town = Foundation & {
  badDriver: Child;
  /** Its target has the people of the good company. */
  service: Server;
  /** Another process of the same service. */
  startService(environment?: Record<string, string>): Promise<Server>;
};

/** What came of the good company's sign-ins of a round. */
export type Measured = { exchanges: number[]; webhooks: number[]; failures: string[] };

export type Inhabited = { town: Town; burdens: { name: string; turns: Turns }[]; close(): Promise<void> };

export async function openTown(burdens: Burden[]): Promise<Inhabited> {
  const database = await createBenchDatabase();
  const endpoints = startChild('neighbours/endpoints.ts');
  const foundation = { database, endpoints: { ...endpoints, ...(await endpoints.call<Endpoints>('start')) } };
  const prepared: (Prepared & { name: string })[] = [];
  for (const { name, prepare } of burdens) prepared.push({ name, ...(await prepare(foundation)) });
  const good = await createCompany(database, { applications: 1, people: GOOD_PEOPLE });
  await subscribe(database, good.workspaceId, `${foundation.endpoints.origin}/good`);
  const servers: Server[] = [];
  const start = async (accountIds: string[], environment: Record<string, string>) => {
    const settings = { ...settingsOf(foundation), ...environment };
    const server = await startTollgate(database, { ...good, accountIds }, settings);
    servers.push(server);
    return server;
  };
  const all = [good.accountIds, ...prepared.map(({ accountIds = [] }) => accountIds)];
  const service = await start(all.flat(), {});
  const people = withIpAddresses(service.target.people);
  const next = (count: number) => people.splice(0, count);
  const goodTarget = { ...service.target, people: next(GOOD_PEOPLE) };
  const badDriver = startChild('neighbours/bad-driver.ts');
  const town: Town = {
    ...foundation,
    badDriver,
    service: { ...service, target: goodTarget },
    startService: (environment = {}) => start([], environment),
  };
  return {
    town,
    burdens: prepared.map(({ name, accountIds = [], turns }) => ({
      name,
      turns: turns(town, next(accountIds.length)),
    })),
    async close() {
      for (const { child } of [...servers, { child: badDriver }, { child: endpoints }]) await child.stop();
      await database.remove();
    },
  };
}

function settingsOf({ endpoints }: Foundation): Record<string, string> {
  return {
    // The limits of production; addresses come as a proxy would say them.
    RATE_LIMIT_FACTOR: '1',
    TRUST_PROXY: '1',
    // Proofs of all the books, once an hour, would be in one round and not in another.
    LEDGER_VERIFY_MINUTES: '0',
    ACCOUNTS_VERIFY_MINUTES: '0',
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    WEBHOOK_CA_FILE: endpoints.caFile,
  };
}

/** Everybody comes from somewhere else. */
function withIpAddresses(people: Person[]): Person[] {
  return people.map(({ cookie }, index) => ({
    cookie,
    ipAddress: `203.0.${Math.floor(index / 250)}.${index % 250}`,
  }));
}

/** Sign-ins of the good company at a steady rate, and every webhook that they lead to. */
export async function measureGood(
  { endpoints, service }: Town,
  driver: Child,
  { seconds, rate }: { seconds: number; rate: number },
): Promise<Measured> {
  await endpoints.call('takeDelays');
  const target: Target = service.target;
  const tally = await driver.call<Tally>('sample', {
    targets: [target],
    connections: GOOD_CONNECTIONS,
    seconds,
    rate,
  });
  const expected = tally.exchanges.length;
  const until = performance.now() + WEBHOOK_PATIENCE_MILLISECONDS;
  while ((await endpoints.call<number>('arrived')) < expected && performance.now() < until) await sleep(20);
  const webhooks = await endpoints.call<number[]>('takeDelays');
  const failures: string[] = [];
  if (tally.failures > 0)
    failures.push(`${tally.failures} sign-ins failed, the first: ${tally.firstFailure}`);
  if (webhooks.length < expected) failures.push(`${expected - webhooks.length} webhooks did not come`);
  return { exchanges: tally.exchanges, webhooks, failures };
}
