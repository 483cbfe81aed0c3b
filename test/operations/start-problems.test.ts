// A start with one thing wrong: one sentence that names the variable and a way out, no words of a library, no stack.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { environmentSchema, misspeltSettings, readConfig } from '../../src/config/config.ts';
import { diagnose } from '../../src/doctor/doctor.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasPostgres, postgresAddress } from '../harness/database.ts';
import { untilItWorks } from '../harness/outage.ts';

const known = Object.keys(environmentSchema.shape);

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
