// The directory of the embedded service (DATA_DIR): who may open it, who has it open, and the secret that it
// makes for itself. Everything in it belongs to one process at a time; the kernel gives the lock back even
// after kill -9, so a restart is immediate.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { TollgateError } from '../errors.ts';
import { dataDirectoryLockPollMilliseconds } from '../limits/operator.ts';
import { secretMinimumCharacters } from '../limits/server.ts';

export type DataDirectory = {
  /** Absolute. */
  path: string;
  release(): Promise<void>;
};

const files = { lock: 'lock', pid: 'pid', secret: 'secret' };

/**
 * Creates the directory if needed and takes it for this process alone, waiting at most `waitMilliseconds`.
 * @throws TollgateError conflict when another process has it, server_error when it cannot be used at all.
 */
export async function openDataDirectory(options: {
  path: string;
  waitMilliseconds: number;
}): Promise<DataDirectory> {
  const path = resolve(options.path);
  await explained(path, () => makePrivate(path));
  const lock = await acquireLock(path, options.waitMilliseconds);
  await writeFile(join(path, files.pid), `${process.pid}\n`, { mode: 0o600 });
  return {
    path,
    // The closure also keeps the handle from being collected, which would silently end the lock.
    async release() {
      if (!lock.isOpen) return;
      await rm(join(path, files.pid), { force: true });
      lock.close();
    },
  };
}

/**
 * The secret from which every key of the embedded service is derived, made on the first start. Call it with
 * the lock held. `databaseExists` guards against making a second one for data that only the first can open.
 */
export async function readOrCreateSecret(directory: DataDirectory, databaseExists: boolean): Promise<string> {
  const file = join(directory.path, files.secret);
  const existing = await readFile(file, 'utf8').catch(undefinedIfMissing);
  if (existing !== undefined) return checkedSecret(existing.trim(), file);
  if (databaseExists) {
    throw new TollgateError(
      'server_error',
      `${file} is missing, but the database beside it was written with a secret. Put the file back, or set TOLLGATE_SECRET to the secret that was used.`,
    );
  }
  const secret = randomBytes(32).toString('base64url');
  // Written whole and then renamed: a process killed half-way leaves no half secret behind.
  await writeFile(`${file}.new`, `${secret}\n`, { mode: 0o600, flush: true });
  await rename(`${file}.new`, file);
  return secret;
}

function checkedSecret(secret: string, file: string): string {
  if (secret.length >= secretMinimumCharacters) return secret;
  throw new TollgateError('server_error', `${file} does not hold a whole secret; restore it from a backup.`);
}

async function makePrivate(path: string): Promise<void> {
  const created = await mkdir(path, { recursive: true, mode: 0o700 });
  if (created !== undefined) return;
  const entries = await readdir(path);
  // A directory full of someone else's files (DATA_DIR=/tmp by mistake) keeps the mode it has.
  if (entries.length > 0 && !entries.includes(files.lock)) return;
  const { mode } = await stat(path);
  if ((mode & 0o077) !== 0) await chmod(path, 0o700);
}

async function acquireLock(path: string, waitMilliseconds: number): Promise<DatabaseSync> {
  const attempts = Math.floor(waitMilliseconds / dataDirectoryLockPollMilliseconds);
  for (let attempt = 0; ; attempt += 1) {
    const lock = await explained(path, () => tryLock(join(path, files.lock)));
    if (lock) return lock;
    if (attempt >= attempts) throw inUse(path, await holder(path));
    await new Promise((wake) => setTimeout(wake, dataDirectoryLockPollMilliseconds));
  }
}

/** An SQLite file is used for nothing but its lock: the one kernel-backed file lock that Node has built in. */
async function tryLock(file: string): Promise<DatabaseSync | undefined> {
  await writeFile(file, '', { flag: 'a', mode: 0o600 });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Error && /database is locked/.test(error.message)) return undefined;
    throw error;
  }
}

async function holder(path: string): Promise<string> {
  const pid = await readFile(join(path, files.pid), 'utf8').catch(undefinedIfMissing);
  return pid === undefined ? '' : ` (pid ${pid.trim()})`;
}

function inUse(path: string, pid: string): TollgateError {
  return new TollgateError(
    'conflict',
    `The data directory ${path} is in use by another Tollgate process${pid}. Stop that process first, or choose another directory with DATA_DIR.`,
  );
}

async function explained<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TollgateError('server_error', `The data directory ${path} cannot be used: ${reason}`, {
      cause,
    });
  }
}

function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
