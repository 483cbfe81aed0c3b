// Exchanges of a crash: codes of browsers and of devices, with and without a key that the tokens are bound to; and what is
// asked of them afterwards.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { sha256 } from '../../src/secrets.ts';
import type { Arrival, Browser } from '../harness/browserless-browser.ts';
import { type Answer, exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { beginDevice, letIn, poll } from '../harness/device.ts';
import type { Violation } from '../harness/invariants.ts';
import { createProofKey, type ProofKey, profile } from './proof-key.ts';
import type { Random } from './random.ts';
import { countRows, type RegisteredClient, type World } from './world.ts';

/** `bound`: its tokens are bound to a key of the client (DPoP). */
export type Kind = 'code' | 'device' | 'bound';
/** `isDevice`: the code is a device's, whose sign-in somebody has confirmed. */
export type Made = {
  client: RegisteredClient;
  code: string;
  verifier: string;
  twice: boolean;
  isDevice: boolean;
  key?: ProofKey;
};
export type Answered = { made: Made; statuses: (number | undefined)[]; accessToken: string | undefined };

/** A charge whose answer was lost is given up after eight seconds, and looked for each second. */
const REPAIR_MILLISECONDS = 15_000;
const DEVICE_SHARE = 0.25;
const BOUND_SHARE = 0.15;
const MOST_ATTEMPTS = 100;
const QUIET_MILLISECONDS = 60;

/** Straight from a session: signed in before, agreed before. */
export async function newCode(
  world: World,
  client: RegisteredClient,
  { random, kind }: { random: Random; kind: Kind },
): Promise<Made> {
  const { browser } = random.pick(world.people);
  // A backend that sends the same exchange twice at once.
  const twice = random.next() < 0.1;
  if (kind === 'device') {
    await openWhenReady(browser, `${world.url}/device`);
    const { deviceCode, userCode } = await beginDevice(world, client);
    await letIn(world, browser, userCode);
    return { client, code: deviceCode, verifier: '', twice, isDevice: true };
  }
  const attempt = startAttempt(world, client, { scope: 'openid email profile' });
  const arrival = await openWhenReady(browser, attempt.url);
  if (!('leftTo' in arrival)) throw new Error(`a page instead of a code: ${arrival.page.html.slice(0, 300)}`);
  const { code = '' } = readCallback(arrival.leftTo);
  const made: Made = { client, code, verifier: attempt.verifier, twice, isDevice: false };
  if (kind !== 'bound') return made;
  made.key = await createProofKey(world);
  // Without a nonce of the service's no code is spent.
  await exchangeOnce(world, made);
  return made;
}

export function kindOf(random: Random): Kind {
  const share = random.next();
  if (share < DEVICE_SHARE) return 'device';
  return share < DEVICE_SHARE + BOUND_SHARE ? 'bound' : 'code';
}

/** A new life answers 503 until Redis is connected. */
export async function openWhenReady(browser: Browser, url: string): Promise<Arrival> {
  for (let attempts = 1; ; attempts += 1) {
    const arrival = await browser.open(url);
    if (!('page' in arrival) || arrival.page.status !== 503 || attempts >= MOST_ATTEMPTS) return arrival;
    await sleep(QUIET_MILLISECONDS);
  }
}

export async function exchangeMade(world: World, made: Made): Promise<Answered> {
  const answers = await Promise.all([
    exchangeOnce(world, made),
    ...(made.twice ? [exchangeOnce(world, made)] : []),
  ]);
  const success = answers.find((answer) => answer?.status === 200);
  const accessToken = success && String(success.body.access_token);
  return { made, statuses: answers.map((answer) => answer?.status), accessToken };
}

/** undefined: the connection broke before the whole answer was there. */
async function exchangeOnce(
  world: World,
  { client, code, verifier, isDevice, key }: Made,
): Promise<Answer | undefined> {
  const headers = { connection: 'close', ...(key && { dpop: await key.prove('POST', '/oauth/token') }) };
  const sent = isDevice
    ? poll(world, client, { deviceCode: code }, {}, headers)
    : exchange(world, client, { code, verifier, headers });
  const answer = await sent.catch(() => undefined);
  if (answer) key?.hear(answer);
  return answer;
}

/**
 * Tokens that a company holds outlive the crash. Before anybody repeats an exchange: that ends the session's tokens,
 * which is why rounds with a double exchange are left out.
 */
export async function checkTokens(world: World, results: Answered[]): Promise<Violation[]> {
  if (results.some(({ made }) => made.twice)) return [];
  const rows: Record<string, unknown>[] = [];
  const check = async ({ made, accessToken }: Answered) => {
    if (!accessToken) return;
    const ask = () => profile(world, accessToken, made.key);
    let { status } = await ask();
    for (let attempts = 1; status === 503 && attempts < MOST_ATTEMPTS; attempts += 1) {
      await sleep(QUIET_MILLISECONDS);
      ({ status } = await ask());
    }
    if (status !== 200) rows.push({ status, code: sha256(made.code) });
    else if (made.key && (await userinfo(world, accessToken)).status === 200)
      rows.push({ what: 'a bound token is good without its key', code: sha256(made.code) });
  };
  await Promise.all(results.map(check));
  return rows.length > 0 ? [{ oracle: 'an acknowledged access token is gone', rows }] : [];
}

/** A 503 is no answer yet: the same request may be sent again. */
async function exchangeWhenReady(world: World, made: Made) {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await exchangeOnce(world, made);
    if ((answer && answer.status !== 503) || attempts >= MOST_ATTEMPTS) return answer;
    await sleep(QUIET_MILLISECONDS);
  }
}

