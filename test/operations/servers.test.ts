// `npm run servers`, as the command that somebody types, on ports where nothing listens: what it starts, what it leaves
// alone, and what it says of a server that does not let the tests in.
import { execFile } from 'node:child_process';
import { access, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { freePort } from '../harness/free-port.ts';
import { findProgram } from '../servers/program.ts';
import { ownFolder } from '../servers/server.ts';

type Result = { code: number; said: string; complained: string };

const arePresent =
  (await findProgram('initdb')) !== undefined && (await findProgram('redis-server')) !== undefined;
const describeServers = arePresent || process.env.CI ? describe : describe.skip;
const command = resolve(import.meta.dirname, '../servers/run.ts');

function servers(environment: Record<string, string>, ...words: string[]): Promise<Result> {
  // Any program will do as the browser: nothing is to be installed here.
  const env = { PATH: process.env.PATH ?? '', CHROMIUM: process.execPath, ...environment };
  return new Promise((done) => {
    execFile(process.execPath, [command, ...words], { env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, said: stdout, complained: stderr });
    });
  });
}

async function freeAddresses() {
  const [postgres, redis] = [await freePort(), await freePort()];
  const environment = {
    TEST_POSTGRES_URL: `postgres://postgres@127.0.0.1:${postgres}/postgres`,
    TEST_REDIS_URL: `redis://127.0.0.1:${redis}`,
  };
  return { environment, folders: [ownFolder('postgres', postgres), ownFolder('redis', redis)] };
}

async function queryOne(address: string, statement: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query(statement)).rows[0];
  } finally {
    await client.end();
  }
}

async function redisConfig(address: string): Promise<string[]> {
  const redis = new Redis(address);
  try {
    return (await redis.config('GET', 'save', 'appendonly', 'bind')) as string[];
  } finally {
    redis.disconnect();
  }
}

describeServers('npm run servers', () => {
  let begun: Record<string, string> | undefined;
  afterEach(async () => {
    if (begun) await servers(begun, 'stop');
  });

  test('starts what does not answer, says what, uses it the next time, and ends it with nothing left on disk', async () => {
    const { environment, folders } = await freeAddresses();
    begun = environment;
    const first = await servers(environment);
    expect(first).toMatchObject({ code: 0, complained: '' });
    expect(first.said).toMatch(
      /^Started PostgreSQL and Redis; .+\nPostgreSQL \d.+ at .+\nRedis \d.+ at .+\n$/,
    );
    for (const address of Object.values(environment)) expect(first.said).toContain(address);

    expect(await queryOne(environment.TEST_POSTGRES_URL, 'show server_encoding')).toEqual({
      server_encoding: 'UTF8',
    });
    expect(await redisConfig(environment.TEST_REDIS_URL)).toEqual(
      expect.arrayContaining(['save', '', 'appendonly', 'no', 'bind', '127.0.0.1']),
    );

    const second = await servers(environment);
    expect(second).toMatchObject({ code: 0, said: expect.stringMatching(/^Started nothing: both answer\./) });

    expect(await servers(environment, 'stop')).toMatchObject({ said: 'Stopped PostgreSQL and Redis.\n' });
    for (const folder of folders) await expect(access(folder)).rejects.toThrow('ENOENT');
    expect(await servers(environment, 'stop')).toMatchObject({
      said: expect.stringMatching(/^Stopped nothing/),
    });
  });

  test('fails for a PostgreSQL that wants a password, says so, and does not stop what it did not start', async () => {
    const { environment, folders } = await freeAddresses();
    begun = environment;
    await servers(environment);
    const [folder = ''] = folders;
    await writeFile(`${folder}/data/pg_hba.conf`, 'host all all 127.0.0.1/32 scram-sha-256\n');
    await queryOne(environment.TEST_POSTGRES_URL, 'select pg_reload_conf()');
    const refused = await servers(environment);
    expect(refused).toMatchObject({ code: 1, said: '' });
    expect(refused.complained).toContain('but not to postgres without a password');

    // On other ports nothing was started, whatever else runs on this machine.
    const others = await freeAddresses();
    expect(await servers(others.environment, 'stop')).toMatchObject({
      said: expect.stringMatching(/^Stopped nothing/),
    });
  });

  test('starts nothing on another machine', async () => {
    // 192.0.2.0/24 is nobody's.
    const { environment } = await freeAddresses();
    const answer = await servers({
      ...environment,
      TEST_POSTGRES_URL: 'postgres://postgres@192.0.2.1:5432/postgres',
    });
    expect(answer).toMatchObject({ code: 1, said: '' });
    expect(answer.complained).toContain('only on this machine could it be started');
  });
});
