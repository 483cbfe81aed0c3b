// One crash: people and companies are busy, the service dies at one point of what it was doing, a new one starts on
// the same data, and everybody tries again. Then the oracles are asked.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { type Browser, createBrowser, type Form, type Page } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { findViolations, type Violation } from '../harness/invariants.ts';
import { prepareChange } from './changes.ts';
import {
  checkExchange,
  checkRepair,
  checkTokens,
  exchangeMade,
  kindOf,
  newCode,
  openWhenReady,
} from './exchanges.ts';
import type { Fuse } from './fuse.ts';
import { addLeaver, countUnforgotten } from './leaving.ts';
import { createRandom, type Random } from './random.ts';
import { countRows, type RegisteredClient, type World } from './world.ts';

export const scenarios = ['sign-in', 'device', 'bound', 'mail', 'deletion', 'change', 'mixed'] as const;
export type Scenario = (typeof scenarios)[number];
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

type Asked = { email: string; browser: Browser; page: Page; form: Form };
/** Mails that a page has promised, since the last time that all of them were counted. */
export type Promises = { mailTo: Set<string> };

/** What one sign-in and one mail take in quiet traffic, about; in company it is less for each. */
const EXCHANGE_POINTS = 50;
const MAIL_POINTS = 40;
const DELETION_POINTS = 60;
const CHANGE_POINTS = 12;
/** Rounds in which connections break as well, before the service dies. */
const ACCIDENT_SHARE = 0.5;
const CROWDED_SHARE = 0.15;
const MAIL_SHARE = 0.3;
const DELETION_SHARE = 0.3;
const CHANGE_SHARE = 0.2;
const QUIET_MILLISECONDS = 60;
const PATIENCE_MILLISECONDS = 8_000;

export async function runRound(world: World, promises: Promises, round: Round): Promise<Outcome> {
  const random = createRandom(round.seed);
  const isMixed = round.scenario === 'mixed';
  // One that cannot pay for all of them, now and then.
  const poor = isMixed && random.next() < 0.1;
  const client = await world.register(poor ? 90_000n : 1_000_000_000n);
  const wanted = wantedOf(round.scenario, random);
  const codes = await Promise.all(
    several(wanted.codes, () => newCode(world, client, { random, kind: wanted.kind ?? kindOf(random) })),
  );
  const mailbox = `mail-${round.seed}-${round.point ?? 'any'}`;
  const pages = await Promise.all(
    several(wanted.mails, (count) => signInPage(world, client, `${mailbox}-${count}@example.test`)),
  );

  const leavers = await Promise.all(several(wanted.deletions, () => addLeaver(world, client)));
  const changes = await Promise.all(several(wanted.changes, () => prepareChange(world, random)));

  const fuse = world.fuse();
  const share = random.next();
  fuse.arm(
    round.point ??
      Math.ceil(
        share *
          (codes.length * EXCHANGE_POINTS +
            pages.length * MAIL_POINTS +
            leavers.length * DELETION_POINTS +
            changes.length * CHANGE_POINTS),
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
  const changing = changes.map((change) => under(change.make()));
  const total = exchanges.length + mails.length + deletions.length + changing.length;
  await Promise.race([fuse.blown, untilQuiet(world, fuse, () => answered === total)]);
  const repaired = fuse.isBlown ? [] : await checkRepair(world, await Promise.all(exchanges));
  const place = fuse.place;
  const interrupted = total - answered + (await underWay(world));
  fuse.blow('end');
  const results = await Promise.all(exchanges);
  for (const { email, acknowledged } of await Promise.all(mails))
    if (acknowledged) promises.mailTo.add(email);

  await world.restart();
  await Promise.all([...deletions, ...changing]);
  const violations = [...repaired, ...(await checkTokens(world, results))];
  for (const change of changes) violations.push(...(await change.check()));
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
  const changes = random.next() < CHANGE_SHARE ? 1 : 0;
  const nothing = { codes: 0, mails: 0, deletions: 0, changes: 0, kind: undefined };
  return {
    'sign-in': { ...nothing, codes: 1, kind: 'code' as const },
    device: { ...nothing, codes: 1, kind: 'device' as const },
    bound: { ...nothing, codes: 1, kind: 'bound' as const },
    mail: { ...nothing, mails: 1 },
    deletion: { ...nothing, deletions: 1 },
    change: { ...nothing, changes: 1 },
    mixed: { ...nothing, codes, mails, deletions, changes },
  }[scenario];
}

function several<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
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
