// One transaction for the sessions that wait for their charge at the same moment: what it looks up, what it waits for, and
// what it writes once it is decided who pays (charge-decision.ts).
import { setTimeout as sleep } from 'node:timers/promises';
import { lockAccounts } from '../../accounts/account.ts';
import { lockCustomers, pairwiseSub } from '../../applications/customer.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import type { ReadThenWrite } from '../../database/pipelined-transaction.ts';
import { settleAll } from '../../database/settle-all.ts';
import { findEventsByCode } from '../../ledger/charge.ts';
import { findTerms } from '../../ledger/price-and-balance.ts';
import { chargeMintingMilliseconds, sharedChargeLockMilliseconds } from '../../limits/charges.ts';
import { postgresLockMilliseconds } from '../../limits/stores.ts';
import type { Keys } from '../../secrets.ts';
import { findFreeSubscribers, findSubscribers } from '../../webhooks/enqueue.ts';
import {
  type Attempt,
  areTests,
  decide,
  type Known,
  type SessionToCharge,
  type Verdict,
  type Visit,
} from './charge-decision.ts';
import { holdSeats } from './test-mode-seats.ts';

type Dependencies = { readThenWrite: ReadThenWrite; keys: Pick<Keys, 'pairwise'>; clock: Clock };

export type ChargeSessions = (sessions: SessionToCharge[], attempt: Attempt) => Promise<Verdict[]>;

/** Resolves when everything that a verdict says is committed, and rejects when nobody knows whether anything was. */
export function createSessionCharge({ readThenWrite, keys, clock }: Dependencies): ChargeSessions {
  return (sessions, attempt) => {
    const visits = sessions.map((session) => ({
      ...session,
      sub: pairwiseSub(keys.pairwise, session.applicationId, session.accountId),
    }));
    return readThenWrite({
      lockMilliseconds: attempt.isShared ? sharedChargeLockMilliseconds : postgresLockMilliseconds,
      read: (tx) => lookUp(tx, visits, { ...attempt, clock }),
      meanwhile: () => untilMinted(visits),
      write: (known) => decide(visits, known),
    });
  };
}

/** Who takes longer than the look-ups goes with the next batch: nobody waits for a neighbour's tokens. */
async function untilMinted(visits: Visit[]): Promise<void> {
  const open = visits.flatMap(({ minting }) => (minting && !minting.isDone() ? [minting.done] : []));
  if (open.length === 0) return;
  const timeUp = new AbortController();
  const sleeping = sleep(chargeMintingMilliseconds, undefined, { signal: timeUp.signal });
  await Promise.race([Promise.allSettled(open), sleeping]);
  timeUp.abort();
  await sleeping.catch(() => undefined);
}

async function lookUp(
  tx: Database,
  visits: Visit[],
  { clock, ...attempt }: Attempt & { clock: Clock },
): Promise<Known> {
  const applicationIds = unique(visits.map(({ applicationId }) => applicationId));
  const accountIds = unique(visits.map(({ accountId }) => accountId));
  const codeHashes = visits.map(({ codeHash }) => codeHash);
  const waits = !attempt.isShared;
  const isTest = areTests(visits);
  const [seats, accounts, customers, listeners, events, terms] = await settleAll([
    isTest ? holdSeats(tx, applicationIds) : new Map<string, number>(),
    // Whose deletion has begun is gone when we get them; whose has not, waits for what we write of them.
    lockAccounts(tx, accountIds, { waits }),
    lockCustomers(tx, visits, { waits }),
    waits ? waitForListeners(tx, applicationIds) : findFreeSubscribers(tx, applicationIds),
    attempt.mayBeCharged ? findEventsByCode(tx, codeHashes, isTest ? 'test' : 'live') : [],
    // Last, when nothing is waited for any more: the balance is as fresh as it can be without holding it, and the
    // customers' rows are held at its time, so that a registration is the first event in time too, whatever the clocks
    // of the processes say.
    findTerms(tx, { applicationIds, clock }),
  ]);
  const chargedBefore = new Map(events.map((event) => [event.codeHash, event]));
  return { ...attempt, accounts, customers, ...listeners, chargedBefore, terms, seats };
}

async function waitForListeners(tx: Database, applicationIds: string[]) {
  const subscribers = await findSubscribers(tx, applicationIds);
  return { subscribers, heldWorkspaces: new Set<string>() };
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
