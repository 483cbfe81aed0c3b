// Who is signed in to the account page in this browser. The session is its own, apart from the engine's: shorter, and
// renewed by a new sign-in before anything that weakens the account.
import type { Context } from 'koa';
import { type Account, findAccount } from '../../src/accounts/account.ts';
import {
  endPageSession,
  findPageSession,
  openPageSession,
  type PageSession,
} from '../../src/accounts/page-session.ts';
import { transaction } from '../../src/database.ts';
import { freshSignInSeconds, pageSessionAbsoluteSeconds } from '../../src/limits-settings.ts';
import { ownPages } from '../../src/own-pages.ts';
import { readCookie, removeCookie, writeCookie } from '../../src/page-cookies.ts';
import type { SignedIn } from '../../src/way-in.ts';
import type { AccountTools } from './visit.ts';

export type Owner = { account: Account; session: PageSession };

const { sessionCookie } = ownPages.account;

export async function findOwner(tools: AccountTools, ctx: Context): Promise<Owner | undefined> {
  const token = readCookie(ctx, sessionCookie);
  if (!token) return undefined;
  const session = await findPageSession(tools.db, {
    area: 'account',
    token,
    address: networkAddressOf(ctx),
    now: tools.clock(),
  });
  const account = session && (await findAccount(tools.db, session.accountId));
  return account && { account, session };
}

/** A new cookie at each sign-in; what this browser had before is over. */
export async function openSession(tools: AccountTools, ctx: Context, signedIn: SignedIn): Promise<void> {
  const before = await findOwner(tools, ctx);
  const { token } = await transaction(tools.db, async (tx) => {
    if (before) await endPageSession(tx, { id: before.session.id, accountId: before.account.id });
    return openPageSession(tx, {
      area: 'account',
      ...signedIn,
      userAgent: ctx.get('user-agent'),
      address: networkAddressOf(ctx),
      now: tools.clock(),
    });
  });
  writeCookie(ctx, sessionCookie, token, pageSessionAbsoluteSeconds);
}

export async function endSession(tools: AccountTools, ctx: Context, owner: Owner): Promise<void> {
  await endPageSession(tools.db, { id: owner.session.id, accountId: owner.account.id });
  removeCookie(ctx, sessionCookie);
}

export function isFresh({ clock }: Pick<AccountTools, 'clock'>, { session }: Owner): boolean {
  return clock().getTime() - session.authenticatedAt.getTime() <= freshSignInSeconds * 1000;
}

export function networkAddressOf(ctx: Context): string {
  return String(ctx.state.clientAddress ?? '');
}
