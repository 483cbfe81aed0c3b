// One transaction for the sessions that wait for their charge at the same moment: first session or later, transfer,
// event, webhooks. Each still gets an answer of its own, after the commit: a batch that fails because of one of its
// members is taken apart until that one is alone.
import { type Account, holdAccounts } from '../accounts/account.ts';
import { pairwiseSub, recordSessions } from '../applications/customer.ts';
import { createBatcher, type Outcome, runOrTakeApart } from '../batch.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import {
  balanceTooLow,
  cannotPay,
  chargeAll,
  findTerms,
  type Terms,
  type UsageEvent,
} from '../ledger/charge.ts';
import { chargeBatches, sessionsPerCharge } from '../limits.ts';
import { formatAmount } from '../money.ts';
import type { ReadThenWrite } from '../read-then-write.ts';
import type { Keys } from '../secrets.ts';
import { concernsOneRow } from '../sql-state.ts';
import { together } from '../together.ts';
import { enqueueAll, findSubscribers, type Subscriber, type WebhookEvent } from '../webhooks/enqueue.ts';

export type SessionToCharge = {
  applicationId: string;
  accountId: string;
  codeHash: string;
  /** src/trace-id.ts */
  traceId?: string | undefined;
};

type Dependencies = {
  readThenWrite: ReadThenWrite;
  jobs: Jobs;
  keys: Pick<Keys, 'pairwise'>;
  clock: Clock;
};

/** Resolves when the charge is committed. @throws TollgateError when there is none */
export function createSessionCharge(
  dependencies: Dependencies,
): (session: SessionToCharge) => Promise<UsageEvent> {
  const chargeAtOnce = (sessions: SessionToCharge[]) =>
    dependencies.readThenWrite({
      read: (tx) => lookUp(tx, sessions),
      write: (tx, known) => chargeTogether(tx, dependencies, { sessions, known }),
    });
  return createBatcher({
    run: (sessions) => runOrTakeApart(sessions, chargeAtOnce, concernsOneSession),
    size: sessionsPerCharge,
    lanes: chargeBatches,
  });
}

/** Too low a balance, a code that was charged before, a value that PostgreSQL refuses. A database that does not answer concerns everybody. */
function concernsOneSession(error: unknown): boolean {
  return error instanceof TollgateError || concernsOneRow(error);
}

type Known = { terms: Map<string, Terms>; accounts: Map<string, Account>; subscribers: Subscriber[] };

async function lookUp(tx: Database, sessions: SessionToCharge[]): Promise<Known> {
  const applicationIds = unique(sessions.map(({ applicationId }) => applicationId));
  const accountIds = unique(sessions.map(({ accountId }) => accountId));
  const [terms, accounts, subscribers] = await together([
    findTerms(tx, applicationIds),
    // Whose deletion has begun is gone when we get them; whose has not, waits for what we write of them.
    holdAccounts(tx, accountIds),
    findSubscribers(tx, applicationIds),
  ]);
  return { terms, accounts, subscribers };
}

/** Refuses before it writes anything whoever can be refused by then; any later refusal is thrown. */
async function chargeTogether(
  tx: Database,
  dependencies: Dependencies,
  { sessions, known }: { sessions: SessionToCharge[]; known: Known },
): Promise<Outcome<UsageEvent>[]> {
  const refusals = sessions.map((session) => refusalOf(session, known));
  const accepted = sessions.filter((_, index) => refusals[index] === undefined);
  const events = accepted.length > 0 ? await chargeAccepted(tx, dependencies, accepted, known) : [];
  const charged = events.values();
  return refusals.map((error) => {
    const event = error === undefined ? charged.next().value : undefined;
    return event ? { value: event } : { error };
  });
}

async function chargeAccepted(
  tx: Database,
  { jobs, keys, clock }: Dependencies,
  sessions: SessionToCharge[],
  { terms, accounts, subscribers }: Known,
): Promise<UsageEvent[]> {
  const visits = sessions.map((session) => ({
    ...session,
    sub: pairwiseSub(keys.pairwise, session.applicationId, session.accountId),
    now: clock(),
  }));
  const kinds = await recordSessions(tx, visits);
  // Read only now that the customers' rows are locked: the registration is the first event in time as well.
  const now = clock();
  return chargeAll(tx, {
    sessions: visits.map(({ applicationId, sub, codeHash, traceId }, index) => {
      return { applicationId, sub, codeHash, traceId, kind: kinds[index] ?? 'sign_in' };
    }),
    terms,
    now,
    async alongside(events) {
      const webhooks = events.flatMap((event, index) => {
        const account = accounts.get(sessions[index]?.accountId ?? '');
        const workspaceId = terms.get(event.applicationId)?.workspaceId;
        return account && workspaceId ? [webhookOf(event, workspaceId, account)] : [];
      });
      await enqueueAll(tx, { jobs, events: webhooks, subscribers, now });
    },
  });
}

function refusalOf(
  { applicationId, accountId }: SessionToCharge,
  { terms, accounts }: Pick<Known, 'terms' | 'accounts'>,
): TollgateError | undefined {
  const found = terms.get(applicationId);
  // Deleted between the engine's look-up and ours: nobody to charge, so nothing to hand out.
  if (!found || !accounts.has(accountId))
    return new TollgateError('invalid_grant', 'The grant request is invalid.');
  return cannotPay(found) ? balanceTooLow(applicationId) : undefined;
}

const webhookType = {
  registration: 'identity.registration.completed.v1',
  sign_in: 'identity.login.completed.v1',
} as const;

function webhookOf(event: UsageEvent, workspaceId: string, account: Account): WebhookEvent {
  return {
    id: event.id,
    type: webhookType[event.kind],
    applicationId: event.applicationId,
    workspaceId,
    createdAt: event.occurredAt,
    data: {
      customer: {
        sub: event.sub,
        email: account.email,
        email_verified: account.emailVerified,
        name: account.name,
      },
      kind: event.kind,
      amount: formatAmount(event.amount),
      currency: event.currency,
      status: 'committed',
    },
  };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
