// One life of the service inside this process: the real house on wires that end at its death. Starting it takes a
// tenth of what a process takes, which is what makes ten thousand deaths affordable; deaths of real processes are
// in test/outage/crash.test.ts.
import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { drizzle } from 'drizzle-orm/pglite';
import { readConfig } from '../../src/config/config.ts';
import { type Connection, openDatabase } from '../../src/database/connection.ts';
import { createLog } from '../../src/log.ts';
import type { Operator } from '../../src/operator/operator.ts';
import type { Keys } from '../../src/secrets.ts';
import { createTollgate } from '../../src/tollgate.ts';
import type { TestDatabase } from '../harness/database.ts';
import type { Fuse } from './fuse.ts';
import { gate } from './gate.ts';
import { startWire } from './wire.ts';

export type Surroundings = {
  database: TestDatabase;
  keys: Keys;
  /** Where people and companies reach the service, whichever life it is in. */
  port: number;
  smtpPort: number;
  redisUrl?: string | undefined;
  caFile: string;
  clock: () => Date;
};

export type Instance = { logLines: string[]; operator: Operator; bury(): Promise<void> };

export async function startInstance(surroundings: Surroundings, fuse: Fuse): Promise<Instance> {
  const { database, keys, port, clock, caFile, redisUrl } = surroundings;
  const local = { host: '127.0.0.1' };
  const smtp = await startWire({
    name: 'mail server',
    fuse,
    to: { ...local, port: surroundings.smtpPort },
    service: 'caller',
  });
  const redis = redisUrl
    ? await startWire({ name: 'redis', fuse, to: addressOf(redisUrl, 6379), service: 'caller' })
    : undefined;
  const stored = await connectDatabase(database, fuse);
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const config = readConfig({
    BASE_URL: `http://127.0.0.1:${port}`,
    RATE_LIMIT_FACTOR: '1000',
    LOG_LEVEL: 'warn',
    WEBHOOK_ALLOW_LOOPBACK: 'on',
    WEBHOOK_CA_FILE: caFile,
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    ...(stored.databaseUrl && { DATABASE_URL: stored.databaseUrl }),
    ...(redis && redisUrl && { REDIS_URL: withPort(redisUrl, redis.port) }),
  });
  const tollgate = await createTollgate({
    config,
    log: createLog({ level: config.logLevel, destination }),
    clock,
    stores: { connection: stored.connection, keys, close: async () => undefined },
  });
  const server = createServer(tollgate.provider.callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const door = await startWire({
    name: 'client',
    fuse,
    to: { ...local, port: address.port },
    service: 'called',
    port,
  });
  return {
    logLines,
    operator: tollgate.operator,
    /** What the kernel does with the remains; the port is free again when this resolves. */
    async bury() {
      fuse.blow('end');
      await door.cut();
      server.closeAllConnections();
      server.close();
      stored.release();
      await Promise.all([smtp.cut(), redis?.cut(), stored.cut()]);
      // Timers and pools of the dead instance, which can reach nothing any more.
      void tollgate
        .stop()
        .catch(() => undefined)
        .finally(() => stored.close().catch(() => undefined));
    },
  };
}

async function connectDatabase(database: TestDatabase, fuse: Fuse) {
  const { connection, databaseUrl } = database;
  if (connection.kind === 'pglite') {
    const { pglite, release } = gate(connection.pglite, fuse);
    const gated: Connection = { ...connection, pglite, db: drizzle(pglite) };
    return {
      connection: gated,
      databaseUrl: undefined,
      release,
      cut: async () => undefined,
      close: async () => undefined,
    };
  }
  if (!databaseUrl) throw new Error('PostgreSQL needs an address');
  const wire = await startWire({
    name: 'database',
    fuse,
    to: addressOf(databaseUrl, 5432),
    service: 'caller',
  });
  const url = withPort(databaseUrl, wire.port);
  const opened = await openDatabase({ databaseUrl: url });
  return {
    connection: opened,
    databaseUrl: url,
    release: () => undefined,
    cut: wire.cut,
    close: opened.close,
  };
}

function addressOf(url: string, usualPort: number): { host: string; port: number } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port || usualPort) };
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
}
