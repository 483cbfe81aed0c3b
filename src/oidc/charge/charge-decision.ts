// Who is charged what: whether a session may be charged at all, whether it is a registration or a sign-in, whether the
// balance has the price, and what is written for each. Each session gets a verdict of its own, and what one of them has to
// wait for or cannot pay costs the others nothing.
import type { Account } from '../../accounts/account.ts';
import { customerKey, type HeldCustomers, recordSessions } from '../../applications/customer.ts';
import { TollgateError } from '../../errors.ts';
import {
  chargeStatements,
  debitStatement,
  eventOf,
  positionStatement,
  type UsageEvent,
} from '../../ledger/charge.ts';
import { balanceTooLow, createPurse, type Terms, type UsageKind } from '../../ledger/price-and-balance.ts';
import { enqueueHeld, type Subscriber } from '../../webhooks/enqueue.ts';
import { webhookOf } from './charge-webhook.ts';
import { takeSeat, testModeFull } from './test-mode-seats.ts';

export type SessionToCharge = {
  /** Made before the first attempt: by this the event is found when nobody heard whether it was committed. */
  eventId: string;
  applicationId: string;
  accountId: string;
  /** For test money (docs/decisions/1101): it never shares a transaction with one that is charged. */
  isTest?: boolean | undefined;
  codeHash: string;
  /** src/traces/trace-id.ts */
  traceId?: string | undefined;
  /** Nobody waits for the tokens any more. */
  isGone?: (() => boolean) | undefined;
  /** Its tokens, while they are being saved: nothing is charged before they are. */
  minting?: Minting | undefined;
};

export type Minting = { isDone(): boolean; done: Promise<void> };

export type Charged = { event: UsageEvent; hasWebhooks: boolean };

export type Verdict =
  | { charged: Charged }
  | { refusal: TollgateError }
  /** Whose row somebody holds: this session waits for it with those who need the same one, and with nobody else. */
  | { line: string }
  /** Once more, after what is under way. */
  | 'again';

export type Attempt = {
  /** Shared by sessions that have nothing to do with each other, so it waits for no row that is one's own. */
  isShared: boolean;
  /** An attempt before this one may have been committed, or met a code that was charged before. */
  mayBeCharged: boolean;
};

export type Visit = SessionToCharge & { sub: string };
export type Known = Attempt & {
  terms: Map<string, Terms>;
  accounts: Map<string, Account>;
  customers: HeldCustomers;
  subscribers: Subscriber[];
  heldWorkspaces: Set<string>;
  /** By code. */
  chargedBefore: Map<string, UsageEvent>;
  /** Of applications in test mode: how many more customers they may have. */
  seats: Map<string, number>;
};

/** The verdicts, and the statements that make them true. */
export function decide(visits: Visit[], known: Known) {
  const now = new Date(Math.max(0, ...[...known.terms.values()].map(({ readAt }) => readAt.getTime())));
  const purse = createPurse(known.terms);
  const registering = new Set<string>();
  const paid: { event: UsageEvent; visit: Visit; account: Account; terms: Terms }[] = [];
  const verdicts = visits.map((visit): Verdict | UsageEvent => {
    const standing = standingOf(visit, known);
    if ('verdict' in standing) return standing.verdict;
    const { account, terms } = standing;
    const isRegistered = known.customers.isRegistered(visit);
    // The next session of somebody who registers right now: that one's tokens have not left yet.
    if (registering.has(customerKey(visit))) return 'again';
    const kind: UsageKind = isRegistered ? 'sign_in' : 'registration';
    if (visit.isTest && !isRegistered && !takeSeat(known.seats, visit)) return { refusal: testModeFull() };
    const amount = purse.pay(visit.applicationId, kind);
    if (amount === undefined) return { refusal: balanceTooLow(visit.applicationId) };
    if (!isRegistered) registering.add(customerKey(visit));
    const { eventId, applicationId, sub, codeHash, traceId } = visit;
    const { currency } = terms;
    const book = visit.isTest ? 'test' : 'live';
    const session = { eventId, applicationId, sub, kind, amount, currency, codeHash, traceId, now };
    const event = eventOf({ ...session, book });
    paid.push({ event, visit, account, terms });
    return event;
  });
  const webhooks = enqueueHeld({
    events: paid.map(({ event, account, terms }) => webhookOf(event, terms.workspaceId, account)),
    subscribers: known.subscribers,
    now,
  });
  return {
    statements: paid.length === 0 ? [] : statementsFor(paid, now, webhooks),
    result: verdicts.map((verdict) => asVerdict(verdict, webhooks !== undefined)),
  };
}

function statementsFor(
  paid: { event: UsageEvent; visit: Visit }[],
  now: Date,
  webhooks: ReturnType<typeof enqueueHeld>,
) {
  const events = paid.map(({ event }) => event);
  const isTest = areTests(paid.map(({ visit }) => visit));
  const sessions = paid.map(({ visit: { applicationId, accountId, sub }, event }) => {
    return { applicationId, accountId, sub, now, isFirst: event.kind === 'registration' };
  });
  return [
    recordSessions(sessions),
    ...chargeStatements(events, isTest ? 'test' : 'live'),
    ...(webhooks ? [webhooks] : []),
    isTest ? positionStatement(events, now) : debitStatement(events, now),
  ];
}

function asVerdict(verdict: Verdict | UsageEvent, hasWebhooks: boolean): Verdict {
  return typeof verdict === 'object' && 'id' in verdict
    ? { charged: { event: verdict, hasWebhooks } }
    : verdict;
}

/** Everything that decides before the money does. */
function standingOf(visit: Visit, known: Known): { verdict: Verdict } | { account: Account; terms: Terms } {
  if (visit.minting?.isDone() === false) return { verdict: 'again' };
  const before = known.chargedBefore.get(visit.codeHash);
  if (before?.id === visit.eventId) return { verdict: { charged: { event: before, hasWebhooks: true } } };
  // The engine's store forgot that the code was used (a restored or lagging replica); the ledger did not.
  if (before) return { verdict: { refusal: invalidGrant('code charged before') } };
  const terms = known.terms.get(visit.applicationId);
  const account = known.accounts.get(visit.accountId);
  const isHeld = (!account && known.isShared) || !known.customers.isOurs(visit);
  if (isHeld) return { verdict: { line: `account ${visit.accountId}` } };
  // Deleted between the engine's look-up and ours: nobody to charge, so nothing to hand out.
  if (!terms || !account) return { verdict: { refusal: invalidGrant('application or account deleted') } };
  if (known.heldWorkspaces.has(terms.workspaceId))
    return { verdict: { line: `workspace ${terms.workspaceId}` } };
  // It went live between the engine's look-up and ours.
  if (terms.isTest !== (visit.isTest ?? false))
    return { verdict: { refusal: invalidGrant('application went live') } };
  if (visit.isGone?.()) return { verdict: { refusal: clientGone() } };
  return { account, terms };
}

function invalidGrant(detail: string): TollgateError {
  return new TollgateError('invalid_grant', 'The grant request is invalid.', { detail });
}

/** No failure of ours: the client hung up before its tokens left. For log and metrics; nobody reads the answer. */
export function clientGone(): TollgateError {
  return new TollgateError('invalid_request', 'The connection was closed.', { detail: 'client gone' });
}

/** By the queue all of them or none: those of test mode have lines of their own. */
export function areTests(visits: Pick<Visit, 'isTest'>[]): boolean {
  return visits.some(({ isTest }) => isTest);
}
