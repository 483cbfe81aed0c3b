// A start with one thing wrong: one sentence that names the variable and a way out, no words of a library, no stack.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environmentSchema, misspeltSettings, readConfig } from '../../src/config/config.ts';
import { diagnose } from '../../src/doctor/doctor.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, postgresAddress } from '../harness/database.ts';
import { untilItWorks } from '../harness/outage.ts';

const known = Object.keys(environmentSchema.shape);

function messageOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('settings', () => {
  test('whatever a variable holds, a refusal is in our words and names the variable', () => {
    for (const name of known) {
      for (const value of ['x', '-1', '0', '1e9', '999999999', 'http://', 'ON', ' ']) {
        try {
          readConfig({ [name]: value });
        } catch (error) {
          const { message } = error as Error;
          // Of a provider that needs several, it names those that are missing.
          expect(known.filter((each) => message.includes(each))).not.toEqual([]);
          expect([name, value, message]).not.toEqual([
            name,
            value,
            expect.stringMatching(/invalid (input|option)|expected|received|too (big|small)|NaN|undefined/i),
          ]);
        }
      }
    }
  });

  test('a value out of range hears the range, an unknown word the words that there are', () => {
    expect(() => readConfig({ PORT: '99999' })).toThrow('PORT: must be a whole number from 1 to 65,535.');
    expect(() => readConfig({ WORKERS: 'yes' })).toThrow('WORKERS: must be on or off.');
    expect(() => readConfig({ LOG_LEVEL: 'loud' })).toThrow(
      'LOG_LEVEL: must be debug, info, warn, error or silent.',
    );
    expect(() => readConfig({ LOG_LEVEL: 'loud' })).toThrow('.env.example explains every setting');
  });

  test('what is needed beside other settings is said at once, with what to put there and where', () => {
    const told = messageOf({ BASE_URL: 'https://id.example', DATABASE_URL: 'postgres://u@db/x' });
    expect(told).toMatch(/^SMTP_URL is required .*smtps:\/\/user:password@/m);
    expect(told).toMatch(/^TOLLGATE_SECRET is required .*`openssl rand -base64 48` prints.* every process/m);
    expect(told).toContain('environment or in .env');
  });

  test.each([
    ['DATABASE_URL', 'postgres://shop:pa/ss@db.example/tollgate'],
    ['DATABASE_URL', 'postgres://shop:12/34@db.example/tollgate'],
    ['DATABASE_URL', 'postgres://shop:p@ss/word@db.example/tollgate'],
    ['DATABASE_URL', 'postgres://shop:pa#ss@db.example/tollgate'],
    ['DATABASE_URL', 'postgres://shop:12?34@db.example/tollgate'],
    // What is left of `pa#ss@…` in a file .env, where # begins a comment.
    ['DATABASE_URL', 'postgres://shop:pa'],
    ['DATABASE_URL', 'postgres://shop:50%@db.example/tollgate'],
    ['REDIS_URL', 'redis://shop:50%@redis.example'],
    ['REDIS_URL', 'redis://shop:12/34@redis.example'],
    ['SMTP_URL', 'smtps://shop:12/34@mail.example'],
    ['SMTP_URL', 'smtps://shop:pa#ss@mail.example'],
  ])('%s with a password that has to be encoded (%s): how, and none of it is repeated', (name, value) => {
    const told = messageOf({ [name]: value });
    expect(told).toMatch(new RegExp(`^${name}: .*@ : / \\? # % .*percent-encoded.*encodeURIComponent`, 'm'));
    expect(told).not.toMatch(/shop|12|34|pa.ss|50/);
  });

  test('a password with an @ that is encoded, or the last one before the host, is read as it is', () => {
    const given = ['p%40ss%2Fw', 'p@ss'].map((password) => `postgres://shop:${password}@db.example/tollgate`);
    for (const value of given) expect(readConfig({ DATABASE_URL: value }).databaseUrl).toBe(value);
  });

  test.each([
    ['BASE_ULR', 'BASE_URL'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['REDIS_URI', 'REDIS_URL'],
    ['SMTPURL', 'SMTP_URL'],
    ['TOLLGATE_SERCET', 'TOLLGATE_SECRET'],
    ['WEBHOOK_ALOW_LOPBACK', 'WEBHOOK_ALLOW_LOOPBACK'],
  ])('%s: did you mean %s?', (name, meant) => {
    expect(misspeltSettings({ [name]: 'x' })).toEqual([`${name} is not a setting. Did you mean ${meant}?`]);
    expect(misspeltSettings({ [name]: 'x', [meant]: 'y' })).toEqual([]);
  });

  test('the doctor names a slip as well', async () => {
    const environment = { BASE_ULR: 'https://id.example' };
    const findings = await diagnose({ environment, notStarted: true, askService: async () => undefined });
    expect(findings[0]).toEqual({
      about: 'settings',
      state: 'warning',
      says: 'BASE_ULR is not a setting. Did you mean BASE_URL?',
      change: 'Rename it, or remove it.',
    });
  });

  test('what an ordinary environment holds is no slip of ours', () => {
    const usual = [
      'PATH',
      'HOME',
      'HOSTNAME',
      'POST',
      'USER',
      'LANG',
      'SHELL',
      'NODE_ENV',
      'BASE_PATH',
      'SMTP_HOST',
    ];
    expect(misspeltSettings(Object.fromEntries(usual.map((name) => [name, 'x'])))).toEqual([]);
  });
});

const describeServer = (await hasPostgres()) ? describe : describe.skip;
describeServer('PostgreSQL that answers, and refuses', () => {
  let tollgate: CommandLine;
  const server = postgresAddress();
  const addressOf = (path: string) => `postgres://${path.replace('@', `@${server.host}:${server.port}/`)}`;

  beforeAll(async () => {
    tollgate = await createCommandLine({ TOLLGATE_SECRET: 's'.repeat(48) });
  });
  afterAll(async () => {
    await tollgate.remove();
  });

  test.each([
    ['a role that is not there', 'nobody_at_all@postgres', /has no role "nobody_at_all" .*createuser/],
    ['a database that is not there', 'postgres@nothing_here', /has no database "nothing_here" .*createdb/],
  ])('%s', async (_name, path, sentence) => {
    for (const command of ['start', 'application list']) {
      const { code, stdout, stderr } = await tollgate.run(command, { DATABASE_URL: addressOf(path) });
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr).toMatch(/^tollgate: .*\(DATABASE_URL\).*\n$/);
    }
  });
});

test('a mail server that is away: the service is ready, and says so once', async () => {
  const tollgate = await createCommandLine({
    SMTP_URL: 'smtp://127.0.0.1:1',
    BASE_ULR: 'https://id.example',
  });
  const service = await tollgate.start();
  await untilItWorks(async () => {
    if (!service.stderr().includes('The mail server 127.0.0.1:1 takes no mail (SMTP_URL)'))
      throw new Error('not yet');
  });
  expect(service.stderr()).toMatch(/^tollgate: BASE_ULR is not a setting\. Did you mean BASE_URL\?\n/);
  await tollgate.remove();
});
