// Traffic during an outage: people who sign in again and again, and a count of what the service acknowledged, so that
// a test can take a store away meanwhile and compare afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { type Browser, createBrowser } from './browserless-browser.ts';
import { signInAs } from './browserless-person.ts';
import { type Answer, answerOf, exchange, readCallback, startAttempt } from './client.ts';
import { measure } from './stopwatch.ts';
import type { RegisteredApplication, TestTollgate } from './tollgate.ts';
import { until } from './until.ts';

/** Promise 50: the first success after a store accepts again. */
const RECOVERY_MILLISECONDS = 2_000;
const MILLISECONDS_BETWEEN_TRIES = 100;
const PATIENCE_MILLISECONDS = 60_000;

export type Code = { code: string; verifier: string };

export type SignedInPerson = {
  email: string;
  browser: Browser;
  /** Without a page: the session is enough. @throws when the service does not answer with a callback. */
  newCode(scope?: string): Promise<Code>;
};

/** Registers, and so has a session and has consented; the registration is exchanged as well. */
export async function registerPerson(
  service: TestTollgate,
  application: RegisteredApplication,
  email: string,
): Promise<SignedInPerson> {
  const browser = createBrowser();
  const scope = 'openid email profile offline_access';
  const attempt = startAttempt(service, application, { scope });
  const callback = await signInAs({ authorizationUrl: attempt.url, browser, email, name: 'Ada Lovelace' });
  const { code = '' } = readCallback(callback);
  const answer = await exchange(service, application, { code, verifier: attempt.verifier });
  if (answer.status !== 200) throw new Error(`the registration failed with ${answer.status}`);
  return {
    email,
    browser,
    async newCode(wanted = 'openid email profile') {
      const next = startAttempt(service, application, { scope: wanted });
      const arrival = await browser.open(next.url);
      if (!('leftTo' in arrival)) throw new Error(`a page with status ${arrival.page.status}`);
      return { code: readCallback(arrival.leftTo).code ?? '', verifier: next.verifier };
    },
  };
}

export type Traffic = {
  /** Status of every exchange so far. */
  statuses: number[];
  /** What went wrong before there was a code. */
  refusals: string[];
  stop(): Promise<void>;
};

/** Each person signs in, exchanges, and begins again. */
export function startTraffic(
  service: TestTollgate,
  application: RegisteredApplication,
  people: SignedInPerson[],
): Traffic {
  const traffic = { statuses: [] as number[], refusals: [] as string[] };
  let isStopping = false;
  const walk = async (person: SignedInPerson) => {
    while (!isStopping) {
      try {
        const answer = await exchange(service, application, await person.newCode());
        traffic.statuses.push(answer.status);
      } catch (error) {
        traffic.refusals.push(String(error));
        await sleep(20);
      }
    }
  };
  const walks = Promise.all(people.map(walk));
  return {
    ...traffic,
    async stop() {
      isStopping = true;
      await walks;
    },
  };
}

/** Milliseconds until `work` first resolves. */
export async function untilItWorks(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await until('it works', () => succeeds(work), {
    seconds: PATIENCE_MILLISECONDS / 1000,
    everyMilliseconds: 50,
  });
  return performance.now() - startedAt;
}

/**
 * From the moment that a store accepts again (now): somebody begins ten times a second, and the first one succeeds
 * within two seconds. What the same work takes right afterwards, with nothing wrong, is the machine's share.
 */
export async function expectQuickRecovery(work: () => Promise<unknown>): Promise<void> {
  const succeeded = Promise.withResolvers<true>();
  const tries: Promise<void>[] = [];
  const begin = async () => {
    if (await succeeds(work)) succeeded.resolve(true);
  };
  const trying = setInterval(() => tries.push(begin()), MILLISECONDS_BETWEEN_TRIES);
  tries.push(begin());
  const recovery = await measure(() =>
    Promise.race([succeeded.promise, sleep(PATIENCE_MILLISECONDS, false, { ref: false })]),
  );
  clearInterval(trying);
  await Promise.all(tries);
  const healthy = await measure(() => untilItWorks(work));
  expect(recovery.value).toBe(true);
  expect(recovery.milliseconds - healthy.milliseconds).toBeLessThan(RECOVERY_MILLISECONDS);
}

function succeeds(work: () => Promise<unknown>): Promise<boolean> {
  return work().then(
    () => true,
    () => false,
  );
}

/** A complete sign-in of somebody who has a session. */
export async function signInAgain(
  service: TestTollgate,
  application: RegisteredApplication,
  person: SignedInPerson,
): Promise<Answer> {
  const answer = await exchange(service, application, await person.newCode());
  if (answer.status !== 200) throw new Error(`the exchange failed with ${answer.status}`);
  return answer;
}

/** What promise 50 asks for while a store is away: as JSON for programs, as a page for people. */
export async function askEverywhere(service: TestTollgate): Promise<{ json: Answer[]; page: Response }> {
  const { url } = service;
  const form = {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'authorization_code', client_id: 'x' }),
  };
  const programs = [
    fetch(`${url}/oauth/token`, form),
    fetch(`${url}/oauth/userinfo`, { headers: { authorization: `Bearer ${'x'.repeat(43)}` } }),
  ];
  const json = await Promise.all(programs.map(async (response) => answerOf(await response)));
  const parameters = new URLSearchParams({
    client_id: 'client_unknown',
    response_type: 'code',
    scope: 'openid',
  });
  const page = await fetch(`${url}/oauth/authorize?${parameters}`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  return { json, page };
}
