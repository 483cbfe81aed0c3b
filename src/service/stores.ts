// Opens what the service keeps its state in, and the keys to read it: the embedded database under its exclusive
// lock, or PostgreSQL. The command line uses the same door, so both refuse each other in the same words.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { type Connection, openDatabase } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { explainOpenProblem } from '../database/open-problem.ts';
import { asServiceUnavailable, sqlState } from '../database/sql-state.ts';
import { TollgateError } from '../errors.ts';
import { storeAwaySaidMilliseconds } from '../limits/operations.ts';
import { startLockWaitMilliseconds } from '../limits/operator.ts';
import { databaseWaitPollMilliseconds } from '../limits/stores.ts';
import type { Log } from '../log.ts';
import type { Keys } from '../secrets.ts';
import { type DataDirectory, openDataDirectory, readOrCreateSecret } from './data-directory.ts';
import { placeTemplate } from './database-template.ts';
import { loadKeys } from './pairwise-key.ts';

export type Stores = {
  connection: Connection;
  keys: Keys;
  close(): Promise<void>;
};

type StoresOptions = {
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'secret'>;
  log: Log;
  /** How long to wait for another process to let go of the data directory. */
  lockWaitMilliseconds?: number;
  /** How long to wait for a PostgreSQL that does not answer yet; 0 gives up at once. */
  databaseWaitMilliseconds?: number;
};

/** Opened and brought to this release's schema. @throws TollgateError conflict when another process has them open. */
export async function openStores(options: StoresOptions): Promise<Stores> {
  const { config, log, lockWaitMilliseconds: wait = startLockWaitMilliseconds } = options;
  const { databaseWaitMilliseconds = 0 } = options;
  return config.databaseUrl
    ? openServerStores(config.databaseUrl, config, { wait, databaseWaitMilliseconds }, log)
    : openEmbeddedStores(config, wait);
}

async function openEmbeddedStores(
  config: StoresOptions['config'],
  waitMilliseconds: number,
): Promise<Stores> {
  return underLock(config, waitMilliseconds, async (directory) => {
    const folder = join(directory.path, 'database');
    const databaseExists = await access(folder).then(
      () => true,
      () => false,
    );
    const secret = config.secret ?? (await readOrCreateSecret(directory, databaseExists));
    await placeTemplate(folder);
    const connection = await openMigrated({ folder });
    return { connection, keys: await keysOf(connection, secret) };
  });
}

/** What is opened in the data directory keeps its lock until it is closed. */
async function underLock<T extends { connection: Connection }>(
  { dataDir }: StoresOptions['config'],
  waitMilliseconds: number,
  open: (directory: DataDirectory) => Promise<T>,
): Promise<T & Pick<Stores, 'close'>> {
  const directory = await openDataDirectory({ path: dataDir, waitMilliseconds });
  try {
    const opened = await open(directory);
    return {
      ...opened,
      async close() {
        await opened.connection.close();
        await directory.release();
      },
    };
  } catch (error) {
    await directory.release();
    throw error;
  }
}

/** The lock on the data directory is held only while the secret is read: the state itself is in PostgreSQL. */
async function openServerStores(
  databaseUrl: string,
  config: StoresOptions['config'],
  waits: { wait: number; databaseWaitMilliseconds: number },
  log: Log,
): Promise<Stores> {
  const secret = config.secret ?? (await readSecretFile(config.dataDir, waits.wait));
  const onError = (error: Error) => log.warn({ err: error }, 'an idle database connection broke');
  const open = () => openMigrated({ databaseUrl, onError });
  const connection = await onceItAnswers(open, {
    databaseUrl,
    log,
    waitMilliseconds: waits.databaseWaitMilliseconds,
  });
  return { connection, keys: await keysOf(connection, secret), close: () => connection.close() };
}

/** Everything may be started at once, the database last. */
async function onceItAnswers(
  open: () => Promise<Connection>,
  { databaseUrl, waitMilliseconds, log }: { databaseUrl: string; waitMilliseconds: number; log: Log },
): Promise<Connection> {
  let saidAt = Number.NEGATIVE_INFINITY;
  const giveUpAt = performance.now() + waitMilliseconds;
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!isUnavailable(error)) throw explainOpenProblem(error, databaseUrl);
      const away = `PostgreSQL does not answer at ${new URL(databaseUrl).host} (DATABASE_URL)`;
      if (performance.now() >= giveUpAt)
        throw new TollgateError('service_unavailable', `${away}.`, { cause: error });
      if (performance.now() - saidAt >= storeAwaySaidMilliseconds) {
        log.warn({ reason: sqlState(error) ?? 'no answer' }, `${away}. Waiting for it`);
        saidAt = performance.now();
      }
      await sleep(databaseWaitPollMilliseconds);
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return asServiceUnavailable(error) !== error;
}

/** Without keys, for a copy: the file brings its own, sealed, and an empty database must stay empty until then. */
export async function openForCopy(options: StoresOptions): Promise<Omit<Stores, 'keys'>> {
  const { config, lockWaitMilliseconds: waitMilliseconds = startLockWaitMilliseconds } = options;
  const { databaseUrl } = config;
  if (databaseUrl) {
    const open = () => openMigrated({ databaseUrl });
    const connection = await onceItAnswers(open, { databaseUrl, log: options.log, waitMilliseconds: 0 });
    return { connection, close: () => connection.close() };
  }
  return underLock(config, waitMilliseconds, async ({ path }) => ({
    connection: await openMigrated({ folder: join(path, 'database') }),
  }));
}

async function readSecretFile(dataDir: string, waitMilliseconds: number): Promise<string> {
  const directory = await openDataDirectory({ path: dataDir, waitMilliseconds });
  try {
    return await readOrCreateSecret(directory, false);
  } finally {
    await directory.release();
  }
}

/** A secret that does not open the database must not leave it open. */
async function keysOf(connection: Connection, secret: string): Promise<Keys> {
  try {
    return await loadKeys(connection.db, secret, systemClock());
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function openMigrated(options: Parameters<typeof openDatabase>[0]): Promise<Connection> {
  const connection = await openDatabase(options);
  try {
    await migrate(connection);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
