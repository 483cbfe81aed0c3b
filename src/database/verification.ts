// Proofs of what is stored, by hand and on a schedule: each check is one query for the rows that break a rule, so an empty
// answer is the proof. One process of all proves, every process knows the result; nothing is repaired here.
import { desc, lt, type SQL, sql } from 'drizzle-orm';
import type { accountVerifications, ledgerVerifications } from '../../drizzle/schema/operations.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { newId } from '../id.ts';
import {
  verificationBiteRows,
  verificationKeptSeconds,
  verificationLookSeconds,
  verificationRows,
} from '../limits/operations.ts';
import type { Log } from '../log.ts';
import { atOneLongMoment, type Database, rowsOf } from './connection.ts';
import { type Row, type Walk, walk } from './walk.ts';

/** Goes through a table; what `read` asks of each bite comes back bite by bite. */
export type Walker = (walk: Walk) => AsyncIterable<Row[]>;

export type Tools = {
  /** A question about no more rows than a bite has. */
  ask: (query: SQL) => Promise<Row[]>;
  biteRows: number;
};

/**
 * The rows that break it: in one statement, where little is ever there; of each bite of one or more tables; or of sums
 * that grow from bite to bite.
 */
export type Rule = { rule: string } & (
  | { violations: SQL }
  | { walks: readonly Walk[] }
  | { find: (walker: Walker, tools: Tools) => AsyncIterable<Row[]> }
);

export type Report = { ok: boolean; checks: { rule: string; violations: Row[] }[] };

export type VerifyOptions = {
  /** Rows of a bite at most. */
  biteRows?: number;
  /** After each bite. */
  onProgress?: (progress: VerifyProgress) => void;
};

/** `rows`: of all tables that this rule goes through, so far. */
export type VerifyProgress = { rule: string; number: number; of: number; rows: number };

/** Reads everything that the rules are about once, a bite at a time. */
export async function checkRules(
  db: Database,
  rules: readonly Rule[],
  { biteRows = verificationBiteRows, onProgress }: VerifyOptions = {},
): Promise<Report> {
  const checks: Report['checks'] = [];
  const ends = new Map<string, string[] | undefined>();
  const tools: Tools = { ask: async (query) => rowsOf(await db.execute(query)), biteRows };
  for (const [index, rule] of rules.entries()) {
    const progress = { rule: rule.rule, number: index + 1, of: rules.length, rows: 0 };
    const onBite = (rows: number) => {
      progress.rows += rows;
      onProgress?.(progress);
    };
    const walker: Walker = (each) => walk(db, each, { most: biteRows, onBite, ends });
    checks.push({ rule: rule.rule, violations: await someOf(violationsOf(rule, walker, tools)) });
  }
  return { ok: checks.every((check) => check.violations.length === 0), checks };
}

async function* violationsOf(rule: Rule, walker: Walker, tools: Tools): AsyncGenerator<Row[]> {
  if ('violations' in rule) {
    const some = sql`select * from (${rule.violations}) as violation limit ${verificationRows}`;
    yield await tools.ask(some);
  } else if ('find' in rule) yield* rule.find(walker, tools);
  else for (const each of rule.walks) yield* walker(each);
}

/** What breaks a rule may be everything; a few thousand rows say as much. */
async function someOf(found: AsyncIterable<Row[]>): Promise<Row[]> {
  const violations: Row[] = [];
  for await (const rows of found) {
    violations.push(...rows.slice(0, verificationRows - violations.length));
    if (violations.length >= verificationRows) break;
  }
  return violations;
}

/** What can prove itself. */
export type Provable = {
  /** For the log: "the ledger". */
  name: string;
  /** For the log: "adds up". */
  says: { holds: string; broken: string };
  table: typeof ledgerVerifications | typeof accountVerifications;
  /** Of src/database/advisory-locks.ts. */
  lock: number;
  verify(db: Database, options?: VerifyOptions): Promise<Report>;
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
export function verifyAtOneMoment(
  db: Database,
  { verify }: Pick<Provable, 'verify'>,
  options: VerifyOptions = {},
): Promise<Report> {
  return atOneLongMoment(db, (tx) => verify(tx, options));
}

/** undefined: another process is proving right now. */
async function verifyAlone(db: Database, { lock, verify }: Provable): Promise<Report | undefined> {
  return atOneLongMoment(db, async (tx) => {
    const [row] = rowsOf(await tx.execute(sql`select pg_try_advisory_xact_lock(${lock}::bigint) as alone`));
    return row?.alone === true ? verify(tx) : undefined;
  });
}
