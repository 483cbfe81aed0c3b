// Page sessions as the first-party clients use them: found by their cookie, opened in place of the browser's one before,
// ended together with the browser's session.
import type { Clock } from '../clock.ts';
import { type Database, transaction } from '../database/connection.ts';
import type { SessionStore } from '../first-party/session.ts';
import { endPageSession, findPageSession, openPageSession, type SignedInPerson } from './page-session.ts';

export type RevokeSession = (
  db: Database,
  session: { uidHash: string; accountId: string; now: Date },
) => Promise<boolean>;

type Dependencies = { db: Database; clock: Clock; revokeSession: RevokeSession };

export function createPageSessionStore({
  db,
  clock,
  revokeSession,
}: Dependencies): SessionStore<SignedInPerson> {
  return {
    find: (session) => findPageSession(db, { ...session, clock }),
    open: ({ before, ...session }) =>
      transaction(db, async (tx) => {
        if (before) await endPageSession(tx, { id: before.session.id, accountId: before.account.id });
        const opened = await openPageSession(tx, { ...session, now: clock() });
        return opened?.token;
      }),
    async end({ session: { sessionHash: uidHash }, account }) {
      await revokeSession(db, { uidHash, accountId: account.id, now: clock() });
    },
  };
}
