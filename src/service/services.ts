// Opens the services that everything else stands on, each with the way to close it: what was opened last is
// closed first, also when a later part cannot be opened.
import { accountsProof } from '../accounts/verify.ts';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { type Connection, readsOf } from '../database/connection.ts';
import { createReadingLanes, type ReadingLanes } from '../database/reading-lanes.ts';
import { startVerifications } from '../database/verification.ts';
import { createRateLimiter, type RateLimiter } from '../http/rate-limit.ts';
import { ledgerProof } from '../ledger/verify.ts';
import { readingLimits } from '../limits/reads.ts';
import { createLog, type Log } from '../log.ts';
import { type Jobs, startJobs } from '../queue/jobs.ts';
import { createPressure, type Pressure } from '../queue/pressure.ts';
import { connectRedis, givenTime, type RedisClient } from '../redis/client.ts';
import type { Keys } from '../secrets.ts';
import { countLimitHits, createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { measureJobs } from '../telemetry/metrics-jobs.ts';
import { startTracing, type Tracing, traceJobs } from '../telemetry/tracing.ts';
import { addGauges } from './gauges.ts';
import { createHealth, type Health } from './health.ts';
import { openStores, type Stores } from './stores.ts';

export type Services = {
  config: Config;
  connection: Connection;
  db: Connection['db'];
  jobs: Jobs;
  keys: Keys;
  clock: Clock;
  log: Log;
  /** undefined: SQL keeps everything, limits are counted in this process. */
  redis: RedisClient | undefined;
  rateLimiter: RateLimiter;
  lanes: ReadingLanes;
  pressure: Pressure;
  metrics: Metrics;
  tracing: Tracing;
  health: Health;
};

export type TollgateOptions = {
  /** From `readConfig(process.env)` of 'tollgate/config', or `readConfig({ BASE_URL: … })`. */
  config: Config;
  log?: Log;
  clock?: Clock;
  /** Already open stores, for tests; otherwise they are opened as the configuration says, and closed with the service. */
  stores?: Stores;
};

export async function createServices(
  options: TollgateOptions,
  opened: AsyncDisposableStack,
): Promise<Services> {
  const { config, clock = systemClock } = options;
  const log = options.log ?? createLog({ level: config.logLevel });
  const { connection, keys } = options.stores ?? (await openOwnStores({ config, log }, opened));
  const { db } = connection;
  const metrics = createMetrics({ withProcess: config.operationsPort !== undefined });
  const tracing = await startTracing({ endpoint: config.otlpEndpoint, trustProxy: config.trustProxy });
  opened.defer(tracing.stop);
  const redis = config.redisUrl ? connectRedis({ url: config.redisUrl, log }) : undefined;
  opened.defer(() => redis?.disconnect());
  const redisReady = redis && givenTime(redis);
  const queue = await startJobs({ connection, databaseUrl: config.databaseUrl, log });
  opened.defer(queue.stop);
  await redisReady;
  const ledger = startVerifications(ledgerProof, { db, clock, log, minutes: config.ledgerVerifyMinutes });
  opened.defer(ledger.stop);
  const accounts = startVerifications(accountsProof, {
    db,
    clock,
    log,
    minutes: config.accountsVerifyMinutes,
  });
  opened.defer(accounts.stop);
  const pressure = createPressure();
  addGauges(metrics, { connection, ledger, accounts, clock });
  return {
    config,
    connection,
    db,
    jobs: traceJobs(measureJobs(queue, metrics), tracing),
    keys,
    clock,
    log,
    redis,
    pressure,
    lanes: createReadingLanes(readsOf(connection), readingLimits, pressure.giveWay),
    rateLimiter: countLimitHits(createLimiter(config, redis, log), metrics),
    metrics,
    tracing,
    health: createHealth({ connection, redis, ledger, accounts }),
  };
}

async function openOwnStores(
  options: { config: Config; log: Log },
  opened: AsyncDisposableStack,
): Promise<Stores> {
  const stores = await openStores(options);
  opened.defer(stores.close);
  return stores;
}

function createLimiter(
  { rateLimitFactor: factor }: Config,
  redis: RedisClient | undefined,
  log: Log,
): RateLimiter {
  if (factor !== 1) log.warn({ factor }, 'rate limits are changed by RATE_LIMIT_FACTOR');
  return createRateLimiter({ factor, redis });
}
