// The operations without a running service: the same functions over a database that this command has opened.
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Connection } from '../database/connection.ts';
import type { Log } from '../log.ts';
import { type Jobs, startJobs } from '../queue/jobs.ts';
import type { Keys } from '../secrets.ts';
import type { OperatorDependencies } from './operation.ts';
import { createOperator, type Operator } from './operator.ts';

export function createDirectOperator(options: {
  connection: Connection;
  keys: Keys;
  config: Config;
  clock: Clock;
  log: Log;
  onProgress?: OperatorDependencies['onProgress'];
}): { operator: Operator; close(): Promise<void> } {
  const { connection, keys, config, clock, log, onProgress } = options;
  let jobs: Promise<Jobs> | undefined;
  const operator = createOperator({
    db: connection.db,
    keys,
    clock,
    config,
    ...(onProgress && { onProgress }),
    // Replays and mails queue work; the next start of the service does it.
    jobs() {
      jobs ??= startJobs({ connection, databaseUrl: config.databaseUrl, log });
      return jobs;
    },
    // Running processes look by themselves, once a minute.
    signingKeysChanged: async () => undefined,
  });
  return {
    operator,
    async close() {
      await (await jobs)?.stop();
    },
  };
}
