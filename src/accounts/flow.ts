// One half-finished registration, sign-in or recovery as one row (section 1.3): bound to the interaction of one
// browser by a hash of its uid, so that no step can be skipped and no other browser can continue it (attacks 33, 41).
import { and, eq, isNotNull, isNull, lt, ne, sql } from 'drizzle-orm';
import { flows } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { flowKeptSeconds } from '../limits.ts';
import { sha256 } from '../secrets.ts';

export type Flow = typeof flows.$inferSelect;
export type FlowKind = Flow['kind'];

export type NewFlow = {
  uid: string;
  kind: FlowKind;
  applicationId: string;
  /** As parseEmailAddress spells it. */
  email: string;
  name?: string | null | undefined;
  passwordHash?: string | null | undefined;
  now: Date;
};

/**
 * Starts the flow of an interaction, or changes it while it is unfinished: a person may change their mind at every
 * step. With the same address a code that was sent stays valid, with its attempts counted on (a double click must
 * not spoil it, a restart must not buy guesses); with another address code and proof are gone.
 * @throws TollgateError conflict when the interaction was already finished (in another tab).
 */
export async function startFlow(tx: Database, flow: NewFlow): Promise<Flow> {
  const { uid, kind, applicationId, email, name = null, passwordHash = null, now } = flow;
  const typed = { kind, applicationId, email, name, passwordHash };
  const keep = (column: typeof flows.codeHash | typeof flows.codeExpiresAt | typeof flows.verifiedAt) =>
    sql`case when ${flows.email} = ${email} then ${column} end`;
  const [started] = await tx
    .insert(flows)
    .values({ interactionHash: sha256(uid), ...typed, codeAttempts: 0, createdAt: now })
    .onConflictDoUpdate({
      target: flows.interactionHash,
      set: {
        ...typed,
        codeHash: keep(flows.codeHash),
        codeExpiresAt: keep(flows.codeExpiresAt),
        verifiedAt: keep(flows.verifiedAt),
        codeAttempts: sql`case when ${flows.email} = ${email} then ${flows.codeAttempts} else 0 end`,
        codeSentAt: sql`case when ${flows.email} = ${email} then ${flows.codeSentAt} end`,
      },
      setWhere: isNull(flows.finishedAt),
    })
    .returning();
  if (!started) throw new TollgateError('conflict', 'This sign-in was already finished.');
  return started;
}

export async function findFlow(db: Database, uid: string): Promise<Flow | undefined> {
  const [flow] = await db.select().from(flows).where(isFlow(uid));
  return flow;
}

/** @returns true for the one call that finished it; what was typed and is now used or discarded is wiped. */
export async function finishFlow(tx: Database, uid: string, now: Date): Promise<boolean> {
  const finished = await tx
    .update(flows)
    .set({ finishedAt: now, codeHash: null, passwordHash: null, name: null })
    .where(and(isFlow(uid), isNull(flows.finishedAt)))
    .returning({ interactionHash: flows.interactionHash });
  return finished.length === 1;
}

/**
 * A proof is good for one new password. @returns true for the one call that used it up; the interaction goes on, so
 * that the person can sign in with the new password.
 */
export async function spendProof(tx: Database, uid: string): Promise<boolean> {
  const spent = await tx
    .update(flows)
    .set({ verifiedAt: null, codeHash: null })
    .where(and(isFlow(uid), eq(flows.kind, 'recover'), isNotNull(flows.verifiedAt), isNull(flows.finishedAt)))
    .returning({ interactionHash: flows.interactionHash });
  return spent.length === 1;
}

/** Other browsers' pending codes and proofs for an address die, for example when its password changes. */
export async function endFlowsOfAddress(
  tx: Database,
  end: { email: string; exceptUid?: string | undefined; now: Date },
): Promise<void> {
  const isOther = end.exceptUid === undefined ? undefined : ne(flows.interactionHash, sha256(end.exceptUid));
  await tx
    .update(flows)
    .set({ codeHash: null, codeExpiresAt: end.now, verifiedAt: null, passwordHash: null })
    .where(and(eq(flows.email, end.email), isNull(flows.finishedAt), isOther));
}

/** For housekeeping: long after the engine's interaction ended. */
export async function deleteStaleFlows(db: Database, now: Date): Promise<void> {
  await db.delete(flows).where(lt(flows.createdAt, secondsAfter(now, -flowKeptSeconds)));
}

function isFlow(uid: string) {
  return eq(flows.interactionHash, sha256(uid));
}
