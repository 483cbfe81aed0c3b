// One half-finished registration, sign-in or recovery as one row: what was typed, and the code that waits.
// Bound to the interaction of one browser by a hash of its uid (threats 33, 41); what is proven is in proof.ts.

import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import { flows } from '../../drizzle/schema/sign-ins.ts';
import { secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, inTurn, type Round } from '../database/expired-rows.ts';
import { TollgateError } from '../errors.ts';
import { flowKeptSeconds } from '../limits/operations.ts';
import { unfinishedFlowKeptSeconds } from '../limits/strangers.ts';
import { sha256 } from '../secrets.ts';
import type { Place } from './proof.ts';

export type Flow = typeof flows.$inferSelect;
export type FlowKind = Flow['kind'];

export type NewFlow = {
  place: Place;
  kind: FlowKind;
  applicationId: string;
  /** As parseEmailAddress spells it. */
  email: string;
  name?: string | null | undefined;
  passwordHash?: string | null | undefined;
  /** The provider's word that the code is to link to the account of this address. */
  linkProofId?: string | undefined;
  now: Date;
};

/**
 * Starts the flow of an interaction, or changes it while it is unfinished: a person may change their mind at every
 * step. With the same address a code that was sent stays valid, with its attempts counted on (a double click must
 * not spoil it, a restart must not buy guesses); with another address code and proof are gone. A proof made for one
 * kind of flow is good for no other. A browser that comes with somebody else's interaction begins anew.
 * @throws TollgateError conflict when the interaction was already finished (in another tab).
 */
export async function startFlow(tx: Database, flow: NewFlow): Promise<Flow> {
  const {
    place,
    kind,
    applicationId,
    email,
    name = null,
    passwordHash = null,
    linkProofId = null,
    now,
  } = flow;
  const browserHash = sha256(place.browser);
  const typed = { browserHash, kind, applicationId, email, name, passwordHash, linkProofId };
  const isSame = sql`${flows.email} = ${email} and ${flows.browserHash} = ${browserHash}`;
  const keep = (column: typeof flows.codeHash | typeof flows.codeExpiresAt) =>
    sql`case when ${isSame} then ${column} end`;
  const [started] = await tx
    .insert(flows)
    .values({ interactionHash: sha256(place.uid), ...typed, codeAttempts: 0, createdAt: now })
    .onConflictDoUpdate({
      target: flows.interactionHash,
      set: {
        ...typed,
        codeHash: keep(flows.codeHash),
        codeExpiresAt: keep(flows.codeExpiresAt),
        proofId: sql`case when ${isSame} and ${flows.kind} = ${kind} then ${flows.proofId} end`,
        codeAttempts: sql`case when ${isSame} then ${flows.codeAttempts} else 0 end`,
        codeSentAt: sql`case when ${isSame} then ${flows.codeSentAt} end`,
      },
      setWhere: isNull(flows.finishedAt),
    })
    .returning();
  if (!started) throw new TollgateError('conflict', 'This sign-in was already finished.');
  return started;
}

/** What this browser has typed in this interaction. */
export async function findFlowOf(db: Database, { uid, browser }: Place): Promise<Flow | undefined> {
  const flow = await findFlow(db, uid);
  return flow?.browserHash === sha256(browser) ? flow : undefined;
}

export async function findFlow(db: Database, uid: string): Promise<Flow | undefined> {
  const [flow] = await db.select().from(flows).where(isFlow(uid));
  return flow;
}

/** @returns true for the one call that finished it; what was typed and is now used or discarded is wiped. */
export async function finishFlow(tx: Database, uid: string, now: Date): Promise<boolean> {
  const finished = await tx
    .update(flows)
    .set({
      finishedAt: now,
      codeHash: null,
      passwordHash: null,
      name: null,
      proofId: null,
      linkProofId: null,
    })
    .where(and(isFlow(uid), isNull(flows.finishedAt)))
    .returning({ interactionHash: flows.interactionHash });
  return finished.length === 1;
}

/** What was proven opens nothing any more: the address has to be proven anew, and a mail may go at once. */
export async function dropProof(db: Database, uid: string): Promise<void> {
  await db
    .update(flows)
    .set({ proofId: null, codeSentAt: null })
    .where(and(isFlow(uid), isNull(flows.finishedAt)));
}

/** Other browsers' pending codes and proofs for an address die, for example when its password changes. */
export async function endFlowsOfEmail(
  tx: Database,
  end: { email: string; exceptUid?: string | undefined; now: Date },
): Promise<void> {
  const isOther = end.exceptUid === undefined ? undefined : ne(flows.interactionHash, sha256(end.exceptUid));
  await tx
    .update(flows)
    .set({ codeHash: null, codeExpiresAt: end.now, proofId: null, linkProofId: null, passwordHash: null })
    .where(and(eq(flows.email, end.email), isNull(flows.finishedAt), isOther));
}

/** For housekeeping: long after the engine's interaction ended. What nobody finished tells no page anything. */
export function deleteStaleFlows(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const flowsBefore = (seconds: number) => ({
    table: flows,
    age: flows.createdAt,
    before: secondsAfter(now, -seconds),
  });
  return inTurn([
    () => deleteExpired(db, flowsBefore(flowKeptSeconds), round),
    () =>
      deleteExpired(db, { ...flowsBefore(unfinishedFlowKeptSeconds), only: isNull(flows.finishedAt) }, round),
  ]);
}

function isFlow(uid: string) {
  return eq(flows.interactionHash, sha256(uid));
}
