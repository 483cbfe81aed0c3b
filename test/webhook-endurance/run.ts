// `npm run webhook-endurance`: the outage of 72 hours and the latencies, at the size that is asked for.
// `--events` (100000), `--database` postgres or pglite, `--seed`, `--latency-events`, `--processes`.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { openTestPglite, openTestPostgres } from '../harness/database.ts';
import { type Latency, measureLatency } from './latency.ts';
import { runShare, together } from './share.ts';

/** What promise 35 has to survive. */
const MOST_DELAY_MILLISECONDS = 1_000;

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    database: { type: 'string', default: 'postgres' },
    seed: { type: 'string', default: '1' },
    'latency-events': { type: 'string', default: '1000' },
    processes: { type: 'string', default: String(availableParallelism()) },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const isQuick = await measureLatencies(Number(values['latency-events']));

const startedAt = performance.now();
const processes = Number(values.processes);
const events = Math.ceil(Number(values.events) / processes);
const shares = Array.from({ length: processes }, (_, index) => ({
  database: values.database,
  events,
  seed: Number(values.seed) + index,
}));
const result = together(await Promise.all(shares.map(runShare)));
const seconds = Math.round((performance.now() - startedAt) / 1000);
print(JSON.stringify({ database: values.database, processes, seed: values.seed, ...result, seconds }));
process.exit(isQuick && result.delivered === result.events ? 0 : 1);

async function measureLatencies(count: number): Promise<boolean> {
  const database = await (values.database === 'pglite' ? openTestPglite() : openTestPostgres());
  const options = { database, events: count, perSecond: 20 };
  const alone = await measureLatency({ ...options, besideDeadEndpoint: false });
  print(`alone: ${JSON.stringify(alone)}`);
  const beside = await measureLatency({ ...options, besideDeadEndpoint: true });
  print(`beside a dead endpoint: ${JSON.stringify(beside)}`);
  await database.remove();
  const delay = Math.max(
    ...(['medianMs', 'p99Ms', 'longestMs'] as const).map((of) => beside[of] - alone[of]),
  );
  const isComplete = ({ received }: Latency) => received === count;
  print(`a dead endpoint delays another one by at most ${delay} ms; commit to receipt p99 ${alone.p99Ms} ms`);
  const isQuickEnough = delay < MOST_DELAY_MILLISECONDS && alone.p99Ms <= MOST_DELAY_MILLISECONDS;
  return isQuickEnough && isComplete(alone) && isComplete(beside);
}
