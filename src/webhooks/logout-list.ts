// What a company sees of the ended sessions that its application was told of, and how long it is kept.
import { desc, eq } from 'drizzle-orm';
import { logoutNotices } from '../../drizzle/schema/logout-notices.ts';
import { secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { logoutNoticeKeptSeconds, logoutNoticesShown } from '../limits/webhooks.ts';

export type LogoutNotice = typeof logoutNotices.$inferSelect;

/** Newest first. */
export function listLogouts(db: Database, applicationId: string): Promise<LogoutNotice[]> {
  return db
    .select()
    .from(logoutNotices)
    .where(eq(logoutNotices.applicationId, applicationId))
    .orderBy(desc(logoutNotices.createdAt), desc(logoutNotices.id))
    .limit(logoutNoticesShown);
}

export function deleteOldLogouts(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -logoutNoticeKeptSeconds);
  return deleteExpired(db, { table: logoutNotices, age: logoutNotices.createdAt, before }, round);
}
