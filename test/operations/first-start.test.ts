// A newcomer's first minutes (promise 48): `tollgate start` in an empty directory, twice, three times, and after kill -9.
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type CommandLine, createCommandLine, type Service } from '../harness/command-line.ts';

type Secrets = {
  applicationId: string;
  clientId: string;
  clientSecret: string;
  apiKey: string;
  webhook: string;
};

function secretsIn(welcome: string): Secrets {
  const after = (label: string) => new RegExp(`${label} +(\\S+)`).exec(welcome)?.[1] ?? '';
  return {
    applicationId: after('applicationId'),
    clientId: after('Client ID'),
    clientSecret: after('Client Secret'),
    apiKey: after('API key'),
    webhook: after('Signing secret'),
  };
}

async function mode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

async function customersStatus(service: Service, { applicationId, apiKey }: Secrets): Promise<number> {
  const answer = await fetch(`${service.url}/v1/applications/${applicationId}/customers?limit=1`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  return answer.status;
}

async function keyIds(service: Service): Promise<string[]> {
  const answer: { keys: { kid: string }[] } = await (await fetch(`${service.url}/oauth/jwks`)).json();
  return answer.keys.map(({ kid }) => kid);
}

describe('the first start in an empty directory', () => {
  let tollgate: CommandLine;
  let first: Service;
  let secrets: Secrets;
  let kids: string[];

  beforeAll(async () => {
    tollgate = await createCommandLine({ LOG_LEVEL: 'debug' });
    first = await tollgate.start();
    secrets = secretsIn(first.stdout());
    kids = await keyIds(first);
  });
  afterAll(() => tollgate.remove());

  test('the welcome says issuer, discovery, development inbox and what to try next', async () => {
    const welcome = first.stdout();
    expect(welcome).toContain(`Issuer     ${first.url}\n`);
    expect(welcome).toContain(`${first.url}/.well-known/openid-configuration`);
    expect(welcome).toContain(`${first.url}/dev/inbox`);
    expect(welcome).toContain('npm run demo');
    const discovery = await fetch(`${first.url}/.well-known/openid-configuration`);
    expect(await discovery.json()).toMatchObject({ issuer: first.url });
    expect((await fetch(`${first.url}/dev/inbox.json`)).status).toBe(200);
  });

  test('the data directory is for its owner only: directories 0700, files and socket 0600', async () => {
    const data = join(tollgate.directory, 'data');
    expect(await mode(data)).toBe('700');
    expect(await mode(join(data, 'database'))).toBe('700');
    for (const file of ['secret', 'lock', 'pid', 'tollgate.sock']) {
      expect([file, await mode(join(data, file))]).toEqual([file, '600']);
    }
    expect((await readFile(join(data, 'secret'), 'utf8')).trim()).toMatch(/^[\w-]{43}$/);
  });

  test('a demo company is there: both kinds of application with a balance, an API key, a webhook', async () => {
    expect(await tollgate.json('application list')).toMatchObject({
      data: [
        {
          applicationId: secrets.applicationId,
          clientId: secrets.clientId,
          clientType: 'confidential',
          balance: '10.000000',
        },
        { clientType: 'public', balance: '10.000000' },
      ],
    });
    expect(await customersStatus(first, secrets)).toBe(200);
    // Its receiver is on this machine, where nothing is sent unless WEBHOOK_ALLOW_LOOPBACK says so.
    expect(await tollgate.json('webhook list')).toMatchObject({ data: [{ status: 'paused' }] });
  });

  test('threat 99: a second process on the same directory refuses with one clear sentence', async () => {
    const second = await tollgate.run('start');
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(
      new RegExp(
        `^tollgate: The data directory .*/data is in use by another Tollgate process \\(pid ${first.pid}\\)\\. `,
      ),
    );
    expect(second.stdout).toBe('');
    expect(await customersStatus(first, secrets)).toBe(200);
  });

  test('threat 92: what the console showed once is in no line of the log', () => {
    const log = first.stderr();
    expect(log).toContain('"path":"/oauth/jwks"');
    for (const secret of [secrets.clientSecret, secrets.apiKey, secrets.webhook]) {
      expect(secret).toMatch(/\S{30}/);
      expect(log).not.toContain(secret);
    }
  });

  test('SIGTERM ends it with exit code 0 and leaves neither socket nor pid behind', async () => {
    expect(await first.stop('SIGTERM')).toBe(0);
    for (const file of ['pid', 'tollgate.sock']) {
      await expect(stat(join(tollgate.directory, 'data', file))).rejects.toThrow('ENOENT');
    }
  });

  test('started again it keeps keys and balances, and shows no secret a second time', async () => {
    const again = await tollgate.start();
    for (const secret of [secrets.clientSecret, secrets.apiKey, secrets.webhook]) {
      expect(again.stdout()).not.toContain(secret);
    }
    expect(again.stdout()).not.toMatch(/secret/i);
    expect(await customersStatus(again, secrets)).toBe(200);
    expect(await keyIds(again)).toEqual(kids);
    await tollgate.json(`credit ${secrets.clientId} 2.50 --reference before-the-crash`);

    // kill -9 right after the answer: the lock is free at once and the credit is there.
    await again.stop('SIGKILL');
    const afterCrash = await tollgate.start();
    expect(await tollgate.json('application list')).toMatchObject({
      data: [{ balance: '12.500000' }, {}],
    });
    expect(await customersStatus(afterCrash, secrets)).toBe(200);
    expect(await keyIds(afterCrash)).toEqual(kids);
    expect(await tollgate.json('ledger verify')).toMatchObject({ ok: true });
    expect(await tollgate.json('accounts verify')).toMatchObject({ ok: true });
    expect(await afterCrash.stop('SIGINT')).toBe(0);
  });

  test('it does not invent a new secret for an old database', async () => {
    await rm(join(tollgate.directory, 'data/secret'));
    const result = await tollgate.run('start');
    expect(result).toMatchObject({ code: 1, stdout: '' });
    expect(result.stderr).toMatch(/secret is missing, but the database beside it was written with a secret/);
  });
});

describe('a start that cannot succeed', () => {
  test('a port that is taken: one sentence, and the demo secrets come with the start that succeeds', async () => {
    const tollgate = await createCommandLine();
    const other = createServer().listen(tollgate.port, '127.0.0.1');
    const refused = await tollgate.run('start');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr: `tollgate: Port ${tollgate.port} on 127.0.0.1 is taken by another program; choose another one with PORT.\n`,
    });
    await new Promise((closed) => other.close(closed));
    const service = await tollgate.start();
    expect(service.stdout()).toContain('shown now and never again');
    await tollgate.remove();
  });

  test('a wrong setting is named, without a stack trace', async () => {
    const tollgate = await createCommandLine({ BASE_URL: 'http://id.example.com' });
    const { code, stderr } = await tollgate.run('start');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tollgate: BASE_URL must start with https/);
    expect(stderr).not.toMatch(/\n\s+at /);
    await tollgate.remove();
  });

  test('a data directory that cannot be made is named', async () => {
    const tollgate = await createCommandLine();
    await writeFile(join(tollgate.directory, 'data'), 'a file');
    const { code, stderr } = await tollgate.run('start');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tollgate: The data directory .*\/data cannot be used: /);
    await tollgate.remove();
  });

  test('another secret than the one that the database was written with: it ends, and says so', async () => {
    const tollgate = await createCommandLine();
    const service = await tollgate.start();
    await service.stop('SIGKILL');
    await writeFile(join(tollgate.directory, 'data/secret'), `${'x'.repeat(43)}\n`);
    const { code, stdout, stderr } = await tollgate.run('start');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^tollgate: .*secret.*\n$/im);
    expect(stderr).not.toMatch(/\n\s+at /);
    await tollgate.remove();
  });

  test("a directory that holds somebody else's files keeps its mode", async () => {
    const tollgate = await createCommandLine();
    const data = join(tollgate.directory, 'data');
    await mkdir(data, { mode: 0o755 });
    await writeFile(join(data, 'thesis.txt'), 'mine');
    await tollgate.json('migrate');
    expect(await mode(data)).toBe('755');
    expect(await mode(join(data, 'secret'))).toBe('600');
    expect(await mode(join(data, 'database'))).toBe('700');
    await tollgate.remove();
  });
});
