// PostgreSQL for `npm run servers`: a cluster of our own in a temporary folder, which lets everybody on loopback in and is
// thrown away when it is stopped. Debian's clusters are left alone.
import { access, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresAddress, postgresVersion, server } from '../harness/database.ts';
import { isRoot, needProgram, runProgram } from './program.ts';
import {
  atLeast,
  listensAt,
  messageOf,
  onLoopback,
  ownFolder,
  type TestServer,
  untilAnswers,
  withoutPassword,
} from './server.ts';

const NAME = 'PostgreSQL';
const LEAST = 15;
/** SQLSTATE of a server that is still starting. */
const STARTING = '57P03';
/** The same order of texts as in production containers; other systems do not have it under this name. */
const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C';

export function createPostgresServer(): TestServer {
  const { host, port } = postgresAddress();
  const user = decodeURIComponent(new URL(server).username) || 'postgres';
  const folder = ownFolder('postgres', port);
  const data = join(folder, 'data');
  const log = join(folder, 'log');

  return {
    name: NAME,
    url: withoutPassword(server),
    program: 'initdb',
    packages: ['postgresql'],
    isProgramUsed: false,
    listens: () => listensAt({ host, port }),
    async start() {
      onLoopback(NAME, { host, port });
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      if (isRoot) await runProgram('chown', ['postgres:', folder]);
      await asOwner(folder, 'initdb', [
        ...['--pgdata', data, '--username', user, '--auth', 'trust', '--no-sync'],
        ...['--encoding', 'UTF8', '--locale', locale],
      ]);
      // What makes commits durable stays on: `tollgate doctor` objects to a server without it, and its tests look.
      const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
      await asOwner(folder, 'pg_ctl', [
        'start',
        '--wait',
        '--pgdata',
        data,
        '--log',
        log,
        '--options',
        settings,
      ]);
    },
    async version() {
      const version = await untilAnswers(postgresVersion, isStarting).catch((error: unknown) => {
        const credentials = new URL(server).password
          ? `${user} with this password`
          : `${user} without a password`;
        throw new Error(
          `${NAME} answers at ${host}:${port}, but not to ${credentials}: ${messageOf(error)}\n` +
            'Let that user in (pg_hba.conf), or name another server or user with TEST_POSTGRES_URL.',
        );
      });
      return atLeast(NAME, version, LEAST);
    },
    async stop() {
      const isOurs = await exists(data);
      if (!isOurs) return false;
      const isRunning = await exists(join(data, 'postmaster.pid'));
      if (isRunning)
        await asOwner(folder, 'pg_ctl', ['stop', '--wait', '--mode', 'immediate', '--pgdata', data]);
      await rm(folder, { recursive: true, force: true });
      return isRunning;
    },
  };
}

/** It refuses to run as root, and so runs as the user that Debian's package made. */
async function asOwner(cwd: string, name: string, words: string[]): Promise<void> {
  const program = await needProgram(name);
  // By its path: root's own programs need not be on the path of whoever became root.
  if (isRoot) await runProgram('/usr/sbin/runuser', ['-u', 'postgres', '--', program, ...words], { cwd });
  else await runProgram(program, words, { cwd });
}

function isStarting(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === STARTING;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
