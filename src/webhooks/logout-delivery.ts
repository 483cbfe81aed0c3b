// One attempt to tell an application that a session has ended: a token made for this attempt, sent outside any
// transaction, and what the answer means (Back-Channel Logout §2.5, §2.8).
import { and, eq, sql } from 'drizzle-orm';
import type { assurances } from '../../drizzle/schema/assurances.ts';
import { logoutNotices } from '../../drizzle/schema/logout-notices.ts';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import type { Database } from '../database/connection.ts';
import { logoutRetrySeconds } from '../limits/webhooks.ts';
import { type ClaimedLogout, over } from './logout-claim.ts';
import { pauseBeforeNext } from './retry-schedule.ts';
import type { SendWebhook, WebhookAnswer } from './sender.ts';

export type LogoutSubject = {
  clientId: string;
  applicationId: string;
  accountId: string;
  grantId: string;
  /** As in the application's ID Tokens. */
  algorithm: (typeof assurances.$inferSelect)['signingAlgorithm'];
  /** Whether the token says which session has ended, and not only whose. */
  namesSession: boolean;
  /** Of this attempt alone. */
  jti: string;
};

export type LogoutToken = { jwt: string; sub: string; sid: string | undefined };
export type MakeLogoutToken = (subject: LogoutSubject) => Promise<LogoutToken>;

type Dependencies = {
  db: Database;
  clock: Clock;
  send: SendWebhook;
  makeToken: MakeLogoutToken;
  random?: () => number;
};

/** Resolves when its answer is written down. */
export function createLogoutWorker(deps: Dependencies): (claimed: ClaimedLogout) => Promise<void> {
  return async ({ notice, application }) => {
    const { id: applicationId, clientId, url, namesSession, algorithm } = application;
    const { accountId, grantId } = notice;
    if (!accountId || !grantId || !url) return;
    const number = notice.attemptCount + 1;
    // Another one for each attempt: who keeps them against replay must not refuse a repetition that it never answered.
    const jti = `${notice.id}.${number}`;
    const token = await deps.makeToken({
      clientId,
      applicationId,
      accountId,
      grantId,
      // OpenID Connect Core §15.1: what an application has that chose nothing.
      algorithm: algorithm ?? 'RS256',
      namesSession,
      jti,
    });
    const body = new URLSearchParams({ logout_token: token.jwt }).toString();
    const answer = await deps.send({ url, headers, body });
    await record(deps, { id: notice.id, number, token, answer });
  };
}

const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  'user-agent': 'Tollgate-Logout/1',
};

type Attempt = { id: string; number: number; token: LogoutToken; answer: WebhookAnswer };

/** When its claim ran out, another process has made the same attempt, and what that one wrote stands. */
async function record(
  { db, clock, random = Math.random }: Dependencies,
  { id, number, token, answer }: Attempt,
): Promise<void> {
  const { status, failure } = outcomeOf(answer);
  const now = clock();
  const pause = pauseBeforeNext({
    attemptCount: number,
    retryAfter: answer.retryAfter,
    now,
    random,
    schedule: logoutRetrySeconds,
  });
  const isAgain = status === 'again' && pause !== undefined;
  const next = {
    claimedBy: null,
    claimedUntil: null,
    nextAttemptAt: sql`${databaseTime(clock)} + ${pause ?? 0}::float8 * interval '1 second'`,
  };
  await db
    .update(logoutNotices)
    .set({
      attemptCount: number,
      sub: token.sub,
      sid: token.sid ?? null,
      responseStatus: answer.status ?? null,
      failure,
      ...(isAgain ? next : { ...over(now), status: status === 'again' ? 'failed' : status }),
    })
    .where(
      and(
        eq(logoutNotices.id, id),
        eq(logoutNotices.status, 'pending'),
        eq(logoutNotices.attemptCount, number - 1),
      ),
    );
}

/**
 * 200 is done, and so is 204, which frameworks answer without a body. 400 says that the application understood the request
 * and will not do it: the same token would be refused again. Of a body nothing is read, so it cannot fail anything.
 */
function outcomeOf({ status, failure }: WebhookAnswer): {
  status: 'delivered' | 'failed' | 'again';
  failure: string | null;
} {
  if (status === 200 || status === 204) return { status: 'delivered', failure: null };
  if (status === 400) return { status: 'failed', failure: null };
  return { status: 'again', failure: status === undefined ? (failure ?? 'connection') : null };
}
