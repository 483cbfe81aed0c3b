// Where the command finds the data, as a real process: a directory, a file .env, a database elsewhere or away.
import { readFile, realpath, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, openTestPostgres } from '../harness/database.ts';

describe('where the data is', () => {
  test('a wrong directory is noticed, not filled with an empty database', async () => {
    const tollgate = await createCommandLine();
    const { code, stderr } = await tollgate.run('application list');
    expect(code).toBe(1);
    const { 1: folder = '' } = /^tollgate: There is no Tollgate data in (\/.+\/data)\. /.exec(stderr) ?? [];
    expect(folder).toBe(join(await realpath(tollgate.directory), 'data'));
    expect(stderr).toContain('Run this in the folder where the service was started');
    await expect(stat(join(tollgate.directory, 'data'))).rejects.toThrow('ENOENT');
    await tollgate.remove();
  });

  test('a data directory with a path too long for a socket works all the same', async () => {
    const dataDir = `deep/${'directory-'.repeat(12)}`;
    const tollgate = await createCommandLine({ DATA_DIR: dataDir });
    const service = await tollgate.start();
    const { data } = await tollgate.json('application list');
    expect(data).toHaveLength(2);
    const socket = await readFile(join(tollgate.directory, dataDir, 'socket-path'), 'utf8');
    expect((await stat(socket)).mode & 0o777).toBe(0o600);
    expect((await stat(join(socket, '..'))).mode & 0o777).toBe(0o700);
    expect(await service.stop('SIGTERM')).toBe(0);
    await expect(stat(join(socket, '..'))).rejects.toThrow('ENOENT');
    await tollgate.remove();
  });

  test('settings may be in a file .env; the environment wins', async () => {
    const tollgate = await createCommandLine({ CURRENCY: 'CHF' });
    await writeFile(join(tollgate.directory, '.env'), 'DATA_DIR=./elsewhere\nCURRENCY=USD\nSIGN_IN_PRICE=\n');
    await tollgate.json('migrate');
    const made = await tollgate.json('workspace create --name x');
    expect(made).toMatchObject({ currency: 'CHF', signInPrice: '0.020000' });
    expect((await stat(join(tollgate.directory, 'elsewhere/secret'))).isFile()).toBe(true);
    await tollgate.remove();
  });
});

test('a value that a file .env ends at # is refused, by the name of its variable and without the value', async () => {
  const tollgate = await createCommandLine();
  const file = join(tollgate.directory, '.env');
  await writeFile(file, 'DATABASE_URL=postgres://shop:canary@s/w#rd@db.example/x\n');
  for (const command of ['application list', 'doctor', 'start']) {
    const { code, stdout, stderr } = await tollgate.run(command);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tollgate: DATABASE_URL in \.env ends at its #, .* %23 .* quotes.*\n$/);
    expect(stderr).not.toContain('canary');
  }
  await writeFile(
    file,
    'DATA_DIR=./data # here\n# A#B\nMAIL_FROM="Shop #1 <shop@shop.example>"\nEDITOR=a#b\nPORT=#\n',
  );
  expect((await tollgate.run('application list')).stderr).toContain('There is no Tollgate data');
  await tollgate.remove();
});

const withPostgres = (await hasPostgres()) ? describe : describe.skip;

withPostgres('with DATABASE_URL', () => {
  test('commands go straight to PostgreSQL', async () => {
    const database = await openTestPostgres();
    const tollgate = await createCommandLine({ DATABASE_URL: database.databaseUrl ?? '' });
    await tollgate.json('workspace create --name Server');
    const { applicationId } = await tollgate.json(
      `application create --name Shop --callback https://shop.example/callback`,
    );
    const credited = await tollgate.json(`credit ${applicationId} 1 --reference r`);
    expect(credited).toMatchObject({ balance: '1.000000' });
    expect(await tollgate.json('ledger verify')).toMatchObject({ ok: true });
    await tollgate.remove();
    await database.remove();
  });
});

test('a database that is away is named, without its password', async () => {
  const away = await createCommandLine({ DATABASE_URL: 'postgres://tollgate:hunter2@127.0.0.1:1/none' });
  const { code, stderr } = await away.run('workspace list');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^tollgate: .*127\.0\.0\.1:1.*\n$/);
  expect(stderr).not.toContain('hunter2');
  await away.remove();
});
