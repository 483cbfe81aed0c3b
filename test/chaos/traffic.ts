// Sign-ins at a steady rate, whatever becomes of them, and a list of what the service acknowledged.
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../src/secrets.ts';
import type { Browser } from '../browserless-browser.ts';
import { type Client, readCallback, startAttempt } from '../harness/client.ts';

export type Traffic = {
  /** SHA-256 of each code whose exchange was answered with tokens: as the ledger writes it. */
  acknowledged: Set<string>;
  attempted: number;
  /** By what happened instead. */
  failed: Record<string, number>;
  /** Milliseconds from the first request to the tokens. */
  durations: number[];
};

export type Load = {
  url: string;
  rate: number;
  /** More than this at once are not started: the machine cannot keep up. */
  mostAtOnce: number;
  clients: Client[];
  browsers: Browser[];
};

const TICK_MILLISECONDS = 10;
const ANSWER_MILLISECONDS = 15_000;

/** @returns what happened, after the last answer. */
export async function drive(load: Load, isOver: () => boolean): Promise<Traffic> {
  const traffic: Traffic = { acknowledged: new Set(), attempted: 0, failed: {}, durations: [] };
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let skipped = 0;
  while (!isOver()) {
    const due = Math.floor(((performance.now() - startedAt) / 1000) * load.rate);
    while (traffic.attempted + skipped < due) {
      if (underWay.size >= load.mostAtOnce) {
        skipped += 1;
        continue;
      }
      traffic.attempted += 1;
      const one = signIn(load, traffic).finally(() => underWay.delete(one));
      underWay.add(one);
    }
    await sleep(TICK_MILLISECONDS);
  }
  await Promise.all(underWay);
  if (skipped > 0) traffic.failed['not started: the machine was behind'] = skipped;
  return traffic;
}

async function signIn({ url, clients, browsers }: Load, traffic: Traffic): Promise<void> {
  const number = traffic.attempted;
  const client = clients[number % clients.length];
  const browser = browsers[Math.floor(number / clients.length) % browsers.length];
  if (!client || !browser) throw new Error('nobody to sign in');
  const fail = (reason: string) => {
    traffic.failed[reason] = (traffic.failed[reason] ?? 0) + 1;
  };
  const startedAt = performance.now();
  const attempt = startAttempt({ url }, client);
  const arrival = await browser.open(attempt.url).catch(() => undefined);
  if (!arrival) return fail('authorize: connection broken');
  if (!('leftTo' in arrival)) return fail(`authorize: ${arrival.page.status}`);
  const { code } = readCallback(arrival.leftTo);
  if (!code) return fail('authorize: no code');
  const status = await exchange(url, client, { code, verifier: attempt.verifier });
  if (status === undefined) return fail('exchange: connection broken');
  if (status !== 200) return fail(`exchange: ${status}`);
  traffic.acknowledged.add(sha256(code));
  traffic.durations.push(performance.now() - startedAt);
}

const agent = new Agent({ keepAlive: false });

/** The status of a complete answer; undefined when there was none. */
function exchange(
  url: string,
  client: Client,
  given: { code: string; verifier: string },
): Promise<number | undefined> {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client.clientId,
    client_secret: client.clientSecret ?? '',
    code: given.code,
    redirect_uri: client.redirectUris[0] ?? '',
    code_verifier: given.verifier,
  }).toString();
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((done) => {
    const post = request(
      new URL('/oauth/token', url),
      { method: 'POST', agent, headers, timeout: ANSWER_MILLISECONDS },
      (response) => {
        response
          .on('error', () => done(undefined))
          .on('end', () => done(response.complete ? response.statusCode : undefined));
        response.on('close', () => done(undefined));
        response.resume();
      },
    );
    post.on('error', () => done(undefined)).on('timeout', () => post.destroy());
    post.end(body);
  });
}
