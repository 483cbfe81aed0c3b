// Proofs of what is stored, by hand and on a schedule: each check is one query for the rows that break a rule, so an empty
// answer is the proof. One process of all proves, every process knows the result; nothing is repaired here.
import { desc, lt, type SQL, sql } from 'drizzle-orm';
import type { accountVerifications, ledgerVerifications } from '../../drizzle/schema.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { newId } from '../id.ts';
import { verificationKeptSeconds, verificationLookSeconds, verificationRows } from '../limits/operations.ts';
import type { Log } from '../log.ts';
import { atOneLongMoment, type Database, rowsOf } from './connection.ts';

/** `violations`: the rows that break it. */
export type Rule = { rule: string; violations: SQL };

export type Report = { ok: boolean; checks: { rule: string; violations: Record<string, unknown>[] }[] };

/** Reads everything that the rules are about once. Run it where a long query disturbs nobody. */
export async function checkRules(db: Database, rules: readonly Rule[]): Promise<Report> {
  const checks: Report['checks'] = [];
  for (const { rule, violations } of rules) {
    // What breaks a rule may be everything; a few thousand rows say as much.
    const some = sql`select * from (${violations}) as violation limit ${verificationRows}`;
    checks.push({ rule, violations: rowsOf(await db.execute(some)) });
  }
  return { ok: checks.every((check) => check.violations.length === 0), checks };
}

/** What can prove itself. */
export type Provable = {
  /** For the log: "the ledger". */
  name: string;
  /** For the log: "adds up". */
  says: { holds: string; broken: string };
  table: typeof ledgerVerifications | typeof accountVerifications;
  /** Any number that no other program of this database uses. */
  lock: number;
  verify(db: Database): Promise<Report>;
};

export type Verification = typeof ledgerVerifications.$inferSelect;

export type VerificationSchedule = {
  /** What this process knows to be the latest proof. */
  latest(): Verification | undefined;
  /** Ends it and waits for the proof under way. */
  stop(): Promise<void>;
};

type Dependencies = { db: Database; clock: Clock; log: Log; minutes: number };

/** `minutes: 0` only reads what others find. */
export function startVerifications(what: Provable, dependencies: Dependencies): VerificationSchedule {
  let latest: Verification | undefined;
  let stopped = false;
  const look = async () => {
    if (stopped) return;
    try {
      latest = await verifyWhenDue(what, dependencies);
    } catch (error) {
      dependencies.log.warn(
        { err: error },
        `${what.name} could not be proven; it is tried again in a minute`,
      );
    }
  };
  let underWay = look();
  const timer = setInterval(() => {
    underWay = underWay.then(look);
  }, verificationLookSeconds * 1000);
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
export async function verifyWhenDue(
  what: Provable,
  { db, clock, log, minutes }: Dependencies,
): Promise<Verification | undefined> {
  const latest = await latestVerification(db, what);
  const isDue = !latest || clock() >= secondsAfter(latest.startedAt, minutes * 60);
  if (minutes === 0 || !isDue) return latest;
  const startedAt = clock();
  const report = await verifyAlone(db, what);
  if (!report) return latest;
  const broken = report.checks.filter(({ violations }) => violations.length > 0);
  const verification = {
    id: newId('prf'),
    startedAt,
    finishedAt: clock(),
    ok: report.ok,
    broken: Object.fromEntries(broken.map(({ rule, violations }) => [rule, violations.length])),
  };
  await db.insert(what.table).values(verification);
  const oldest = secondsAfter(startedAt, -verificationKeptSeconds);
  await db.delete(what.table).where(lt(what.table.finishedAt, oldest));
  const ms = verification.finishedAt.getTime() - startedAt.getTime();
  if (!verification.ok) log.error({ broken: verification.broken }, `${what.name} ${what.says.broken}`);
  else log.debug({ ms }, `${what.name} ${what.says.holds}`);
  return verification;
}

export async function latestVerification(
  db: Database,
  { table }: Pick<Provable, 'table'>,
): Promise<Verification | undefined> {
  const [latest] = await db.select().from(table).orderBy(desc(table.finishedAt)).limit(1);
  return latest;
}

/**
 * One moment for all the checks, or a sign-in between two of them would look like a fault; however long it takes,
 * because it reads everything.
 */
export function verifyAtOneMoment(db: Database, { verify }: Pick<Provable, 'verify'>): Promise<Report> {
  return atOneLongMoment(db, verify);
}

/** undefined: another process is proving right now. */
async function verifyAlone(db: Database, { lock, verify }: Provable): Promise<Report | undefined> {
  return atOneLongMoment(db, async (tx) => {
    const [row] = rowsOf(await tx.execute(sql`select pg_try_advisory_xact_lock(${lock}::bigint) as alone`));
    return row?.alone === true ? verify(tx) : undefined;
  });
}
