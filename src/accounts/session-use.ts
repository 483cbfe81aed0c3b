// When a signed-in browser was last used and from where, so that its owner knows it again: one write an hour for each.
import { sql } from 'drizzle-orm';
import type { Database } from '../database/connection.ts';
import { browserTouchSeconds } from '../limits/account.ts';
import { userAgentCharacters } from '../limits/settings.ts';
import { sha256 } from '../secrets.ts';

export type SessionUse = {
  /** The engine's name of the session. */
  sessionUid: string;
  userAgent: string;
  ipAddress: string;
  at: Date;
};

/** Nothing for a session that has ended. At most `browserNoteBatch` at once. */
export async function recordSessionUses(db: Database, uses: SessionUse[]): Promise<void> {
  const rows = uses.map(({ sessionUid, at, ...use }) => ({
    ...use,
    uidHash: sha256(sessionUid),
    userAgent: use.userAgent.slice(0, userAgentCharacters),
    at: at.toISOString(),
  }));
  await db.execute(sql`
    update sessions set last_seen_at = used.at, user_agent = used."userAgent", address = used."ipAddress"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as used(
      "uidHash" text, at timestamptz, "userAgent" text, "ipAddress" text
    )
    where sessions.uid_hash = used."uidHash" and sessions.ended_at is null
      and sessions.last_seen_at <= used.at - make_interval(secs => ${browserTouchSeconds}::int)`);
}
