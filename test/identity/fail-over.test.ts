// A Redis whose replica took over without the last moment (threat 109): what its owner had ended in that moment is not
// alive again, because SQL says what has ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { open, ours, type Tokens, tryTokens } from '../account-page/account-lab.ts';
import type { Browser } from '../harness/browserless-browser.ts';
import { hasPostgres, openTestPostgres } from '../harness/database.ts';
import { hasRedis, type OwnRedisServer, startOwnRedis } from '../harness/redis.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import {
  askSilently,
  DEAD,
  endAllOthers,
  endListed,
  enterOwnPages,
  formFor,
  outcomeOf,
  PASSWORD,
  type Place,
  recoverAccount,
  registerWithPassword,
  SAFARI,
  SIGNED_IN,
  tokensFor,
} from './identity-lab.ts';

const onServers = (await hasPostgres()) && (await hasRedis()) ? describe : describe.skip;

onServers('after a fail-over of Redis that lost its last moment', () => {
  let redis: OwnRedisServer;
  let service: TestTollgate;
  let place: Place;
  let number = 0;
  let email: string;
  let phone: Browser;
  let tokens: Tokens;
  beforeAll(async () => {
    redis = await startOwnRedis();
    service = await startTollgate({ REDIS_URL: redis.url }, openTestPostgres);
    place = { service, application: await service.register() };
  });
  afterAll(async () => {
    await service?.stop();
    await redis?.stop();
  });
  beforeEach(async () => {
    number += 1;
    email = `failed.over.${number}@example.com`;
    phone = await registerWithPassword(place, { email, browser: ours(SAFARI) });
    tokens = await tokensFor(place, email, phone);
    // So that nothing depends on two things in one second.
    await sleep(1_100);
  });

  /** What the replica had before; it takes over when `lose` is called. */
  async function copyRedis(): Promise<{ lose(): Promise<void> }> {
    const copy = await redis.command(async (commands) => {
      const keys = await commands.keys('*');
      return Promise.all(
        keys.map(async (key) => ({
          key,
          value: await commands.dumpBuffer(key),
          milliseconds: Math.max(0, await commands.pttl(key)),
        })),
      );
    });
    return {
      lose: () =>
        redis.command(async (commands) => {
          await commands.flushall();
          for (const { key, value, milliseconds } of copy)
            if (value) await commands.restore(key, milliseconds, value);
        }),
    };
  }

  const atAccount = async () =>
    (await enterOwnPages(place, '/account', { email, password: PASSWORD })).browser;

  async function expectOver(browser: Browser): Promise<void> {
    expect(await askSilently(place, browser)).toBe('login_required');
    expect(outcomeOf(await browser.open(`${service.url}/account`))).toBe('sign-in');
    expect(await tryTokens(service, place.application, tokens)).toEqual(DEAD);
  }

  test('a session that its owner ended from the list is still over', async () => {
    const desk = await atAccount();
    const replica = await copyRedis();
    await endListed(place, desk);
    // Not asked of the phone, which would forget the cookie of a session that is over.
    expect(await tryTokens(service, place.application, tokens)).toEqual(DEAD);
    await replica.lose();
    await expectOver(phone);
  });

  test('so are all the others that were ended at once, and the one that asked goes on', async () => {
    const desk = await atAccount();
    const replica = await copyRedis();
    await endAllOthers(place, desk);
    await replica.lose();
    await expectOver(phone);
    expect(await askSilently(place, desk)).toBe(SIGNED_IN);
  });

  test('so is one that was signed out by its person', async () => {
    const page = await open(service, phone, '/oauth/logout');
    const copied = ours();
    for (const cookie of phone.cookies()) copied.plant(service.url, cookie);
    const replica = await copyRedis();
    const form = formFor(page, '/oauth/logout/confirm');
    const yes = form.buttons.find(({ value }) => value === 'yes');
    await phone.submit(page, form, {}, yes);
    await replica.lose();
    await expectOver(copied);
  });

  test('so is what was there before a recovery', async () => {
    const replica = await copyRedis();
    await recoverAccount(place, { email });
    await replica.lose();
    await expectOver(phone);
  });
});
