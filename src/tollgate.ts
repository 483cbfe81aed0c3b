// Puts the house together: configuration in; provider, listen and stop out. The list of middlewares below is the
// map of the service: a request meets them from top to bottom, and the engine speaks the protocol at the end.
import { readFile } from 'node:fs/promises';
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { createClientSource } from '../adapters/client-metadata.ts';
import { createEngineAdapter, createRevocation } from '../adapters/stores.ts';
import { createEnginePages } from '../interactions/engine-pages.tsx';
import { createErrorPage } from '../interactions/error-page.tsx';
import { serveLogos } from '../interactions/logo.ts';
import { createInteractions } from '../interactions/routes.ts';
import { parseEmailAddress } from './accounts/email-address.ts';
import { createPasswords } from './accounts/password.ts';
import { createApi } from './api/routes.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Connection } from './database.ts';
import { closeConnections, createHealth, type Health } from './health.ts';
import { startHousekeeping } from './housekeeping.ts';
import { limitRequests, logRequests, pinHost, securityHeaders, writeErrors } from './http.ts';
import { type Jobs, startJobs } from './jobs.ts';
import { startLedgerSchedule } from './ledger/schedule.ts';
import { passwordConcurrentHashes } from './limits.ts';
import { createLog, type Log } from './log.ts';
import { createMailer } from './mail.ts';
import { countLimitHits, createMetrics, type Metrics } from './metrics.ts';
import { measureJobs, measureWebhooks } from './metrics-jobs.ts';
import { measureRequests } from './metrics-requests.ts';
import { protocolRules } from './oidc/protocol-rules.ts';
import { createProvider } from './oidc/provider.ts';
import { createSessionCharge } from './oidc/session-charge.ts';
import { watchSigningKeys } from './oidc/signing-key-watch.ts';
import { loadSigningKeys } from './oidc/signing-keys.ts';
import { tokenCharge } from './oidc/token-charge.ts';
import { addGauges } from './operation-gauges.ts';
import { listenForOperations, type OperationsServer } from './operations-server.ts';
import { createOperator, type Operator } from './operator.ts';
import { answerDoctor } from './probe.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';
import { connectRedis, type RedisClient } from './redis.ts';
import type { Keys } from './secrets.ts';
import { listen, type RunningServer } from './server.ts';
import { openStores, type Stores } from './stores.ts';
import { startTracing, type Tracing, traceJobs } from './tracing.ts';
import { createDeliveryWorker, type OnDisabled } from './webhooks/delivery.ts';
import { createWebhookSender } from './webhooks/sender.ts';

export type TollgateOptions = {
  /** From `readConfig(process.env)` of 'tollgate/config', or `readConfig({ BASE_URL: … })`. */
  config: Config;
  log?: Log;
  clock?: Clock;
  /** Already open stores, for tests; otherwise they are opened as the configuration says, and closed by stop(). */
  stores?: Stores;
};

export type Tollgate = {
  config: Config;
  /** The engine in use now: a new one takes over when a signing key is rotated. */
  readonly provider: Provider;
  connection: Connection;
  /** What the command line can do, against this running service. */
  operator: Operator;
  listen(): Promise<{ url: string; port: number; operationsPort: number | undefined }>;
  /** Readiness says no from now on; requests are still answered, each on its last connection. */
  beginShutdown(): void;
  /** Answers in flight, jobs under way, database: in that order. */
  stop(): Promise<void>;
};

