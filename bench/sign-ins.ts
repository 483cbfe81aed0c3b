// Complete sign-ins of one process, beside the bare engine in alternating rounds: on cores that it shares with its
// servers and the load driver, then on a core of its own; how long an exchange takes at half of the peak.
import {
  type BenchDatabase,
  type Company,
  createBenchDatabase,
  createCompany,
  subscribe,
} from './company.ts';
import { separate } from './cores.ts';
import { type LoadResult, median } from './load.ts';
import { type Child, startChild } from './processes.ts';
import { type ServerTime, serverTime } from './processor-time.ts';
import { say, spread } from './report.ts';
import { type Server, startBareEngine, startTollgate } from './service.ts';

export const PEOPLE = 256;
const NAMES = ['bare engine', 'Tollgate: charge, event', 'Tollgate: charge, event, webhook job'];
/** Browsers at once. With few of them, a batch of charges or look-ups has few to share its costs. */
const CONNECTIONS = [64, 128, 256];
const USUAL_CONNECTIONS = 128;

/**
 * `sets` of fresh processes, since no two of them run the same code equally fast. Each set takes `rounds` of `seconds`
 * at each number of connections: short ones and many, since a machine's own speed changes within seconds.
 * `warmUpSeconds` for each side: Node compiles what it runs often, which takes a larger program longer.
 */
type Options = { sets: number; rounds: number; seconds: number; warmUpSeconds: number };
export type Round = LoadResult & { cpuMilliseconds: number; serverMilliseconds: ServerTime };
export type Side = { server: Server; close(): Promise<void> };
/** Of each number of connections, the rounds of each side. */
type Table = Map<number, Round[][]>;

export async function benchSignIns(options: Options): Promise<void> {
  const shared: Table = new Map();
  const apart: Table = new Map();
  for (let set = 0; set < options.sets; set += 1) await measureSet(options, { shared, apart });
  say('\n1. Complete sign-ins of one process (single sign-on: authorize with a session, exchange)');
  say('  All processes share all cores');
  sayTable(shared);
  say('  Every server process of the bench has the first core only, the load driver the others');
  if (apart.size === 0) say('    not measured: this needs Linux and two cores');
  sayTable(apart);
  const peaks = [...shared.values()].map((rounds) => medianOf(rounds.at(-1) ?? []));
  await benchLatency({ rate: Math.max(...peaks) / 2, seconds: 16, warmUpSeconds: options.warmUpSeconds });
}

async function measureSet(
  options: Options,
  { shared, apart }: { shared: Table; apart: Table },
): Promise<void> {
  const driver = startChild('driver.ts');
  const sides = await openSides();
  for (const { server } of sides) await load(driver, server, { seconds: options.warmUpSeconds });
  await takeAllTurns(driver, sides, shared, options);
  if (await separate({ first: sides.map(({ server }) => server.child), rest: [driver] }))
    await takeAllTurns(driver, sides, apart, options);
  for (const side of sides) await side.close();
  await driver.stop();
}

/** In the order of NAMES. */
async function openSides(): Promise<Side[]> {
  const bare = onOneApplication(await startBareEngine(PEOPLE));
  const plain = await openHouse({ WORKERS: 'off' });
  const hooked = await openHooked();
  return [
    { server: bare, close: () => bare.child.stop() },
    { server: plain.server, close: () => closeHouse(plain) },
    { server: hooked.server, close: () => closeHouse(hooked) },
  ];
}

export async function openHooked(environment: Record<string, string> = {}): Promise<House> {
  const house = await openHouse({ WORKERS: 'off', ...environment });
  await subscribe(house.database, house.company.workspaceId, 'https://hooks.example.com/tollgate');
  return house;
}

async function takeAllTurns(driver: Child, sides: Side[], table: Table, options: Options): Promise<void> {
  for (const connections of CONNECTIONS) {
    const results = await takeTurns(driver, sides, { ...options, connections });
    const before = table.get(connections) ?? sides.map(() => []);
    table.set(
      connections,
      before.map((rounds, index) => [...rounds, ...(results[index] ?? [])]),
    );
  }
}

