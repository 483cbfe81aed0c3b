// Complete sign-ins of one process, beside the bare engine in alternating rounds; how long an exchange takes at half
// of the peak.
import {
  type BenchDatabase,
  type Company,
  createBenchDatabase,
  createCompany,
  subscribe,
} from './company.ts';
import { type LoadResult, median } from './load.ts';
import { type Child, startChild } from './processes.ts';
import { say, spread } from './report.ts';
import { type Server, startBareEngine, startTollgate } from './service.ts';

const PEOPLE = 256;
const CONNECTIONS = 128;
const WARM_UP_SECONDS = 4;

type Options = { rounds: number; seconds: number };
export type Round = LoadResult & { cpuMilliseconds: number };

export async function benchSignIns(options: Options): Promise<void> {
  const driver = startChild('driver.ts');
  const bare = await startBareEngine(PEOPLE);
  const plain = await openHouse({ WORKERS: 'off' });
  const hooked = await openHouse({ WORKERS: 'off' });
  await subscribe(hooked.database, hooked.company.workspaceId, 'https://hooks.example.com/tollgate');
  const sides = [
    { name: 'bare engine', server: onOneApplication(bare), rounds: [] as Round[] },
    { name: 'Tollgate: charge, event', server: plain.server, rounds: [] as Round[] },
    { name: 'Tollgate: charge, event, webhook job', server: hooked.server, rounds: [] as Round[] },
  ];
  for (const { server } of sides) await load(driver, server, { seconds: WARM_UP_SECONDS });
  for (let round = 0; round < options.rounds; round += 1) {
    for (const side of sides) side.rounds.push(await load(driver, side.server, options));
  }
  say('\n1. Complete sign-ins of one process (single sign-on: authorize with a session, exchange)');
  const base = sides[0]?.rounds ?? [];
  for (const { name, rounds } of sides) sayRounds(name, rounds, base);
  const peak = median(sides[2]?.rounds.map(({ perSecond }) => perSecond) ?? []);
  await benchLatency(driver, hooked.server, { rate: peak / 2, seconds: options.seconds * 2 });
  for (const { server } of sides) await server.child.stop();
  for (const { database } of [plain, hooked]) await database.remove();
  await driver.stop();
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
  options: { seconds: number; rate?: number },
): Promise<Round> {
  const before = await child.call<NodeJS.CpuUsage>('cpu');
  const result = await driver.call<LoadResult>('load', {
    targets: [target],
    connections: CONNECTIONS,
    ...options,
  });
  const after = await child.call<NodeJS.CpuUsage>('cpu');
  if (result.failures > 0) say(`  ${result.failures} failures, the first: ${result.firstFailure}`);
  const used = after.user + after.system - before.user - before.system;
  return { ...result, cpuMilliseconds: used / 1000 / result.signIns };
}

function sayRounds(name: string, rounds: Round[], base: Round[]): void {
  const ratios = rounds.map(({ perSecond }, index) => perSecond / (base[index]?.perSecond ?? Number.NaN));
  const cpu = rounds.map(
    ({ cpuMilliseconds }, index) => (base[index]?.cpuMilliseconds ?? 0) / cpuMilliseconds,
  );
  say(`  ${name}`);
  say(`    sign-ins/s                     ${spread(rounds.map(({ perSecond }) => perSecond))}`);
  say(`    ratio to the bare engine       ${spread(ratios, 2)}`);
  say(
    `    processor ms of the process    ${spread(
      rounds.map(({ cpuMilliseconds }) => cpuMilliseconds),
      2,
    )}`,
  );
  say(`    the same as a ratio            ${spread(cpu, 2)}`);
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
