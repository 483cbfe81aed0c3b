// A signed-in browser on pages of our own, company settings and the account page (issue 4, section 1): apart from the
// engine's session, shorter, and ended with everything else when an account's password changes.
import { and, desc, eq, gt, lte, ne, or, type SQL } from 'drizzle-orm';
import { pageSessions } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { newId } from '../id.ts';
import {
  pageSessionAbsoluteSeconds,
  pageSessionIdleSeconds,
  pageSessionTouchSeconds,
  userAgentCharacters,
} from '../limits-settings.ts';
import { randomSecret, sha256 } from '../secrets.ts';

export type PageSession = typeof pageSessions.$inferSelect;
export type PageArea = PageSession['area'];

export type NewPageSession = {
  area: PageArea;
  accountId: string;
  /** When the person last proved who they are. */
  authenticatedAt: Date;
  userAgent: string;
  address: string;
  now: Date;
};

/** @returns the value of the browser's cookie; only its hash is kept. */
export async function openPageSession(
  tx: Database,
  { now, userAgent, ...session }: NewPageSession,
): Promise<{ id: string; token: string }> {
  const id = newId('pgs');
  const token = randomSecret();
  await tx.insert(pageSessions).values({
    ...session,
    id,
    tokenHash: sha256(token),
    userAgent: userAgent.slice(0, userAgentCharacters),
    createdAt: now,
    lastSeenAt: now,
  });
  return { id, token };
}

/** Counts as a use of it: who goes on working is not signed out. */
export async function findPageSession(
  db: Database,
  { area, token, address, now }: { area: PageArea; token: string; address: string; now: Date },
): Promise<PageSession | undefined> {
  const [session] = await db
    .select()
    .from(pageSessions)
    .where(and(eq(pageSessions.tokenHash, sha256(token)), eq(pageSessions.area, area), isAlive(now)));
  if (!session) return undefined;
  if (session.lastSeenAt <= secondsAfter(now, -pageSessionTouchSeconds)) {
    await db
      .update(pageSessions)
      .set({ lastSeenAt: now, address })
      .where(and(eq(pageSessions.id, session.id), isAlive(now)));
  }
  return session;
}

/** Last used first. */
export async function listPageSessions(
  db: Database,
  { accountId, area, now }: { accountId: string; area?: PageArea; now: Date },
): Promise<PageSession[]> {
  const isInArea = area === undefined ? undefined : eq(pageSessions.area, area);
  return db
    .select()
    .from(pageSessions)
    .where(and(eq(pageSessions.accountId, accountId), isInArea, isAlive(now)))
    .orderBy(desc(pageSessions.lastSeenAt), desc(pageSessions.id));
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

/** @returns how many there were. */
export async function endOtherPageSessions(
  db: Database,
  { accountId, keepId, area }: { accountId: string; keepId: string; area?: PageArea },
): Promise<number> {
  const isInArea = area === undefined ? undefined : eq(pageSessions.area, area);
  const ended = await db
    .delete(pageSessions)
    .where(and(eq(pageSessions.accountId, accountId), ne(pageSessions.id, keepId), isInArea))
    .returning({ id: pageSessions.id });
  return ended.length;
}

/** A new password, "sign out everywhere", the end of the account. */
export async function endPageSessionsOfAccount(tx: Database, accountId: string): Promise<void> {
  await tx.delete(pageSessions).where(eq(pageSessions.accountId, accountId));
}

/** For housekeeping. */
export async function deleteStalePageSessions(db: Database, now: Date): Promise<void> {
  await db
    .delete(pageSessions)
    .where(
      or(
        lte(pageSessions.lastSeenAt, secondsAfter(now, -pageSessionIdleSeconds)),
        lte(pageSessions.createdAt, secondsAfter(now, -pageSessionAbsoluteSeconds)),
      ),
    );
}

function isAlive(now: Date): SQL | undefined {
  return and(
    gt(pageSessions.lastSeenAt, secondsAfter(now, -pageSessionIdleSeconds)),
    gt(pageSessions.createdAt, secondsAfter(now, -pageSessionAbsoluteSeconds)),
  );
}
