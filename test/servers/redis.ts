// Redis for `npm run servers`: a server of our own that writes no data to disk.
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseRedisUrl } from '../../src/redis/url.ts';
import { askRedis, server } from '../harness/redis.ts';
import { needProgram, runProgram } from './program.ts';
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

const NAME = 'Redis';
const LEAST = 7;

export function createRedisServer(): TestServer {
  const { host, port } = parseRedisUrl(server);
  const folder = ownFolder('redis', port);
  const pidFile = join(folder, 'pid');
  const isOurs = async () => {
    const pid = await readFile(pidFile, 'utf8').catch(() => '');
    if (pid === '' || !(await listensAt({ host, port }))) return false;
    return (await askServer('process_id')) === pid.trim();
  };

  return {
    name: NAME,
    url: withoutPassword(server),
    program: 'redis-server',
    packages: ['redis-server'],
    isProgramUsed: true,
    listens: () => listensAt({ host, port }),
    async start() {
      onLoopback(NAME, { host, port });
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { mode: 0o700 });
      await runProgram(await needProgram('redis-server'), [
        ...[
          '--port',
          String(port),
          '--bind',
          '127.0.0.1',
          '--save',
          '',
          '--appendonly',
          'no',
          '--dir',
          folder,
        ],
        ...['--daemonize', 'yes', '--pidfile', pidFile, '--logfile', join(folder, 'log')],
      ]);
    },
    async version() {
      const version = await untilAnswers(() => askServer('redis_version'), isStarting).catch(
        (error: unknown) => {
          throw new Error(
            `${NAME} answers at ${host}:${port}, but not to the tests: ${messageOf(error)}\n` +
              'Name another server, or its password, with TEST_REDIS_URL.',
          );
        },
      );
      return atLeast(NAME, version, LEAST);
    },
    async stop() {
      const isRunning = await isOurs();
      // It answers nothing to this but the end of the connection.
      if (isRunning) await askRedis((redis) => redis.shutdown('NOSAVE')).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
      return isRunning;
    },
  };
}

async function askServer(field: string): Promise<string> {
  const information = await askRedis((redis) => redis.info('server'));
  return new RegExp(`^${field}:(.+?)\r?$`, 'm').exec(information)?.[1] ?? '';
}

/** A server that forks into the background listens a moment later; one with data loads them first. */
function isStarting(error: unknown): boolean {
  return error instanceof Error && /ECONNREFUSED|Connection is closed|LOADING/.test(error.message);
}