export async function createTollgate(options: TollgateOptions): Promise<Tollgate> {
  const { config, clock = systemClock } = options;
  const log = options.log ?? createLog({ level: config.logLevel });
  const stores = options.stores ?? (await openStores({ config, log }));
  const { connection, keys } = stores;
  const { db } = connection;
  const metrics = createMetrics({ withProcess: config.operationsPort !== undefined });
  const tracing = await startTracing({ endpoint: config.otlpEndpoint, trustProxy: config.trustProxy });
  const queue = await startJobs({ connection, databaseUrl: config.databaseUrl, log });
  const jobs = traceJobs(measureJobs(queue, metrics), tracing);
  const redis = config.redisUrl ? connectRedis({ url: config.redisUrl, log }) : undefined;
  const ledger = startLedgerSchedule({ db, clock, log, minutes: config.ledgerVerifyMinutes });
  const health = createHealth({ connection, redis, ledger });
  const house = {
    config,
    db,
    jobs,
    keys,
    clock,
    log,
    redis,
    metrics,
    tracing,
    health,
    rateLimiter: countLimitHits(createRateLimiter({ factor: config.rateLimitFactor, redis }), metrics),
  };
  addGauges(metrics, { connection, ledger, clock });
  if (config.rateLimitFactor !== 1)
    log.warn({ factor: config.rateLimitFactor }, 'rate limits are changed by RATE_LIMIT_FACTOR');

  const build = await createBuilder(house);
  let engine = await build();
  const stopWorkers = config.workers ? await startWorkers(house) : async () => undefined;
  const rebuild = async () => {
    engine = await build();
  };
  const stopWatching = watchSigningKeys({ ...house, kidsInUse: () => engine.kids, rebuild });
  let server: RunningServer | undefined;
  let operations: OperationsServer | undefined;
  return {
    config,
    connection,
    get provider() {
      return engine.provider;
    },
    operator: createOperator({
      ...house,
      jobs: async () => jobs,
      signingKeysChanged: rebuild,
    }),
    async listen() {
      server = await listen((request, response) => engine.handle(request, response), config);
      if (config.operationsPort !== undefined) {
        const address = { host: config.operationsHost, port: config.operationsPort };
        operations = await listenForOperations(house, address);
      }
      return { url: config.baseUrl, port: server.port, operationsPort: operations?.port };
    },
    beginShutdown: health.beginShutdown,
    async stop() {
      health.beginShutdown();
      await server?.close();
      await ledger.stop();
      await stopWatching();
      await stopWorkers();
      await jobs.stop();
      redis?.disconnect();
      await operations?.close();
      await tracing.stop();
      if (!options.stores) await stores.close();
    },
  };
}

type House = {
  config: Config;
  db: Connection['db'];
  jobs: Jobs;
  keys: Keys;
  clock: Clock;
  log: Log;
  /** undefined: SQL keeps everything, limits are counted in this process. */
  redis: RedisClient | undefined;
  rateLimiter: RateLimiter;
  metrics: Metrics;
  tracing: Tracing;
  health: Health;
};

/** @returns a function that makes the engine with the signing keys of this moment, and everything before it. */
async function createBuilder(house: House) {
  const { config, db, jobs, keys, clock, log, redis, rateLimiter, metrics, tracing, health } = house;
  const passwords = createPasswords({ concurrency: passwordConcurrentHashes });
  const mailer = createMailer(house);
  const clients = createClientSource({ db, clock });
  const chargeSession = createSessionCharge({ db, jobs, keys, clock });
  const adapter = createEngineAdapter({ db, redis, clock, clients });
  const { revokeAccountSessions, revokeGrants } = createRevocation({ redis });
  const pages = createEnginePages(house);
  return async () => {
    const { jwks, kids } = await loadSigningKeys(db, { keys, clock });
    const provider = createProvider({ config, db, keys, jwks, adapter, pages, clock, log });
    const interactions = createInteractions({
      ...house,
      provider,
      passwords,
      mailer,
      revokeAccountSessions,
    });
    const middlewares: Middleware[] = [
      answerDoctor({ config, keys, clock }),
      tracing.request,
      measureRequests(metrics),
      closeConnections(health),
      logRequests(log),
      pinHost(config),
      securityHeaders(config),
      writeErrors({ log, page: createErrorPage() }),
      limitRequests(rateLimiter),
      serveLogos({ db }),
      createApi({ config, db, keys, rateLimiter, clock, log, parseEmailAddress }),
      interactions,
      ...protocolRules({ config, db, provider, rateLimiter, revokeGrants, clock }),
      tokenCharge({ db, chargeSession, clock, log }),
    ];
    for (const middleware of middlewares) provider.use(middleware);
    return { provider, kids, handle: provider.callback() };
  };
}

/** Mails, webhook attempts and housekeeping of this process. @returns a function that ends what the queue does not. */
async function startWorkers(house: House): Promise<() => Promise<void>> {
  const { config, jobs, log, metrics, tracing } = house;
  await createMailer(house).start();
  const extraCa = config.webhookCaFile ? await readFile(config.webhookCaFile, 'utf8') : undefined;
  const ownHosts = config.isLoopback ? [] : [new URL(config.baseUrl).hostname];
  const rules = { allowLoopback: config.webhookAllowLoopback, ownHosts };
  const send = createWebhookSender({ rules, extraCa });
  // The workspace has no member to write to yet; until then the operator reads it here.
  const onDisabled: OnDisabled = async (_tx, disabled) => {
    log.warn(
      { subscription: disabled.subscriptionId, reason: disabled.reason },
      'webhook subscription disabled',
    );
  };
  const measure = measureWebhooks(metrics, tracing.annotate);
  const deliver = createDeliveryWorker({ ...house, send, onDisabled, measure });
  await jobs.work('webhooks', deliver);
  await jobs.work('webhook_retries', deliver);
  return startHousekeeping({ ...house, onDisabled });
}
