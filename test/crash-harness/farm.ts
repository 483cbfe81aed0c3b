// Crashes on every core: child processes that each take one order after the other, since a service in its dying
// moments keeps one core busy. An order is a plan of its own, so a failure is repeated without the farm.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type Plan, runPlan, type Summary } from './plan.ts';

export type Order = Omit<Plan, 'print'>;

/** @param next the next order; undefined: there is no more work. */
export async function runFarm(options: {
  processes: number;
  next: () => Order | undefined;
  onSummary: (order: Order, summary: Summary) => void;
}): Promise<void> {
  await Promise.all(Array.from({ length: options.processes }, () => runChild(options)));
}

async function runChild({ next, onSummary }: Parameters<typeof runFarm>[0]): Promise<void> {
  const child = fork(import.meta.filename, { execArgv: process.execArgv });
  const work = async () => {
    for (let order = next(); order; order = next()) onSummary(order, await give(child, order));
  };
  try {
    await Promise.race([work(), unexpectedEnd(child)]);
  } finally {
    child.kill();
  }
}

async function give(child: ChildProcess, order: Order): Promise<Summary> {
  child.send(order);
  const [answer]: unknown[] = await once(child, 'message');
  return answer as Summary;
}

async function unexpectedEnd(child: ChildProcess): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`a process of the farm ended with ${code}`);
}

if (process.argv[1] === import.meta.filename) {
  process.on('disconnect', () => process.exit(1));
  process.on('message', (order: Order) => {
    const print = (line: string) => void process.stdout.write(`${line}\n`);
    void runPlan({ ...order, print }).then((summary) => {
      const { user, system } = process.cpuUsage();
      print(`  ${Math.round((user + system) / 1e6)} s of CPU in this process so far`);
      process.send?.(summary);
    });
  });
}
