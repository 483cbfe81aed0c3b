// One crash: people and companies are busy, the service dies at one point of what it was doing, a new one starts on
// the same data, and everybody tries again. Then the oracles are asked.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { sha256 } from '../../src/secrets.ts';
import {
  type Arrival,
  type Browser,
  createBrowser,
  type Form,
  type Page,
} from '../harness/browserless-browser.ts';
import { exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { beginDevice, letIn, poll } from '../harness/device.ts';
import { findViolations, type Violation } from '../harness/invariants.ts';
import type { Fuse } from './fuse.ts';
import { addLeaver, countUnforgotten } from './leaving.ts';
import { createRandom, type Random } from './random.ts';
import { countRows, type RegisteredClient, type World } from './world.ts';

export type Scenario = 'sign-in' | 'mail' | 'deletion' | 'mixed';
export type Round = {
  scenario: Scenario;
  seed: number;
  /** Chosen by the seed when absent. */
  point?: number;
};
export type Outcome = {
  round: Round;
  /** Where the service died; undefined when it had nothing left to do before the point came. */
  place: string | undefined;
  /** Requests, deliveries and mails that were under way at that moment. */
  interrupted: number;
  violations: Violation[];
};

/** `isDevice`: the code is a device's, whose sign-in somebody has confirmed. */
type Made = { client: RegisteredClient; code: string; verifier: string; twice: boolean; isDevice: boolean };
type Asked = { email: string; browser: Browser; page: Page; form: Form };
type Answered = { made: Made; statuses: (number | undefined)[]; accessToken: string | undefined };
/** Mails that a page has promised, since the last time that all of them were counted. */
export type Promises = { mailTo: Set<string> };

/** What one sign-in and one mail take in quiet traffic, about; in company it is less for each. */
const EXCHANGE_POINTS = 50;
const MAIL_POINTS = 40;
const DELETION_POINTS = 60;
/** Rounds in which connections break as well, before the service dies. */
const ACCIDENT_SHARE = 0.5;
/** A charge whose answer was lost is given up after eight seconds, and looked for each second. */
const REPAIR_MILLISECONDS = 15_000;
const CROWDED_SHARE = 0.15;
const MAIL_SHARE = 0.3;
const DELETION_SHARE = 0.3;
const DEVICE_SHARE = 0.25;
const MOST_ATTEMPTS = 100;
const QUIET_MILLISECONDS = 60;
const PATIENCE_MILLISECONDS = 8_000;

export async function runRound(world: World, promises: Promises, round: Round): Promise<Outcome> {
  const random = createRandom(round.seed);
  const isMixed = round.scenario === 'mixed';
  // One that cannot pay for all of them, now and then.
  const poor = isMixed && random.next() < 0.1;
  const client = await world.register(poor ? 90_000n : 1_000_000_000n);
  const wanted = wantedOf(round.scenario, random);
  const codes = await Promise.all(several(wanted.codes, () => newCode(world, client, random)));
  const mailbox = `mail-${round.seed}-${round.point ?? 'any'}`;
  const pages = await Promise.all(
    several(wanted.mails, (count) => signInPage(world, client, `${mailbox}-${count}@example.test`)),
  );

  const leavers = await Promise.all(several(wanted.deletions, () => addLeaver(world, client)));

  const fuse = world.fuse();
  const share = random.next();
  fuse.arm(
    round.point ??
      Math.ceil(
        share *
          (codes.length * EXCHANGE_POINTS + pages.length * MAIL_POINTS + leavers.length * DELETION_POINTS),
      ),
  );
  if (isMixed && random.next() < ACCIDENT_SHARE) {
    const points = codes.length * EXCHANGE_POINTS;
    fuse.breakAt(several(random.between(1, 3), () => Math.ceil(random.next() * points)));
  }
  let answered = 0;
  const under = <T>(work: Promise<T>) =>
    work.finally(() => {
      answered += 1;
    });
  const exchanges = codes.map((made) => under(exchangeMade(world, made)));
  const mails = pages.map((asked) => under(askForCode(asked)));
  const operator = world.operator();
  const deletions = leavers.map((account) =>
    under(operator('account delete', { account }).catch(() => undefined)),
  );
  const total = exchanges.length + mails.length + deletions.length;
  await Promise.race([fuse.blown, untilQuiet(world, fuse, () => answered === total)]);
  const repaired = fuse.isBlown ? [] : await checkRepair(world, await Promise.all(exchanges));
  const place = fuse.place;
  const interrupted = total - answered + (await underWay(world));
  fuse.blow('end');
  const results = await Promise.all(exchanges);
  for (const { email, acknowledged } of await Promise.all(mails))
    if (acknowledged) promises.mailTo.add(email);

  await world.restart();
  await Promise.all(deletions);
  const violations = [...repaired, ...(await checkTokens(world, results))];
  const checks = await Promise.all(results.map((result) => checkExchange(world, result)));
  violations.push(...checks.flat(), ...(await findViolations(world.db)));
  return { round, place, interrupted, violations };
}

/** Most rounds are small, which makes a crash cheap; some are crowded, so that exchanges share a transaction. */
function wantedOf(scenario: Scenario, random: Random) {
  const isCrowded = random.next() < CROWDED_SHARE;
  const codes = isCrowded ? random.between(4, 10) : random.between(1, 3);
  const mails = random.next() < MAIL_SHARE ? random.between(1, 2) : 0;
  const deletions = random.next() < DELETION_SHARE ? 1 : 0;
  return {
    'sign-in': { codes: 1, mails: 0, deletions: 0 },
    mail: { codes: 0, mails: 1, deletions: 0 },
    deletion: { codes: 0, mails: 0, deletions: 1 },
    mixed: { codes, mails, deletions },
  }[scenario];
}

function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Straight from a session: signed in before, agreed before. */
async function newCode(world: World, client: RegisteredClient, random: Random): Promise<Made> {
  const { browser } = random.pick(world.people);
  // A backend that sends the same exchange twice at once.
  const twice = random.next() < 0.1;
  if (random.next() < DEVICE_SHARE) {
    await openWhenReady(browser, `${world.url}/device`);
    const { deviceCode, userCode } = await beginDevice(world, client);
    await letIn(world, browser, userCode);
    return { client, code: deviceCode, verifier: '', twice, isDevice: true };
  }
  const attempt = startAttempt(world, client, { scope: 'openid email profile' });
  const arrival = await openWhenReady(browser, attempt.url);
  if (!('leftTo' in arrival)) throw new Error(`a page instead of a code: ${arrival.page.html.slice(0, 300)}`);
  const { code = '' } = readCallback(arrival.leftTo);
  return { client, code, verifier: attempt.verifier, twice, isDevice: false };
}

/** A new life answers 503 until Redis is connected. */
async function openWhenReady(browser: Browser, url: string): Promise<Arrival> {
  for (let attempts = 1; ; attempts += 1) {
    const arrival = await browser.open(url);
    if (!('page' in arrival) || arrival.page.status !== 503 || attempts >= MOST_ATTEMPTS) return arrival;
    await sleep(QUIET_MILLISECONDS);
  }
}

async function signInPage(world: World, client: RegisteredClient, email: string): Promise<Asked> {
  const browser = createBrowser();
  const arrival = await openWhenReady(browser, startAttempt(world, client).url);
  const page = 'page' in arrival ? arrival.page : undefined;
  const form = page?.forms.find(({ fields }) => fields.some(({ type }) => type === 'email'));
  if (!page || !form) throw new Error('the sign-in page asks for no address');
  return { email, page, form, browser };
}

async function askForCode({ email, browser, page, form }: Asked) {
  try {
    const field = form.fields.find(({ type }) => type === 'email')?.name ?? '';
    const arrival = await browser.submit(page, form, { [field]: email });
    const acknowledged =
      'page' in arrival && arrival.page.status === 200 && /name="code"/.test(arrival.page.html);
    return { email, acknowledged };
  } catch {
    return { email, acknowledged: false };
  }
}

async function exchangeMade(world: World, made: Made): Promise<Answered> {
  const answers = await Promise.all([
    exchangeOnce(world, made),
    ...(made.twice ? [exchangeOnce(world, made)] : []),
  ]);
  const success = answers.find((answer) => answer?.status === 200);
  const accessToken = success && String(success.body.access_token);
  return { made, statuses: answers.map((answer) => answer?.status), accessToken };
}

/** undefined: the connection broke before the whole answer was there. */
async function exchangeOnce(world: World, { client, code, verifier, isDevice }: Made) {
  const headers = { connection: 'close' };
  const sent = isDevice
    ? poll(world, client, { deviceCode: code }, {}, headers)
    : exchange(world, client, { code, verifier, headers });
  return sent.catch(() => undefined);
}

/**
 * Tokens that a company holds outlive the crash. Before anybody repeats an exchange: that ends the session's tokens,
 * which is why rounds with a double exchange are left out.
 */
async function checkTokens(world: World, results: Answered[]): Promise<Violation[]> {
  if (results.some(({ made }) => made.twice)) return [];
  const rows: Record<string, unknown>[] = [];
  const check = async ({ made, accessToken }: Answered) => {
    if (!accessToken) return;
    let { status } = await userinfo(world, accessToken);
    for (let attempts = 1; status === 503 && attempts < MOST_ATTEMPTS; attempts += 1) {
      await sleep(QUIET_MILLISECONDS);
      ({ status } = await userinfo(world, accessToken));
    }
    if (status !== 200) rows.push({ status, code: sha256(made.code) });
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

async function checkExchange(world: World, { made, statuses }: Answered): Promise<Violation[]> {
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
async function checkRepair(world: World, results: Answered[]): Promise<Violation[]> {
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

/** Everybody has an answer, every webhook and mail is out, and nothing moved for a while. */
async function untilQuiet(world: World, fuse: Fuse, isAnswered: () => boolean): Promise<void> {
  let seen = -1;
  for (let waited = 0; waited < PATIENCE_MILLISECONDS && !fuse.isBlown; waited += QUIET_MILLISECONDS) {
    await sleep(QUIET_MILLISECONDS);
    if (
      isAnswered() &&
      fuse.count === seen &&
      (await underWay(world)) === 0 &&
      (await countUnforgotten(world)) === 0
    )
      return;
    seen = fuse.count;
  }
}

/** Mails that are being sent, and deliveries that are claimed or about to be. */
async function underWay(world: World): Promise<number> {
  const mails = sql`select count(*) from jobs.job where state = 'active' and name = 'mail'`;
  const deliveries = sql`select count(*) from webhook_deliveries where status = 'pending' and attempt_count = 0`;
  return (await countRows(world, mails)) + (await countRows(world, deliveries));
}
