// How passwords are judged, stored and compared.
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createPasswords, passwordProblem } from '../../src/accounts/password.ts';
import { TollgateError } from '../../src/errors.ts';
import { passwordConcurrentHashes, passwordWaitingHashes } from '../../src/limits/credentials.ts';

const passwords = createPasswords({ concurrency: passwordConcurrentHashes });
const RIGHT = 'tractor velvet mango cliff';

describe('passwords at rest', () => {
  test('a hash is argon2id with the documented cost, and different each time', async () => {
    const [first, second] = [await passwords.hash(RIGHT), await passwords.hash(RIGHT)];
    expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(first).not.toBe(second);
    expect(first).not.toContain(RIGHT);
  });

  test('only the right password verifies; case, spaces at the ends and truncation matter', async () => {
    const hash = await passwords.hash(RIGHT);
    expect(await passwords.verify(hash, RIGHT)).toBe(true);
    for (const wrong of [
      RIGHT.toUpperCase(),
      ` ${RIGHT}`,
      `${RIGHT} `,
      RIGHT.slice(0, -1),
      `${RIGHT}\0`,
      '',
    ]) {
      expect(await passwords.verify(hash, wrong)).toBe(false);
    }
  });

  test('a hash that another argon2id implementation made with other costs verifies', async () => {
    // The reference command line tool: echo -n "password" | argon2 somesalt -id -t 2 -k 65536 -p 1 -l 32
    const reference =
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
    expect(await passwords.verify(reference, 'password')).toBe(true);
    expect(await passwords.verify(reference, 'passwore')).toBe(false);
  });

  test('the same keys on different systems are the same password: composed, decomposed, no-break space', async () => {
    const hash = await passwords.hash('Käse und Brötchen am Sonntag');
    expect(await passwords.verify(hash, 'Ka\u0308se und Bro\u0308tchen am\u00a0Sonntag')).toBe(true);
    expect(await passwords.verify(hash, 'Kase und Brotchen am Sonntag')).toBe(false);
  });

  test('without a stored hash, or with a broken one, the answer is no', async () => {
    for (const nothing of [undefined, null, '', 'plain', '$argon2id$v=19$m=19456,t=2,p=1$$', '$2b$10$abc']) {
      expect(await passwords.verify(nothing, RIGHT)).toBe(false);
    }
  });

  test('threat 30: comparing costs the same with and without a stored hash (CPU floor of 40 alternated pairs)', async () => {
    const hash = await passwords.hash(RIGHT);
    const floor = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY };
    const measure = async (kind: keyof typeof floor, stored: string | undefined) => {
      const start = process.cpuUsage();
      await passwords.verify(stored, 'a wrong password indeed');
      const { user, system } = process.cpuUsage(start);
      floor[kind] = Math.min(floor[kind], (user + system) / 1000);
    };
    for (let round = 0; round < 40; round += 1) {
      await measure('known', hash);
      await measure('unknown', undefined);
    }
    // A missing decoy costs 20 ms; floors on an overloaded machine differed by up to 2.4.
    expect(Math.abs(floor.known - floor.unknown)).toBeLessThan(6);
  }, 180_000);

  test('a flood is refused instead of waiting for minutes, and the ones admitted all finish', async () => {
    const flooded = createPasswords({ concurrency: 1 });
    const extra = 20;
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1 + passwordWaitingHashes + extra }, () => flooded.verify(null, RIGHT)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(extra);
    for (const { reason } of refused) {
      expect(reason).toBeInstanceOf(TollgateError);
      expect(reason).toMatchObject({ code: 'service_unavailable', retryAfterSeconds: 2 });
    }
    expect(await flooded.verify(null, RIGHT)).toBe(false);
  });
});

describe('new passwords', () => {
  const context = ['anna.kowalczyk@example.com', 'Anna Kowalczyk', 'Tollgate', 'Blumenladen'];

  test.each([
    ['four random words', RIGHT],
    ['random characters', 'x7$Kq!m2Rz@9wLp'],
    ['lower-case letters only: no composition rules', 'qzvbtkwmxjfplyd'],
    ['other scripts', 'гармошка лунный трактор'],
    ['emoji count as one character each', '🦊🌵🚲🎻🧦🍋🪁🐙🎈🔭🧩🥁🛶🌋🦉'],
    ['256 characters', randomBytes(128).toString('hex')],
  ])('accepts %s', async (_case, password) => {
    expect(await passwordProblem(password, context)).toBeUndefined();
  });

  test.each([
    ['', 'too_short'],
    ['x7$Kq!m2Rz@9wL', 'too_short'],
    ['🦊🌵🚲🎻🧦🍋🪁🐙🎈🔭🧩🥁🛶🌋', 'too_short'],
    [randomBytes(129).toString('hex'), 'too_long'],
    ['passwordpassword', 'too_guessable'],
    ['aaaaaaaaaaaaaaaaaaaa', 'too_guessable'],
    ['123456789012345', 'too_guessable'],
    ['qwertyuiopasdfg', 'too_common'],
    ['1q2w3e4r5t6y7u8i', 'too_common'],
    ['P@ssw0rd1234567', 'too_common'],
    ['iloveyouiloveyou', 'too_guessable'],
    ['anna.kowalczyk@example.com', 'too_guessable'],
    ['AnnaKowalczyk2026', 'too_guessable'],
    ['anna.kowalczyk!!!', 'too_guessable'],
    ['BlumenladenBlumenladen', 'too_guessable'],
  ])('refuses %s: %s', async (password, problem) => {
    expect(await passwordProblem(password, context)).toBe(problem);
  });

  test('a password that is a known one as a whole is called common', async () => {
    // The longest entries of the list that reach 15 characters.
    const { dictionary } = await import('@zxcvbn-ts/language-common');
    const long = dictionary['passwords-common'].filter((word) => word.length >= 15);
    expect(long.length).toBeGreaterThan(5);
    for (const password of long.slice(0, 20)) expect(await passwordProblem(password, [])).toBeDefined();
    const problems = await Promise.all(long.map((password) => passwordProblem(password, [])));
    expect(problems).toContain('too_common');
  });

  test('judging the worst input takes no noticeable time', async () => {
    await passwordProblem(RIGHT, []);
    const worst = ['4@8({[<3£6|9!1/70$5+%2', 'p@ssw0rd', '19840312', 'a4b8c(d{e3f6g9i!l1o0s5t7x%z2'];
    for (const text of worst) {
      const start = process.cpuUsage();
      await passwordProblem(text.repeat(40).slice(0, 256), context);
      const { user, system } = process.cpuUsage(start);
      expect((user + system) / 1000).toBeLessThan(500);
    }
  });
});
