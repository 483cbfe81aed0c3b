// Sign-ins at a steady rate, whatever becomes of them, and a list of what the service acknowledged. Every person has a
// session, so a sign-in is the authorization request that comes back with a code, and the exchange; connections are kept
// and opened anew when a process dies, because on a small machine the driver takes its time from the service.
import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { sha256 } from '../../src/secrets.ts';
import type { Browser } from '../harness/browserless-browser.ts';
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
  port: number;
  rate: number;
  /** Sign-ins under way at once; when all are, the next one waits, and in the end is counted as not started. */
  lanes: number;
  clients: Client[];
  /** The Cookie header of each person. */
  cookies: string[];
};

/** Among what failed: sign-ins that were due and never begun. */
export const BEHIND = 'not started: the machine was behind';
/** A kept connection stays with one process; without an end, all would gather at the one that was not killed last. */
const SIGN_INS_PER_CONNECTION = 5;
const TICK_MILLISECONDS = 10;
const ANSWER_MILLISECONDS = 15_000;

/** What the browser would send with every request of its session. */
export function cookieHeader(browser: Browser): string {
  const pairs = browser.cookies().map(({ name, value }) => `${name}=${value}`);
  return pairs.join('; ');
}

/** @returns what happened, after the last answer. */
export async function drive(load: Load, isOver: () => boolean): Promise<Traffic> {
  const traffic: Traffic = { acknowledged: new Set(), attempted: 0, failed: {}, durations: [] };
  const startedAt = performance.now();
  const due = () => Math.floor(((performance.now() - startedAt) / 1000) * load.rate);
  await Promise.all(Array.from({ length: load.lanes }, () => runLane(load, traffic, { due, isOver })));
  const behind = due() - traffic.attempted;
  if (behind > 0) traffic.failed[BEHIND] = behind;
  return traffic;
}

async function runLane(
  load: Load,
  traffic: Traffic,
  { due, isOver }: { due: () => number; isOver: () => boolean },
): Promise<void> {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let uses = 0;
  while (!isOver()) {
    if (traffic.attempted >= due()) {
      await sleep(TICK_MILLISECONDS);
      continue;
    }
    const number = traffic.attempted;
    traffic.attempted += 1;
    uses += 1;
    if (uses % SIGN_INS_PER_CONNECTION === 0) {
      agent.destroy();
      agent = new Agent({ keepAlive: true, maxSockets: 1 });
    }
    const failure = await signIn(agent, load, { number, traffic });
    if (failure !== undefined) traffic.failed[failure] = (traffic.failed[failure] ?? 0) + 1;
  }
  agent.destroy();
}

/** @returns what went wrong; undefined when tokens arrived. */
async function signIn(
  agent: Agent,
  { port, clients, cookies }: Load,
  { number, traffic }: { number: number; traffic: Traffic },
): Promise<string | undefined> {
  const client = clients[number % clients.length];
  const cookie = cookies[Math.floor(number / clients.length) % cookies.length];
  if (!client || !cookie) throw new Error('nobody to sign in');
  const startedAt = performance.now();
  const attempt = startAttempt({ url: `http://127.0.0.1:${port}` }, client);
  const callback = await ask(agent, attempt.url, { headers: { cookie } });
  if (!callback) return 'authorize: connection broken';
  if (!callback.location.startsWith('https:')) return `authorize: ${callback.status}`;
  const { code } = readCallback(callback.location);
  if (!code) return 'authorize: no code';
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: client.clientId,
    client_secret: client.clientSecret ?? '',
    code,
    redirect_uri: client.redirectUris[0] ?? '',
    code_verifier: attempt.verifier,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': form.length };
  const answer = await ask(agent, `http://127.0.0.1:${port}/oauth/token`, { headers, form });
  if (!answer) return 'exchange: connection broken';
  if (answer.status !== 200) return `exchange: ${answer.status}`;
  traffic.acknowledged.add(sha256(code));
  traffic.durations.push(performance.now() - startedAt);
  return undefined;
}

type Answer = { status: number; location: string };

/** A complete answer; undefined when there was none. */
function ask(
  agent: Agent,
  url: string,
  { headers, form }: { headers: OutgoingHttpHeaders; form?: string },
): Promise<Answer | undefined> {
  return new Promise((done) => {
    const method = form === undefined ? 'GET' : 'POST';
    const sent = request(url, { method, agent, headers, timeout: ANSWER_MILLISECONDS }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      response
        .on('error', () => done(undefined))
        .on('close', () => done(undefined))
        .on('end', () => done(response.complete ? { status, location: received.location ?? '' } : undefined));
      response.resume();
    });
    sent.on('error', () => done(undefined)).on('timeout', () => sent.destroy());
    sent.end(form);
  });
}
