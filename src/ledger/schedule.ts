// The proof of the ledger on a schedule: one process of all proves, every process knows the result (metrics,
// readiness). Nothing is repaired here; a broken rule is for a person, at once.
import { desc, lt, sql } from 'drizzle-orm';
import { ledgerVerifications } from '../../drizzle/schema.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { atOneLongMoment, type Database, rowsOf } from '../database.ts';
import { newId } from '../id.ts';
import { ledgerProofKeptSeconds, ledgerScheduleLookSeconds } from '../limits-operations.ts';
import type { Log } from '../log.ts';
import { type LedgerReport, verifyLedger } from './verify.ts';

/** Any number that no other program of this database uses. */
const LEDGER_LOCK = 7_235_198_112;

export type LedgerProof = typeof ledgerVerifications.$inferSelect;

export type LedgerSchedule = {
  /** What this process knows to be the latest proof. */
  latest(): LedgerProof | undefined;
  /** Ends it and waits for the proof under way. */
  stop(): Promise<void>;
};

type Dependencies = { db: Database; clock: Clock; log: Log; minutes: number };

/** `minutes: 0` only reads what others find. */
export function startLedgerSchedule(dependencies: Dependencies): LedgerSchedule {
  let latest: LedgerProof | undefined;
  let stopped = false;
  const look = async () => {
    if (stopped) return;
    try {
      latest = await proveWhenDue(dependencies);
    } catch (error) {
      dependencies.log.warn({ err: error }, 'the ledger could not be proven; it is tried again in a minute');
    }
  };
  let underWay = look();
  const timer = setInterval(() => {
    underWay = underWay.then(look);
  }, ledgerScheduleLookSeconds * 1000);
  timer.unref();
  return {
    latest: () => latest,
    async stop() {
      stopped = true;
      clearInterval(timer);
      await underWay;
    },
  };
}

/** @returns the latest proof, a new one when it was due and no other process is at it. */
export async function proveWhenDue(dependencies: Dependencies): Promise<LedgerProof | undefined> {
  const { db, clock, log, minutes } = dependencies;
  const latest = await latestProof(db);
  const isDue = !latest || clock() >= secondsAfter(latest.startedAt, minutes * 60);
  if (minutes === 0 || !isDue) return latest;
  const startedAt = clock();
  const report = await verifyAlone(db);
  if (!report) return latest;
  const broken = report.checks.filter(({ violations }) => violations.length > 0);
  const proof = {
    id: newId('prf'),
    startedAt,
    finishedAt: clock(),
    ok: report.ok,
    broken: Object.fromEntries(broken.map(({ rule, violations }) => [rule, violations.length])),
  };
  await db.insert(ledgerVerifications).values(proof);
  const oldest = secondsAfter(startedAt, -ledgerProofKeptSeconds);
  await db.delete(ledgerVerifications).where(lt(ledgerVerifications.finishedAt, oldest));
  if (!proof.ok) log.error({ broken: proof.broken }, 'the ledger does not add up');
  else log.debug({ ms: proof.finishedAt.getTime() - startedAt.getTime() }, 'the ledger adds up');
  return proof;
}

export async function latestProof(db: Database): Promise<LedgerProof | undefined> {
  const [latest] = await db
    .select()
    .from(ledgerVerifications)
    .orderBy(desc(ledgerVerifications.finishedAt))
    .limit(1);
  return latest;
}

/**
 * One moment for all the checks, or a sign-in between two of them would look like a fault; however long it takes,
 * because it reads the whole ledger.
 */
export function verifyAtOneMoment(db: Database): Promise<LedgerReport> {
  return atOneLongMoment(db, verifyLedger);
}

/** undefined: another process is proving right now. */
async function verifyAlone(db: Database): Promise<LedgerReport | undefined> {
  return atOneLongMoment(db, async (tx) => {
    const [row] = rowsOf(
      await tx.execute(sql`select pg_try_advisory_xact_lock(${LEDGER_LOCK}::bigint) as alone`),
    );
    return row?.alone === true ? verifyLedger(tx) : undefined;
  });
}
