// `tollgate export` and `tollgate import`: the whole of a service's data as one file (from the embedded database to
// PostgreSQL, say), and what is known of a person, to hand over or to delete.
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { readConfig } from './config.ts';
import { exportDatabase, importDatabase } from './database-copy.ts';
import { readEnvironment } from './environment.ts';
import { commandLockWaitMilliseconds } from './limits.ts';
import { createLog } from './log.ts';
import type { Answer } from './operation.ts';
import { openForCopy } from './stores.ts';

type Show = (answer: Answer, options: { json?: true }) => void;

export function addDataCommands(program: Command, show: Show): void {
  program
    .command('export')
    .description(
      'write everything into a file (stop the embedded service first); keep it as safe as the secret',
    )
    .argument('<file>', 'must not exist yet')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ npx tollgate export tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => show(await runExport(file), options));
  program
    .command('import')
    .description('read such a file into an empty database; needs the same TOLLGATE_SECRET to be of use')
    .argument('<file>', 'as `tollgate export` wrote it')
    .option('--json', 'print the answer as JSON, for scripts')
    .addHelpText('after', '\nExample:\n  $ DATABASE_URL=postgres://… npx tollgate import tollgate.ndjson')
    .action(async (file: string, options: { json?: true }) => show(await runImport(file), options));
}

async function runExport(file: string): Promise<Answer> {
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

async function runImport(file: string): Promise<Answer> {
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
