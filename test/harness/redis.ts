// Redis for tests: the machine's own server under a key prefix of the test's own, or a server that the test starts
// and may empty, stop and kill.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { createLog } from '../../src/log.ts';
import { connectRedis, type RedisClient } from '../../src/redis/client.ts';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { findProgram } from '../servers/program.ts';
import { freePort } from './free-port.ts';
import { chosenStores } from './stores.ts';
import { until } from './until.ts';

export type TestRedis = {
  url: string;
  client: RedisClient;
  /** Names of the test's own keys, without their prefix. */
  keys(): Promise<string[]>;
  /** The engine's records of one model. */
  records(model: string): Promise<Record<string, unknown>[]>;
  /** Lets time pass for everything in it: what would have expired by then is gone. */
  age(milliseconds: number): Promise<void>;
  /** What a key holds, as text. */
  dump(key: string): Promise<string>;
  /** The answer brings back what is in it now, and nothing else. */
  remember(): Promise<() => Promise<void>>;
  /** Removes the test's own keys and closes the connection. */
  remove(): Promise<void>;
};

export const server = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

/** On a connection of its own to the machine's server. */
export const askRedis = <T>(work: (redis: Redis) => Promise<T>): Promise<T> => withServer(server, work);

/** Whether Redis answers; where CI is set it must. */
export async function hasRedis(): Promise<boolean> {
  try {
    await askRedis((redis) => redis.ping());
    return true;
  } catch (error) {
    if (process.env.CI) throw error;
    return false;
  }
}

/** Whether tests can start servers of their own as well; a Redis in a container answers without bringing the program. */
export async function hasOwnRedis(): Promise<boolean> {
  if (!(await hasRedis())) return false;
  const isInstalled = (await findProgram('redis-server')) !== undefined;
  if (!isInstalled && process.env.CI) throw new Error('redis-server is required where CI is set');
  return isInstalled;
}

/** undefined in the project without Redis. */
export function connectTestRedis(): TestRedis | undefined {
  return chosenStores() === 'servers' ? openTestRedis() : undefined;
}

export function openTestRedis(address = server): TestRedis {
  const url = new URL(address);
  url.searchParams.set('prefix', `tollgate-test-${randomUUID()}:`);
  const { prefix } = parseRedisUrl(url.href);
  const client = connectRedis({ url: url.href, log: createLog({ level: 'silent' }) });
  const scanKeys = () => withServer(address, (redis) => scan(redis, `${prefix}*`));
  const keys = async () => (await scanKeys()).map((key) => key.slice(prefix.length));
  return {
    url: url.href,
    client,
    keys,
    async records(model) {
      const isRecord = new RegExp(`^${model}:[^:]+$`);
      const contents = (await keys())
        .filter((key) => isRecord.test(key))
        .map((key) => client.hget(key, 'payload'));
      return (await Promise.all(contents)).map((content) => JSON.parse(content ?? '{}'));
    },
    async age(milliseconds) {
      const all = await keys();
      const left = await Promise.all(all.map((key) => client.pttl(key)));
      await Promise.all(all.map((key, n) => client.pexpire(key, (left[n] ?? 0) - milliseconds)));
    },
    async dump(key) {
      const type = await client.type(key);
      if (type === 'hash') return JSON.stringify(await client.hgetall(key));
      if (type === 'zset') return JSON.stringify(await client.zrange(key, '0', '-1'));
      return String(await client.get(key));
    },
    async remember() {
      const copies = await Promise.all(
        (await keys()).map(async (key) => ({
          key,
          left: await client.pttl(key),
          content: await client.dumpBuffer(key),
        })),
      );
      return async () => {
        await Promise.all((await keys()).map((key) => client.del(key)));
        const back = copies.map(({ key, left, content }) =>
          client.restore(key, Math.max(0, left), content, 'REPLACE'),
        );
        await Promise.all(back);
      };
    },
    async remove() {
      client.disconnect();
      const left = await scanKeys();
      if (left.length > 0) await withServer(address, (redis) => redis.unlink(left));
    },
  };
}

