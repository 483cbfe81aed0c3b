// Who is signed in to the account page in this browser. The session is its own, shorter than the browser's session with
// the engine, and ends with that; a new sign-in comes before anything that weakens the account.
import type { Context } from 'koa';
import { findAccount } from '../../src/accounts/account.ts';
import {
  endPageSession,
  findPageSession,
  openPageSession,
  type SignedInPerson,
} from '../../src/accounts/page-session.ts';
import { transaction } from '../../src/database/connection.ts';
import { ownPages } from '../../src/first-party/clients.ts';
import type { SignedIn } from '../../src/first-party/sign-in.ts';
import { readCookie, removeCookie, writeCookie } from '../../src/http/cookies.ts';
import { pageSessionAbsoluteSeconds } from '../../src/limits/settings.ts';
import { rememberThisDevice } from '../known-device-cookie.ts';
import type { AccountTools } from './visit.ts';

export type Owner = SignedInPerson;

const { sessionCookie } = ownPages.account;

export async function findOwner(tools: AccountTools, ctx: Context): Promise<Owner | undefined> {
  const token = readCookie(ctx, sessionCookie);
  if (!token) return undefined;
  const { db, clock } = tools;
  return findPageSession(db, { area: 'account', token, address: networkAddressOf(ctx), clock });
}

/** A new cookie at each sign-in; what this browser had before is over. @returns false for another browser's sign-in. */
export async function openSession(tools: AccountTools, ctx: Context, signedIn: SignedIn): Promise<boolean> {
  const before = await findOwner(tools, ctx);
  const opened = await transaction(tools.db, async (tx) => {
    if (before) await endPageSession(tx, { id: before.session.id, accountId: before.account.id });
    return openPageSession(tx, {
      area: 'account',
      accountId: signedIn.accountId,
      sessionHash: signedIn.sessionHash,
      browser: tools.formGuard.browser(ctx) ?? '',
      userAgent: ctx.get('user-agent'),
      address: networkAddressOf(ctx),
      now: tools.clock(),
    });
  });
  if (opened) writeCookie(ctx, sessionCookie, opened.token, pageSessionAbsoluteSeconds);
  return opened !== undefined;
}

/** The browser's session ends, and with it this one and that of company settings. */
export async function endSession(
  tools: AccountTools,
  ctx: Context,
  { session, account }: Owner,
): Promise<void> {
  const { sessionHash: uidHash } = session;
  await tools.revokeSession(tools.db, { uidHash, accountId: account.id, now: tools.clock() });
  removeCookie(ctx, sessionCookie);
}

/** What this browser has just changed has put out everybody else; it stays a browser that its owner signs in with. */
export async function stayKnown(tools: AccountTools, ctx: Context, accountId: string): Promise<void> {
  const account = await findAccount(tools.db, accountId);
  if (account) rememberThisDevice(tools, ctx, account);
}

export function networkAddressOf(ctx: Context): string {
  return String(ctx.state.clientAddress ?? '');
}