export async function checkExchange(world: World, { made, statuses }: Answered): Promise<Violation[]> {
  const charges = () => countEvents(world, made, { standing: false });
  const rows: Record<string, unknown>[] = [];
  const complain = (what: string, details: object = {}) =>
    rows.push({ what, code: sha256(made.code), statuses, ...details });
  const successes = statuses.filter((status) => status === 200).length;
  const before = await charges();
  if (successes > 1) complain('a code was exchanged twice');
  const standing = await countEvents(world, made, { standing: true });
  if (successes === 1 && standing !== 1) complain('an acknowledged sign-in has no charge', { standing });
  const retry = await exchangeWhenReady(world, made);
  const after = await charges();
  const allowed = retry?.status === 200 || (retry?.status === 400 && isRefusal(retry.body.error));
  if (!allowed)
    complain('the retry was neither a success nor a refusal', { status: retry?.status, body: retry?.body });
  if (retry?.status === 200 && (before !== 0 || after !== 1))
    complain('a retry was charged wrongly', { before, after });
  if (retry?.status !== 200 && after !== before) complain('a refused retry was charged', { before, after });
  return rows.length > 0 ? [{ oracle: 'I3, threat 70: one code, one charge', rows }] : [];
}

/** While the service lives, whoever was told of a failure is charged nothing, or gets it back by itself. */
export async function checkRepair(world: World, results: Answered[]): Promise<Violation[]> {
  const failed = results.filter(({ statuses }) =>
    statuses.every((status) => status !== undefined && status >= 500),
  );
  const open = async () => {
    const counts = await Promise.all(failed.map(({ made }) => countEvents(world, made, { standing: true })));
    return failed.filter((_, index) => counts[index] !== 0);
  };
  for (
    let waited = 0;
    waited < REPAIR_MILLISECONDS && (await open()).length > 0;
    waited += QUIET_MILLISECONDS
  )
    await sleep(QUIET_MILLISECONDS);
  const rows = (await open()).map(({ made, statuses }) => ({ code: sha256(made.code), statuses }));
  return rows.length > 0 ? [{ oracle: 'a charge without tokens stands', rows }] : [];
}

function countEvents(world: World, { client, code }: Made, { standing }: { standing: boolean }) {
  return countRows(
    world,
    sql`
      select count(*) from usage_events e left join transfers back on back.reverses = e.transfer_id
      where e.application_id = ${client.applicationId} and e.code_hash = ${sha256(code)}
        and (back.id is null or not ${standing})`,
  );
}

function isRefusal(error: unknown): boolean {
  return error === 'invalid_grant' || error === 'temporarily_unavailable';
}