async function scan(redis: Redis, pattern: string): Promise<string[]> {
  const found = new Set<string>();
  for await (const keys of redis.scanStream({ match: pattern, count: 1_000 })) {
    for (const key of keys) found.add(String(key));
  }
  return [...found];
}

async function withServer<T>(address: string, work: (redis: Redis) => Promise<T>): Promise<T> {
  const { host, port, username, password, database, isTls } = parseRedisUrl(address);
  const credentials = { ...(username && { username }), ...(password && { password }) };
  // The harness knows whom it talks to; whether the service checks the certificate is for the service's tests.
  const secure = isTls && { tls: { rejectUnauthorized: false } };
  const redis = new Redis({
    host,
    port,
    db: database,
    ...credentials,
    ...secure,
    lazyConnect: true,
    retryStrategy: () => null,
    // ioredis waits this long even for a connection that was refused; the test run would wait with it.
    disconnectTimeout: 20,
  });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await work(redis);
  } finally {
    redis.disconnect();
  }
}

/** Resolves when the client may send commands. */
export async function untilReady(client: RedisClient): Promise<void> {
  await until('Redis is ready', () => client.status, { isIt: (status) => status === 'ready', seconds: 60 });
}

export type OwnRedisServer = {
  url: string;
  port: number;
  pid: number;
  /** For commands that the service never sends. */
  command<T>(work: (redis: Redis) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

/** PEM of its certificate and key, for `localhost`. */
export type Secured = { cert: string; key: string; password: string };

type OwnRedisOptions = { port?: number; settings?: string[]; secured?: Secured };

/** A server of the test's own, on `port` when it follows another one that was stopped. */
export async function startOwnRedis(options: OwnRedisOptions = {}): Promise<OwnRedisServer> {
  if (options.port !== undefined) return startOnPort(options.port, options);
  // What was free a moment ago may be taken: other tests look for ports at the same time.
  for (let attempt = 1; attempt < STARTS; attempt += 1) {
    const server = await startOnPort(await lowFreePort(), options).catch(() => undefined);
    if (server) return server;
  }
  return startOnPort(await lowFreePort(), options);
}

const STARTS = 5;

async function startOnPort(port: number, options: OwnRedisOptions): Promise<OwnRedisServer> {
  const { secured } = options;
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-redis-'));
  const settings = [
    ...(secured ? await securitySettings(folder, port, secured) : ['--port', String(port)]),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    folder,
  ];
  const child = spawn('redis-server', [...settings, ...(options.settings ?? [])], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = secured
    ? `rediss://:${encodeURIComponent(secured.password)}@localhost:${port}`
    : `redis://127.0.0.1:${port}`;
  await untilAnswers(url, child);
  if (child.pid === undefined) throw new Error('redis-server has no process');
  return {
    url,
    port,
    pid: child.pid,
    command: (work) => withServer(url, work),
    async stop() {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Nobody gets in without TLS and the password. */
async function securitySettings(folder: string, port: number, secured: Secured): Promise<string[]> {
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await Promise.all([writeFile(cert, secured.cert), writeFile(key, secured.key)]);
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert];
  const access = ['--tls-auth-clients', 'no', '--requirepass', secured.password];
  return ['--port', '0', '--tls-port', String(port), ...files, ...access];
}

/** A node of a Cluster listens on the port 10,000 above as well. */
async function lowFreePort(): Promise<number> {
  const port = await freePort();
  return port < 55_000 ? port : lowFreePort();
}

async function untilAnswers(url: string, child: ChildProcess): Promise<void> {
  const ping = async () => {
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
    return withServer(url, (redis) => redis.ping()).catch(() => undefined);
  };
  await until('redis-server answers', ping, { everyMilliseconds: 50 }).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
}
