// The browsers in which a person is signed in with the engine (issue 5, section 3), as far as that person needs to know
// them again. The engine's own session decides; a row here is only its description and the way to end it.
import { and, desc, eq, lt, or, sql } from 'drizzle-orm';
import { signedInBrowsers } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { sessionAbsoluteSeconds, sessionIdleSeconds } from '../limits.ts';
import { browserNoteBatch, browsersShown, browserTouchSeconds } from '../limits-account.ts';
import { userAgentCharacters } from '../limits-settings.ts';
import { type Keys, seal, sha256, unseal } from '../secrets.ts';

export type SignedInBrowser = typeof signedInBrowsers.$inferSelect;

export type BrowserUse = {
  /** The engine's name of the session; no secret, but with it the session can be ended. */
  sessionUid: string;
  accountId: string;
  userAgent: string;
  address: string;
  at: Date;
};

const SEAL_CONTEXT = 'signed-in browser';

/** One write an hour for each; none for an account that is gone, or goes at this moment (deletion.ts). */
export async function recordBrowserUses(
  db: Database,
  keys: Pick<Keys, 'sealing'>,
  uses: BrowserUse[],
): Promise<void> {
  for (let start = 0; start < uses.length; start += browserNoteBatch) {
    const rows = uses.slice(start, start + browserNoteBatch).map(({ sessionUid, at, ...use }) => ({
      ...use,
      sessionHash: sha256(sessionUid),
      sealed: seal(keys, sessionUid, SEAL_CONTEXT),
      userAgent: use.userAgent.slice(0, userAgentCharacters),
      at: at.toISOString(),
    }));
    await db.execute(sql`
      insert into signed_in_browsers
        (session_hash, sealed_session_uid, account_id, created_at, last_seen_at, user_agent, address)
      select browser."sessionHash", browser.sealed, browser."accountId", browser.at, browser.at,
        browser."userAgent", browser.address
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as browser(
        "sessionHash" text, sealed text, "accountId" text, at timestamptz, "userAgent" text, address text
      )
      join accounts on accounts.id = browser."accountId"
      for key share of accounts
      on conflict (session_hash) do update
        set last_seen_at = excluded.last_seen_at, user_agent = excluded.user_agent, address = excluded.address
        where signed_in_browsers.last_seen_at <= excluded.last_seen_at - make_interval(secs => ${browserTouchSeconds}::int)`);
  }
}

/** Last used first. */
export async function listBrowsers(db: Database, accountId: string): Promise<SignedInBrowser[]> {
  return db
    .select()
    .from(signedInBrowsers)
    .where(eq(signedInBrowsers.accountId, accountId))
    .orderBy(desc(signedInBrowsers.lastSeenAt), desc(signedInBrowsers.sessionHash))
    .limit(browsersShown);
}

/** undefined: sealed with a secret that is gone. */
export function sessionUidOf(keys: Pick<Keys, 'sealing'>, browser: SignedInBrowser): string | undefined {
  try {
    return unseal(keys, browser.sealedSessionUid, SEAL_CONTEXT);
  } catch {
    return undefined;
  }
}

/** Signed out, or found to be over. */
export async function forgetBrowser(db: Database, sessionHash: string): Promise<void> {
  await db.delete(signedInBrowsers).where(eq(signedInBrowsers.sessionHash, sessionHash));
}

/** A new password, the end of the account. */
export async function forgetBrowsersOfAccount(tx: Database, accountId: string): Promise<void> {
  await tx.delete(signedInBrowsers).where(eq(signedInBrowsers.accountId, accountId));
}

/** For housekeeping: when no session of the engine can be alive any more. */
export async function deleteStaleBrowsers(db: Database, now: Date): Promise<void> {
  const idleSince = secondsAfter(now, -sessionIdleSeconds - browserTouchSeconds);
  const signedInAt = secondsAfter(now, -sessionAbsoluteSeconds);
  await db
    .delete(signedInBrowsers)
    .where(or(lt(signedInBrowsers.lastSeenAt, idleSince), lt(signedInBrowsers.createdAt, signedInAt)));
}

/** One of this account, or none. */
export async function findBrowser(
  db: Database,
  { accountId, sessionHash }: { accountId: string; sessionHash: string },
): Promise<SignedInBrowser | undefined> {
  const [browser] = await db
    .select()
    .from(signedInBrowsers)
    .where(and(eq(signedInBrowsers.sessionHash, sessionHash), eq(signedInBrowsers.accountId, accountId)));
  return browser;
}
