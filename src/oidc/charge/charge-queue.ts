// Who is charged together with whom, and again when: sessions of one moment share a transaction; who has to wait for a
// row of one's own leaves it for a line; and a database that fails everybody spends nobody's code, as long as the client
// can be expected to wait. Each attempt after such a failure looks first whether the one before was committed.
import { setTimeout as sleep } from 'node:timers/promises';
import { customerKey } from '../../applications/customer.ts';
import { createBatcher } from '../../database/batch.ts';
import { createLines } from '../../database/lines.ts';
import { concernsNobody, isCheckViolation, isLockTimeout } from '../../database/sql-state.ts';
import { serviceUnavailable, TollgateError } from '../../errors.ts';
import { balanceTooLow } from '../../ledger/price-and-balance.ts';
import {
  chargeAttemptsAlone,
  chargeAttemptsTogether,
  chargeBatches,
  chargeLines,
  chargePatienceMilliseconds,
  chargeRetryMilliseconds,
  sessionsPerCharge,
  testChargeLines,
} from '../../limits/charges.ts';
import { type Charged, clientGone, type SessionToCharge, type Verdict } from './charge-decision.ts';
import type { ChargeSessions } from './charge-transaction.ts';

type Options = {
  chargeSessions: ChargeSessions;
  /** Of these applications, whose balance somebody holds. */
  findHeldBalances: (applicationIds: string[]) => Promise<Set<string>>;
  /** Nobody will hear whether these sessions were charged. */
  giveUp: (session: SessionToCharge) => void;
};

export type ChargeQueue = {
  /** Resolves when the charge is committed. @throws TollgateError when there is none that stands */
  charge(session: SessionToCharge): Promise<Charged>;
  /** The tokens have left, or never will: the next session of the same customer may be charged. */
  settled(session: SessionToCharge): void;
};

type Item = { session: SessionToCharge; failures: number; error?: unknown };

export function createChargeQueue({ chargeSessions, findHeldBalances, giveUp }: Options): ChargeQueue {
  /** Registrations whose tokens have not left yet, by customer. Taken back, the next session is the registration. */
  const registering = new Map<string, PromiseWithResolvers<void>>();
  const shared = createBatcher<Item, Verdict>({
    run: (items) => attempt(items, { isShared: true }),
    size: sessionsPerCharge,
    lanes: chargeBatches,
  });
  const lines = createLines<Item, Verdict>({
    run: (items) => attempt(items, { isShared: false }),
    size: sessionsPerCharge,
    places: chargeLines,
  });

  const testLines = createLines<Item, Verdict>({
    run: (items) => attempt(items, { isShared: false }),
    size: sessionsPerCharge,
    places: testChargeLines,
  });

  async function attempt(items: Item[], { isShared }: { isShared: boolean }): Promise<{ value: Verdict }[]> {
    const early = new Map(items.map((item) => [item, verdictBefore(item, isShared)]));
    const ready = items.filter((item) => early.get(item) === undefined);
    const verdicts = ready.length > 0 ? await decide(ready, isShared) : [];
    const decided = verdicts.values();
    return items.map((item) => ({ value: early.get(item) ?? decided.next().value ?? 'again' }));
  }

  /** What changed while this session waited for its turn. */
  function verdictBefore({ session }: Item, isShared: boolean): Verdict | undefined {
    if (registering.has(customerKey(session))) return 'again';
    const line = lineOfBalance(session);
    return isShared && lines.isBusy(line) ? { line } : undefined;
  }

  async function decide(items: Item[], isShared: boolean): Promise<Verdict[]> {
    const sessions = items.map(({ session }) => session);
    const mayBeCharged = items.some(({ failures }) => failures > 0);
    try {
      const verdicts = await chargeSessions(sessions, { isShared, mayBeCharged });
      for (const [index, session] of sessions.entries()) {
        const verdict = verdicts[index];
        if (
          typeof verdict === 'object' &&
          'charged' in verdict &&
          verdict.charged.event.kind === 'registration'
        )
          registering.set(customerKey(session), Promise.withResolvers());
      }
      return verdicts;
    } catch (error) {
      for (const item of items) Object.assign(item, { failures: item.failures + 1, error });
      return afterFailure(items, { error, isShared });
    }
  }

  async function afterFailure(
    items: Item[],
    failed: { error: unknown; isShared: boolean },
  ): Promise<Verdict[]> {
    const { error, isShared } = failed;
    if (isShared && isLockTimeout(error)) return leaveForLines(items);
    if (concernsNobody(error)) {
      await sleep(chargeRetryMilliseconds);
      return items.map(() => 'again');
    }
    return items.map((item) => {
      if (items.length === 1 && item.failures >= chargeAttemptsAlone) return finalVerdict(item);
      if (item.failures < chargeAttemptsTogether || items.length === 1) return 'again';
      return { line: `session ${item.session.eventId}` };
    });
  }

  /** Somebody holds a balance, or registers one of these people and does not come to an end. */
  async function leaveForLines(items: Item[]): Promise<Verdict[]> {
    const applicationIds = items.map(({ session }) => session.applicationId);
    const held = await findHeldBalances([...new Set(applicationIds)]).catch(() => new Set<string>());
    return items.map(({ session }) => {
      if (held.size === 0) return { line: `account ${session.accountId}` };
      return held.has(session.applicationId) ? { line: lineOfBalance(session) } : 'again';
    });
  }

  async function charge(session: SessionToCharge): Promise<Charged> {
    const item: Item = { session, failures: 0 };
    const giveUpAt = performance.now() + chargePatienceMilliseconds;
    // Those of test mode wait for each other; nobody whose sign-in costs money waits for them, or they for them.
    const ownLines = session.isTest ? testLines : lines;
    let line = session.isTest ? `test ${session.applicationId}` : undefined;
    for (;;) {
      await registering.get(customerKey(session))?.promise;
      const verdict = await (line === undefined ? shared(item) : ownLines.ask(line, item));
      if (verdict !== 'again' && 'charged' in verdict) return verdict.charged;
      if (verdict !== 'again' && 'refusal' in verdict) throw verdict.refusal;
      if (verdict !== 'again') line = verdict.line;
      // Whose tokens cannot be saved was not charged, and will not be.
      await session.minting?.done;
      const isGone = session.isGone?.() ?? false;
      if (!isGone && performance.now() < giveUpAt) continue;
      if (item.failures > 0) giveUp(session);
      throw isGone ? clientGone() : serviceUnavailable(item.error);
    }
  }

  return {
    charge,
    settled(session) {
      registering.get(customerKey(session))?.resolve();
      registering.delete(customerKey(session));
    },
  };
}

function lineOfBalance({ applicationId }: SessionToCharge): string {
  return `balance ${applicationId}`;
}

/** Alone and refused again and again. */
function finalVerdict({ session, error }: Item): Verdict {
  if (isCheckViolation(error)) return { refusal: balanceTooLow(session.applicationId) };
  const refusal = new TollgateError('server_error', 'Something went wrong on our side.', { cause: error });
  return { refusal };
}
