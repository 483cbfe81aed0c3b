// The outage in child processes, a share of the events in each with a database of its own: one process alone keeps one
// core busy with it for an hour.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { administer, openTestPglite, openTestPostgres } from '../harness/database.ts';
import { type OutageResult, surviveOutage } from './outage.ts';

export type Share = { database: string; events: number; seed: number };

/** Enough that one endpoint's row is not what everybody waits for. */
const ENDPOINTS = 20;

export async function runShare(share: Share): Promise<OutageResult> {
  const child = fork(import.meta.filename, { execArgv: process.execArgv });
  child.send(share);
  const [answer]: unknown[] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`a process ended with ${code}`);
    }),
  ]);
  child.kill();
  return answer as OutageResult;
}

/** One result for all of them. */
export function together(results: OutageResult[]): OutageResult {
  const sum = (count: (result: OutageResult) => number) =>
    results.reduce((total, each) => total + count(each), 0);
  const undelivered: Record<string, number> = {};
  for (const [status, count] of results.flatMap((result) => Object.entries(result.undelivered)))
    undelivered[status] = (undelivered[status] ?? 0) + count;
  return {
    events: sum(({ events }) => events),
    attempts: sum(({ attempts }) => attempts),
    delivered: sum(({ delivered }) => delivered),
    undelivered,
    received: sum(({ received }) => received),
    duplicates: sum(({ duplicates }) => duplicates),
    longestHours: Math.max(...results.map(({ longestHours }) => longestHours)),
    mostAttempts: Math.max(...results.map(({ mostAttempts }) => mostAttempts)),
  };
}

async function survive({ database: kind, events, seed }: Share): Promise<OutageResult> {
  const isPglite = kind === 'pglite';
  const database = await (isPglite ? openTestPglite() : openTestPostgres());
  // What the schedule does is asked here, not whether a commit survives the server: that is for the crash harness.
  if (database.databaseUrl) {
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await administer(`alter database ${name} set synchronous_commit = off`);
  }
  const onProgress = (line: string) => void process.stdout.write(`seed ${seed}: ${line}\n`);
  const options = { database, events, seed, endpoints: ENDPOINTS, onProgress };
  const result = await surviveOutage(options).finally(() => database.remove());
  const { user, system } = process.cpuUsage();
  onProgress(`${Math.round((user + system) / 1e6)} s of CPU`);
  return result;
}

if (process.argv[1] === import.meta.filename) {
  process.on('disconnect', () => process.exit(1));
  process.on('message', (share: Share) => {
    void survive(share).then((result) => process.send?.(result));
  });
}
