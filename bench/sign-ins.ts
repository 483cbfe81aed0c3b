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

const PEOPLE = 256;
/** Browsers at once. With few of them, a batch of charges or look-ups has few to share its costs. */
const CONNECTIONS = [64, 128, 256];
const USUAL_CONNECTIONS = 128;

/**
 * `rounds` of `seconds` at each number of connections: short ones and many, since a machine's own speed changes within
 * seconds. `warmUpSeconds` for each side: Node compiles what it runs often, which takes a larger program longer.
 */
type Options = { rounds: number; seconds: number; warmUpSeconds: number };
export type Round = LoadResult & { cpuMilliseconds: number; serverMilliseconds: ServerTime };
type Side = { name: string; server: Server };

export async function benchSignIns(options: Options): Promise<void> {
  const driver = startChild('driver.ts');
  const bare = await startBareEngine(PEOPLE);
  const plain = await openHouse({ WORKERS: 'off' });
  const hooked = await openHouse({ WORKERS: 'off' });
  await subscribe(hooked.database, hooked.company.workspaceId, 'https://hooks.example.com/tollgate');
  const sides: Side[] = [
    { name: 'bare engine', server: onOneApplication(bare) },
    { name: 'Tollgate: charge, event', server: plain.server },
    { name: 'Tollgate: charge, event, webhook job', server: hooked.server },
  ];
  for (const { server } of sides) await load(driver, server, { seconds: options.warmUpSeconds });
  say('\n1. Complete sign-ins of one process (single sign-on: authorize with a session, exchange)');
  const peaks: number[] = [];
  for (const connections of CONNECTIONS)
    peaks.push(await comparePeaks(driver, sides, { ...options, connections }));
  await benchLatency(driver, hooked.server, { rate: Math.max(...peaks) / 2, seconds: 16 });
  await compareOnOneCore(driver, sides, options);
  for (const { server } of sides) await server.child.stop();
  for (const { database } of [plain, hooked]) await database.remove();
  await driver.stop();
}

/** What a process does with one core, as an orchestrator would give it, and everything else kept off that core. */
async function compareOnOneCore(driver: Child, sides: Side[], options: Options): Promise<void> {
  say('\n1b. The same with one core for the process and its threads; load driver on the others');
  if (!(await separate({ first: sides.map(({ server }) => server.child), rest: [driver] })))
    return say('  not measured: needs Linux and two cores');
  for (const connections of CONNECTIONS) await comparePeaks(driver, sides, { ...options, connections });
}

/** @returns the median of the last side's sign-ins a second. */
async function comparePeaks(
  driver: Child,
  sides: Side[],
  options: { rounds: number; seconds: number; connections: number },
): Promise<number> {
  const results = await takeTurns(driver, sides, options);
  say(`  ${options.connections} connections`);
  for (const [index, { name }] of sides.entries()) sayRounds(name, results[index] ?? [], results[0] ?? []);
  return median(results.at(-1)?.map(({ perSecond }) => perSecond) ?? []);
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

function onOneApplication({ child, target }: Server): Server {
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

async function benchLatency(
  driver: Child,
  server: Server,
  options: { rate: number; seconds: number },
): Promise<void> {
  const result = await load(driver, server, options);
  const { median: middle, p99 } = result.exchangeMilliseconds;
  say(
    `\n3. Exchange at half of the peak (${options.rate.toFixed(0)}/s asked, ${result.perSecond.toFixed(0)}/s done)`,
  );
  say(`    median ${middle.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ratio ${(p99 / middle).toFixed(1)}`);
}
