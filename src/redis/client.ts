// The connection to Redis, one server or a Cluster as REDIS_URL says: what expires lives there when several processes
// share it. A command that is not answered in time fails at once; nothing is queued for later.
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { Cluster, Redis } from 'ioredis';
import { serviceUnavailable } from '../errors.ts';
import { storeAwaySaidMilliseconds } from '../limits/operations.ts';
import {
  redisCommandMilliseconds,
  redisConnectMilliseconds,
  redisReconnectMilliseconds,
  redisSilenceMilliseconds,
} from '../limits/stores.ts';
import type { Log } from '../log.ts';
import { parseRedisUrl, type RedisLocation } from './url.ts';

export type RedisClient = Redis | Cluster;

/** Connects by itself and again after every interruption; until then commands fail. */
export function connectRedis({ url, log }: { url: string; log: Log }): RedisClient {
  const location = parseRedisUrl(url);
  const redis = location.isCluster ? connectCluster(location) : connectServer(location);
  sayWhenAway(redis, location, log);
  return redis;
}

/** Without a listener an 'error' would end the process. It tries twice a second; a sentence every few seconds is enough. */
function sayWhenAway(redis: RedisClient, { host, port }: RedisLocation, log: Log): void {
  let saidAt = Number.NEGATIVE_INFINITY;
  redis.on('error', (error: Error) => {
    log.debug({ err: error }, 'redis failed');
    if (performance.now() - saidAt < storeAwaySaidMilliseconds) return;
    saidAt = performance.now();
    log.warn({ reason: reasonOf(error) }, `Redis does not answer at ${host}:${port} (REDIS_URL)`);
  });
  redis.on('ready', () => {
    if (saidAt > Number.NEGATIVE_INFINITY) log.info(`Redis answers at ${host}:${port}`);
    saidAt = Number.NEGATIVE_INFINITY;
  });
}

/** A Cluster says only that it found nobody; why, says the node that it asked last. */
function reasonOf(error: Error): string {
  if ('lastNodeError' in error && error.lastNodeError instanceof Error) return reasonOf(error.lastNodeError);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}

function connectServer({ host, port, database, prefix, ...rest }: RedisLocation): Redis {
  return new Redis({
    ...commonOptions(rest),
    host,
    port,
    db: database,
    keyPrefix: prefix,
    enableOfflineQueue: false,
    retryStrategy: reconnectDelay,
    // After a failover a name may lead to the new primary; the old one refuses writes.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  });
}

function connectCluster({ host, port, prefix, ...rest }: RedisLocation): Cluster {
  return new Cluster([{ host, port }], {
    redisOptions: commonOptions(rest),
    keyPrefix: prefix,
    enableOfflineQueue: false,
    clusterRetryStrategy: reconnectDelay,
    slotsRefreshTimeout: redisConnectMilliseconds,
    // A node's certificate carries its name, not its address.
    ...(rest.isTls && { dnsLookup: (name, callback) => callback(null, name) }),
  });
}

function commonOptions({
  username,
  password,
  isTls,
}: Pick<RedisLocation, 'username' | 'password' | 'isTls'>) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isTls && { tls: {} }),
    connectTimeout: redisConnectMilliseconds,
    // Commands of one moment leave in one packet; in a Cluster, one to each node.
    enableAutoPipelining: true,
    // A peer that vanished without closing the connection would otherwise hold it for a quarter of an hour.
    socketTimeout: redisSilenceMilliseconds,
    // What was under way when the connection broke has an unknown outcome: it fails, and is not sent twice.
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
  };
}

function reconnectDelay(attempts: number): number {
  return Math.min(attempts * 50, redisReconnectMilliseconds);
}

/** Waits for a Redis that is there, and goes on without one that is not: it may come at any time. */
export async function givenTime(redis: RedisClient): Promise<RedisClient> {
  if (redis.status !== 'ready') {
    await once(redis, 'ready', { signal: AbortSignal.timeout(redisConnectMilliseconds) }).catch(
      () => undefined,
    );
  }
  return redis;
}

/** A command's answer, or the 503 that callers may see. Every look-up comes through here: two closures and a timer. */
export function answerOf<T>(command: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(serviceUnavailable(new Error('Redis did not answer in time')));
    // A process that was busy for so long may have the answer and not have read it yet: it gets a round to do so.
    const beLate = () => setImmediate(() => setImmediate(giveUp));
    const timer = setTimeout(beLate, redisCommandMilliseconds);
    command.then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(serviceUnavailable(error));
      },
    );
  });
}

/** In Lua, for one key; a server that has seen it knows it by its hash. */
export type Script = { text: string; sha1: string };

export function createScript(text: string): Script {
  return { text, sha1: hash('sha1', text) };
}

/** The text travels only to a server that has not seen it: a new one, one that was restarted or failed over. */
export function runScript(
  redis: RedisClient,
  { text, sha1 }: Script,
  key: string,
  ...values: (string | number)[]
): Promise<unknown> {
  const answer = redis.evalsha(sha1, 1, key, ...values).catch((error: unknown) => {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    return redis.eval(text, 1, key, ...values);
  });
  return answerOf(answer);
}
