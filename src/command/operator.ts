// How a command reaches the database: through the service that runs on the same data directory, by opening the
// embedded database itself under the same lock, or directly where DATABASE_URL says.
import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { TollgateError } from '../errors.ts';
import { commandLockWaitMilliseconds, dataDirectoryLockPollMilliseconds } from '../limits/operator.ts';
import { createLog } from '../log.ts';
import type { Answer } from '../operator/operation.ts';
import type { Operator } from '../operator/operator.ts';
import { connectOperator } from '../operator/socket.ts';
import { showProofProgress } from './progress.ts';

type Reached = { operator: Operator; close(): Promise<void> };

export async function withOperator<T>(config: Config, use: (operator: Operator) => Promise<T>): Promise<T> {
  const { operator, close } = await reach(config);
  try {
    return await use(operator);
  } finally {
    await close();
  }
}

/** A running embedded service has migrated its own database when it started. */
export async function migrateStores(config: Config): Promise<Answer> {
  if (config.databaseUrl || !(await connectOperator(config.dataDir))) {
    const { openStores } = await import('../service/stores.ts');
    const stores = await openStores({ config, log: createLog({ level: 'silent' }) });
    await stores.close();
  }
  return { upToDate: true };
}

/** A service may be starting or stopping on the directory right now, so both ways are tried in turn. */
async function reach(config: Config): Promise<Reached> {
  if (config.databaseUrl) return openDirectly(config);
  for (let waited = 0; ; waited += dataDirectoryLockPollMilliseconds) {
    const operator = await connectOperator(config.dataDir);
    if (operator) return { operator, close: async () => undefined };
    await requireDatabase(config.dataDir);
    try {
      return await openDirectly(config);
    } catch (error) {
      const isTaken = error instanceof TollgateError && error.code === 'conflict';
      if (!isTaken || waited >= commandLockWaitMilliseconds) throw error;
    }
    await sleep(dataDirectoryLockPollMilliseconds);
  }
}

/** A wrong working directory should be noticed, not filled with an empty database. */
async function requireDatabase(dataDir: string): Promise<void> {
  const exists = await access(join(dataDir, 'lock')).then(
    () => true,
    () => false,
  );
  if (exists) return;
  throw new TollgateError(
    'not_found',
    `There is no Tollgate data in ${resolve(dataDir)}. Run this in the folder where the service was started, start it here once, or say with DATA_DIR where its data is.`,
  );
}

/** The imports are here because they load the database, which a command through the socket does not need. */
async function openDirectly(config: Config): Promise<Reached> {
  const { openStores } = await import('../service/stores.ts');
  const log = createLog({ level: 'silent' });
  const { connection, keys, close } = await openStores({ config, log, lockWaitMilliseconds: 0 });
  try {
    const { createDirectOperator } = await import('../operator/direct.ts');
    const progress = showProofProgress();
    const direct = createDirectOperator({
      connection,
      keys,
      config,
      log,
      clock: systemClock,
      onProgress: progress.onProgress,
    });
    return {
      operator: direct.operator,
      async close() {
        progress.clear();
        await direct.close();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
