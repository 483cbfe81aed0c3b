// `npm run webhook-endurance`: the outage of 72 hours and the latencies, at the size that is asked for.
// `--events` (100000), `--database` postgres or pglite, `--seed`, `--latency-events`.
import { parseArgs } from 'node:util';
import { openTestPglite, openTestPostgres } from '../harness/database.ts';
import { measureLatency } from './latency.ts';
import { surviveOutage } from './outage.ts';

const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    database: { type: 'string', default: 'postgres' },
    seed: { type: 'string', default: '1' },
    'latency-events': { type: 'string', default: '1000' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const database = await (values.database === 'pglite' ? openTestPglite() : openTestPostgres());
for (const besideDeadEndpoint of [false, true]) {
  const latency = await measureLatency({
    database,
    events: Number(values['latency-events']),
    perSecond: 20,
    besideDeadEndpoint,
  });
  print(`${besideDeadEndpoint ? 'beside a dead endpoint' : 'alone'}: ${JSON.stringify(latency)}`);
}
const startedAt = performance.now();
const result = await surviveOutage({
  database,
  events: Number(values.events),
  seed: Number(values.seed),
  concurrency: values.database === 'pglite' ? 1 : 16,
  onProgress: print,
});
print(
  JSON.stringify({
    database: values.database,
    ...result,
    seconds: Math.round((performance.now() - startedAt) / 1000),
  }),
);
await database.remove();
process.exit(result.delivered === result.events ? 0 : 1);
