// Work that is longer than a transaction: begun in the transaction that decides it, and done by whichever process has time,
// a bite at a time. Its row says how far it is, so a killed process loses one bite, and the next one goes on from there.
import { and, asc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import { type BiteSize, type Bitten, createBiteSize } from '../database/bites.ts';
import { type Database, isOneOf, rowsOf, transaction } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { sqlState } from '../database/sql-state.ts';
import {
  biteRows,
  longWorkKeptSeconds,
  longWorkPauseMostSeconds,
  longWorkPauseSeconds,
} from '../limits/bites.ts';

export type LongWork = typeof longWork.$inferSelect;
export type WorkDetail = Record<string, string | number | boolean | null | string[]>;

/** Where a bite begins, and how many rows it may take. */
export type WorkPlace = {
  subject: string;
  detail: WorkDetail;
  /** What the bite before said; null at first. */
  cursor: string | null;
  rows: number;
  now: Date;
};

/** `cursor` null: this was the last bite. */
export type WorkBite = { rows: number; cursor: string | null };

export type WorkKind = {
  /** Rows of a bite at most. */
  most?: number;
  bite(tx: Database, place: WorkPlace): Promise<WorkBite>;
};

/** By name. A process leaves alone what it does not know: a later release's. */
export type WorkKinds = Record<string, WorkKind>;

type Which = { kind: string; subject: string };

type NewWork = Which & {
  detail?: WorkDetail;
  total?: number | undefined;
  /** Until then nothing is done, and it can be taken back. */
  notBefore?: Date;
  now: Date;
};

/** In the transaction that decides it. The same work again begins anew, whether the first is done or not. */
export function beginWork(tx: Database, work: NewWork): Promise<void> {
  return begin(tx, work, undefined);
}

/** What is under way already goes on. */
export function beginWorkUnlessUnderWay(db: Database, work: NewWork): Promise<void> {
  return begin(db, work, isNotNull(longWork.finishedAt));
}

async function begin(
  db: Database,
  { kind, subject, detail = {}, total, notBefore, now }: NewWork,
  setWhere: SQL | undefined,
): Promise<void> {
  const fresh = {
    detail,
    cursor: null,
    done: 0,
    total: total ?? null,
    startedAt: now,
    nextBiteAt: notBefore ?? now,
    finishedAt: null,
    failures: 0,
    error: null,
  };
  await db
    .insert(longWork)
    .values({ kind, subject, ...fresh })
    .onConflictDoUpdate({
      target: [longWork.kind, longWork.subject],
      set: fresh,
      ...(setWhere && { setWhere }),
    });
}

/** What was to begin later is not done at all. @returns what it was told; undefined when it has begun. */
export async function takeBackWork(
  tx: Database,
  { now, ...which }: Which & { now: Date },
): Promise<WorkDetail | undefined> {
  // A bite holds this row, and leaves its mark there: whichever of the two comes second finds that it is late.
  const [taken] = await tx
    .delete(longWork)
    .where(and(isThisOne(which), isToBeginAfter(now)))
    .returning({ detail: longWork.detail });
  return taken && (taken.detail as WorkDetail);
}

/** Nothing of it is done, and it can be taken back. */
export function isToBeginAfter(now: Date): SQL | undefined {
  return and(isNull(longWork.finishedAt), eq(longWork.done, 0), gt(longWork.nextBiteAt, now));
}

/** For whoever wants to show how far it is. */
export async function findWork(db: Database, which: Which): Promise<LongWork | undefined> {
  const [found] = await db.select().from(longWork).where(isThisOne(which));
  return found;
}

/** What is not done, the oldest first; a page of it. */
export function listUnfinishedWork(db: Database, limit: number): Promise<LongWork[]> {
  return db
    .select()
    .from(longWork)
    .where(isNull(longWork.finishedAt))
    .orderBy(asc(longWork.startedAt), asc(longWork.kind), asc(longWork.subject))
    .limit(limit);
}

/** For the gauges: by kind, `failing` when its last bite failed. */
export async function unfinishedWork(
  db: Database,
): Promise<{ kind: string; state: 'going_on' | 'failing'; count: number; startedAt: Date }[]> {
  const rows = rowsOf(
    await db.execute(sql`
      select kind, failures > 0 as failing, count(*)::int as count, min(started_at) as started_at
      from long_work where finished_at is null group by 1, 2 order by 1, 2`),
  );
  return rows.map((row) => ({
    kind: String(row.kind),
    state: row.failing === true ? 'failing' : 'going_on',
    count: Number(row.count),
    startedAt: new Date(String(row.started_at)),
  }));
}

export type WorkDependencies = { db: Database; clock: Clock; kinds: WorkKinds };

export type WorkDone = { kind: string; subject: string; milliseconds: number } & (
  | { rows: number; isFinished: boolean }
  | { error: unknown }
);

/** Sizes are of a process: what a kind's rows cost is learned anew after a start. */
export function createWorkSizes(kinds: WorkKinds): Map<string, BiteSize> {
  return new Map(Object.entries(kinds).map(([kind, { most = biteRows }]) => [kind, createBiteSize(most)]));
}

/**
 * One bite of what has waited longest, so that small work passes large work and no one's is in front of everybody's. Its
 * row stays locked meanwhile: another process takes another one. @returns undefined when nothing is due.
 */
export async function takeWorkBite(
  { db, clock, kinds }: WorkDependencies,
  sizes: Map<string, BiteSize>,
  only?: Which,
): Promise<WorkDone | undefined> {
  const startedAt = performance.now();
  let taken: LongWork | undefined;
  try {
    const bitten = await transaction(db, async (tx) => {
      taken = await lockDueWork(tx, { kinds: Object.keys(kinds), only, now: clock() });
      return taken && bite(tx, taken, { kinds, sizes, now: clock() });
    });
    if (!taken || !bitten) return undefined;
    const milliseconds = performance.now() - startedAt;
    sizes.get(taken.kind)?.took(milliseconds);
    const { kind, subject } = taken;
    return { kind, subject, rows: bitten.rows, milliseconds, isFinished: bitten.cursor === null };
  } catch (error) {
    if (!taken) throw error;
    sizes.get(taken.kind)?.failed(error);
    await noteFailure(db, taken, { error, now: clock() });
    const { kind, subject } = taken;
    return { kind, subject, milliseconds: performance.now() - startedAt, error };
  }
}

async function lockDueWork(
  tx: Database,
  { kinds, only, now }: { kinds: string[]; only: Which | undefined; now: Date },
): Promise<LongWork | undefined> {
  const isDue = only ? isThisOne(only) : lte(longWork.nextBiteAt, now);
  const [work] = await tx
    .select()
    .from(longWork)
    .where(and(isDue, isNull(longWork.finishedAt), isOneOf(longWork.kind, kinds)))
    .orderBy(asc(longWork.nextBiteAt))
    .limit(1)
    .for('update', { skipLocked: true });
  return work;
}

async function bite(
  tx: Database,
  work: LongWork,
  { kinds, sizes, now }: { kinds: WorkKinds; sizes: Map<string, BiteSize>; now: Date },
): Promise<WorkBite> {
  const kind = kinds[work.kind];
  if (!kind) throw new Error(`no such kind of long work: ${work.kind}`);
  const rows = sizes.get(work.kind)?.rows() ?? 1;
  const { subject, detail, cursor } = work;
  const bitten = await kind.bite(tx, { subject, detail, cursor, rows, now });
  const isFinished = bitten.cursor === null;
  await tx
    .update(longWork)
    .set({
      cursor: bitten.cursor,
      done: sql`${longWork.done} + ${bitten.rows}`,
      nextBiteAt: now,
      failures: 0,
      error: null,
      // What it was told may name a person.
      ...(isFinished && { finishedAt: now, detail: {} }),
    })
    .where(isThisOne(work));
  return bitten;
}

/** The others do not wait for it. The word is the database's own, which names no person. */
async function noteFailure(
  db: Database,
  work: LongWork,
  { error, now }: { error: unknown; now: Date },
): Promise<void> {
  const pause = Math.min(longWorkPauseMostSeconds, longWorkPauseSeconds * 2 ** Math.min(work.failures, 20));
  await db
    .update(longWork)
    .set({
      failures: work.failures + 1,
      error: sqlState(error) ?? 'failed',
      nextBiteAt: secondsAfter(now, pause),
    })
    .where(and(isThisOne(work), isNull(longWork.finishedAt)));
}

/** For housekeeping. */
export function deleteFinishedWork(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -longWorkKeptSeconds);
  return deleteExpired(db, { table: longWork, age: longWork.finishedAt, before }, round);
}

function isThisOne({ kind, subject }: Which) {
  return and(eq(longWork.kind, kind), eq(longWork.subject, subject));
}
