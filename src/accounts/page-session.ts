// A signed-in browser on pages of our own, company settings and the account page: shorter than the browser's session
// with the engine, which it belongs to and ends with (docs/decisions/0701).

import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { proofs } from '../../drizzle/schema/proofs.ts';
import { pageSessions, sessions } from '../../drizzle/schema/sessions.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import { databaseTime } from '../database/clock.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, inTurn, type Round } from '../database/expired-rows.ts';
import { newId } from '../id.ts';
import {
  freshSignInSeconds,
  pageSessionAbsoluteSeconds,
  pageSessionIdleSeconds,
  pageSessionTouchSeconds,
  userAgentCharacters,
} from '../limits/settings.ts';
import { randomSecret, sha256 } from '../secrets.ts';
import type { Account } from './account.ts';
import { isOfPresentGeneration } from './session.ts';

export type PageSession = typeof pageSessions.$inferSelect;
export type PageArea = PageSession['area'];

/** Somebody is signed in on a page of ours. */
export type SignedInPerson = {
  session: PageSession & { sessionHash: string };
  account: Account;
  /** The person proved who they are within the last five minutes, and then came to this page. */
  isFresh: boolean;
  /** That proof: what this page session was opened on. */
  proofId: string;
};

export type NewPageSession = {
  area: PageArea;
  accountId: string;
  /** `sessions.uid_hash` */
  sessionHash: string;
  /** Value of the browser's own cookie. */
  browser: string;
  userAgent: string;
  ipAddress: string;
  now: Date;
};

/**
 * @returns the value of the page's cookie, of which only a hash is kept; undefined when the browser's session is over, or
 * another browser's: whoever was sent here with somebody else's code is not signed in as that somebody.
 */
export async function openPageSession(
  tx: Database,
  { now, userAgent, browser, ...session }: NewPageSession,
): Promise<{ id: string; token: string } | undefined> {
  const { sessionHash, accountId } = session;
  const [own] = await tx
    .select({ proofId: sessions.proofId })
    .from(sessions)
    .innerJoin(accounts, isOfPresentGeneration())
    .innerJoin(proofs, eq(proofs.id, sessions.proofId))
    .where(
      and(
        eq(sessions.uidHash, sessionHash),
        eq(sessions.accountId, accountId),
        isNull(sessions.endedAt),
        eq(proofs.browserHash, sha256(browser)),
      ),
    )
    // The account does not end before this is written.
    .for('key share', { of: accounts });
  if (!own) return undefined;
  const id = newId('pgs');
  const token = randomSecret();
  await tx.insert(pageSessions).values({
    ...session,
    id,
    proofId: own.proofId,
    tokenHash: sha256(token),
    userAgent: userAgent.slice(0, userAgentCharacters),
    // Read by the release before this one only.
    authenticatedAt: now,
    createdAt: now,
    lastSeenAt: now,
  });
  return { id, token };
}

type Cookie = { area: PageArea; token: string; ipAddress: string; clock: Clock };

/** Counts as a use of it: who goes on working is not signed out. */
export async function findPageSession(
  db: Database,
  { area, token, ipAddress, clock }: Cookie,
): Promise<SignedInPerson | undefined> {
  const now = clock();
  const found = await findLiving(
    db,
    clock,
    and(eq(pageSessions.tokenHash, sha256(token)), eq(pageSessions.area, area)),
  );
  if (!found) return undefined;
  const { session } = found;
  if (session.lastSeenAt <= secondsAfter(now, -pageSessionTouchSeconds)) {
    await db
      .update(pageSessions)
      .set({ lastSeenAt: now, ipAddress })
      .where(and(eq(pageSessions.id, session.id), isWithinLimits(now)));
  }
  return found;
}

/** Again, inside a transaction that holds the account: neither it nor its browser's session ends before that does. */
export function lockPageSession(
  tx: Database,
  { id, clock }: { id: string; clock: Clock },
): Promise<SignedInPerson | undefined> {
  return findLiving(tx, clock, eq(pageSessions.id, id), { hold: true });
}

async function findLiving(
  db: Database,
  clock: Clock,
  which: SQL | undefined,
  { hold = false } = {},
): Promise<SignedInPerson | undefined> {
  const query = db
    .select({
      session: pageSessions,
      account: accounts,
      proofId: sql<string>`coalesce(${pageSessions.proofId}, ${sessions.proofId})`,
      isFresh: sql<boolean>`coalesce(${isFreshProof(clock)}, false)`,
    })
    .from(pageSessions)
    .innerJoin(sessions, eq(sessions.uidHash, pageSessions.sessionHash))
    .innerJoin(accounts, isOfPresentGeneration())
    // Its own proof, not the latest of the session: see drizzle/schema/sessions.ts. A proof that is gone was not fresh either.
    .leftJoin(proofs, eq(proofs.id, pageSessions.proofId))
    .where(
      and(
        which,
        eq(pageSessions.accountId, sessions.accountId),
        isNull(sessions.endedAt),
        isWithinLimits(clock()),
      ),
    );
  const [found] = await (hold ? query.for('share', { of: [pageSessions, sessions] }) : query);
  const sessionHash = found?.session.sessionHash;
  if (!found || !sessionHash) return undefined;
  return { ...found, session: { ...found.session, sessionHash } };
}

/** The one meaning of "a fresh sign-in", by the database's time. */
export function isFreshProof(clock: Clock): SQL<boolean> {
  return sql`${databaseTime(clock)} - ${proofs.provenAt} <= make_interval(secs => ${freshSignInSeconds})`;
}

/** Last used first. */
export async function listPageSessions(
  db: Database,
  { accountId, area, now }: { accountId: string; area?: PageArea; now: Date },
): Promise<PageSession[]> {
  const isInArea = area === undefined ? undefined : eq(pageSessions.area, area);
  const rows = await db
    .select({ session: pageSessions })
    .from(pageSessions)
    .innerJoin(sessions, eq(sessions.uidHash, pageSessions.sessionHash))
    .innerJoin(accounts, isOfPresentGeneration())
    .where(
      and(eq(pageSessions.accountId, accountId), isInArea, isNull(sessions.endedAt), isWithinLimits(now)),
    )
    .orderBy(desc(pageSessions.lastSeenAt), desc(pageSessions.id));
  return rows.map(({ session }) => session);
}

/** @returns whether there was such a session of this account. */
export async function endPageSession(
  db: Database,
  { id, accountId }: { id: string; accountId: string },
): Promise<boolean> {
  const ended = await db
    .delete(pageSessions)
    .where(and(eq(pageSessions.id, id), eq(pageSessions.accountId, accountId)))
    .returning({ id: pageSessions.id });
  return ended.length > 0;
}

/** For housekeeping. */
export async function deleteStalePageSessions(db: Database, now: Date, round?: Round): Promise<Bitten> {
  // The moment itself is over as well.
  const [unused, old] = [pastTime(now, pageSessionIdleSeconds), pastTime(now, pageSessionAbsoluteSeconds)];
  return inTurn([
    () => deleteExpired(db, { table: pageSessions, age: pageSessions.lastSeenAt, before: unused }, round),
    () => deleteExpired(db, { table: pageSessions, age: pageSessions.createdAt, before: old }, round),
  ]);
}

function pastTime(now: Date, seconds: number): Date {
  return new Date(secondsAfter(now, -seconds).getTime() + 1);
}

function isWithinLimits(now: Date): SQL | undefined {
  return and(
    gt(pageSessions.lastSeenAt, secondsAfter(now, -pageSessionIdleSeconds)),
    gt(pageSessions.createdAt, secondsAfter(now, -pageSessionAbsoluteSeconds)),
  );
}