/** There and back again, so that nobody always follows the same one. @returns the rounds of each side. */
async function takeTurns(
  driver: Child,
  sides: Side[],
  options: { rounds: number; seconds: number; connections: number },
): Promise<Round[][]> {
  const results = sides.map((side) => ({ side, rounds: [] as Round[] }));
  for (let turn = 0; turn < options.rounds; turn += 1) {
    for (const { side, rounds } of turn % 2 === 0 ? results : results.toReversed())
      rounds.push(await load(driver, side.server, options));
  }
  return results.map(({ rounds }) => rounds);
}

export type House = { database: BenchDatabase; company: Company; server: Server };

/** `prepare` runs before the service starts. */
export async function openHouse(
  environment: Record<string, string>,
  prepare?: (database: BenchDatabase, company: Company) => Promise<void>,
): Promise<House> {
  const database = await createBenchDatabase();
  const company = await createCompany(database, { applications: 1, people: PEOPLE });
  await prepare?.(database, company);
  return { database, company, server: await startTollgate(database, company, environment) };
}

export async function closeHouse({ server, database }: House): Promise<void> {
  await server.child.stop();
  await database.remove();
}

export function onOneApplication({ child, target }: Server): Server {
  return { child, target: { ...target, applications: target.applications.slice(0, 1) } };
}

export async function load(
  driver: Child,
  { child, target }: Server,
  {
    seconds,
    rate,
    connections = USUAL_CONNECTIONS,
  }: { seconds: number; rate?: number; connections?: number },
): Promise<Round> {
  const [before, serversBefore] = [await child.call<NodeJS.CpuUsage>('cpu'), await serverTime()];
  const result = await driver.call<LoadResult>('load', { targets: [target], connections, seconds, rate });
  const [after, serversAfter] = [await child.call<NodeJS.CpuUsage>('cpu'), await serverTime()];
  if (result.failures > 0) say(`  ${result.failures} failures, the first: ${result.firstFailure}`);
  const used = after.user + after.system - before.user - before.system;
  return {
    ...result,
    cpuMilliseconds: used / 1000 / result.signIns,
    serverMilliseconds: {
      postgres: (serversAfter.postgres - serversBefore.postgres) / result.signIns,
      redis: (serversAfter.redis - serversBefore.redis) / result.signIns,
    },
  };
}

function sayTable(table: Table): void {
  for (const [connections, sides] of table) {
    say(`  ${connections} connections`);
    for (const [index, name] of NAMES.entries()) sayRounds(name, sides[index] ?? [], sides[0] ?? []);
  }
}

function medianOf(rounds: Round[]): number {
  return median(rounds.map(({ perSecond }) => perSecond));
}

function sayRounds(name: string, rounds: Round[], base: Round[]): void {
  const ratios = rounds.map(({ perSecond }, index) => perSecond / (base[index]?.perSecond ?? Number.NaN));
  const cpu = rounds.map(
    ({ cpuMilliseconds }, index) => (base[index]?.cpuMilliseconds ?? 0) / cpuMilliseconds,
  );
  const figures = {
    'sign-ins/s': spread(rounds.map(({ perSecond }) => perSecond)),
    'ratio to the bare engine': spread(ratios, 2),
    'processor ms of the process': spread(
      rounds.map(({ cpuMilliseconds }) => cpuMilliseconds),
      2,
    ),
    'the same as a ratio': spread(cpu, 2),
    'of PostgreSQL': spread(
      rounds.map(({ serverMilliseconds }) => serverMilliseconds.postgres),
      2,
    ),
    'of Redis': spread(
      rounds.map(({ serverMilliseconds }) => serverMilliseconds.redis),
      2,
    ),
  };
  say(`    ${name}`);
  for (const [label, figure] of Object.entries(figures)) say(`      ${label.padEnd(29)}${figure}`);
}

async function benchLatency(options: {
  rate: number;
  seconds: number;
  warmUpSeconds: number;
}): Promise<void> {
  const driver = startChild('driver.ts');
  const house = await openHooked();
  await load(driver, house.server, { seconds: options.warmUpSeconds });
  const result = await load(driver, house.server, options);
  await closeHouse(house);
  await driver.stop();
  const { median: middle, p99 } = result.exchangeMilliseconds;
  say(
    `\n3. Exchange at half of the peak (${options.rate.toFixed(0)}/s asked, ${result.perSecond.toFixed(0)}/s done)`,
  );
  say(`    median ${middle.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ratio ${(p99 / middle).toFixed(1)}`);
}
