// What `tollgate export` and `tollgate import` do: the whole of a service's data into one file, and back. A file of its
// own because it loads the database, which commands through the socket of a running service do without.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { readConfig } from '../config/config.ts';
import { commandLockWaitMilliseconds } from '../limits/operator.ts';
import { createLog } from '../log.ts';
import type { Answer } from '../operator/operation.ts';
import { exportDatabase, importDatabase } from '../service/database-copy.ts';
import { readEnvironment } from '../service/environment.ts';
import { openForCopy } from '../service/stores.ts';

export async function runExport(file: string): Promise<Answer> {
  const output = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await once(output, 'open');
  try {
    const report = await withDatabase((db) =>
      exportDatabase(db, async (line) => {
        if (!output.write(`${line}\n`)) await once(output, 'drain');
      }),
    );
    output.end();
    await once(output, 'close');
    return { file, ...report };
  } catch (error) {
    output.destroy();
    // Half a file must not be taken for a backup.
    await rm(file, { force: true });
    throw error;
  }
}

export async function runImport(file: string): Promise<Answer> {
  return { file, ...(await withDatabase((db) => importDatabase(db, readLines(file)))) };
}

/** Opened at the first line that is asked for: readline loses what it reads before somebody listens. */
async function* readLines(file: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

async function withDatabase<T>(use: (db: Parameters<typeof exportDatabase>[0]) => Promise<T>): Promise<T> {
  const stores = await openForCopy({
    config: readConfig(readEnvironment()),
    log: createLog({ level: 'silent' }),
    lockWaitMilliseconds: commandLockWaitMilliseconds,
  });
  try {
    return await use(stores.connection.db);
  } finally {
    await stores.close();
  }
}
