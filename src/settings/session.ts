// Who is signed in to company settings in this browser, and what they are to the workspace of the address. Another's
// workspace, a deleted one and an id that never existed are the same 404 (attack 53).
import type { Context } from 'koa';
import { findAccount } from '../accounts/account.ts';
import {
  endPageSession,
  findPageSession,
  openPageSession,
  type PageSession,
} from '../accounts/page-session.ts';
import { listMemberships } from '../applications/membership.ts';
import { transaction } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { freshSignInSeconds, pageSessionAbsoluteSeconds } from '../limits-settings.ts';
import { ownPages } from '../own-pages.ts';
import { readCookie, removeCookie, writeCookie } from '../page-cookies.ts';
import type { SignedIn } from '../way-in.ts';
import { takeRemark } from './leave.ts';
import type { MemberVisit, SettingsTools } from './visit.ts';

/** Somebody is signed in; of which workspace they are a member is another question. */
export type Guest = {
  session: Pick<PageSession, 'id' | 'authenticatedAt'>;
  account: { id: string; email: string; name: string | null };
};

const { sessionCookie } = ownPages.settings;
export const SIGN_OUT_PATH = '/settings/sign-out';

export async function findGuest(tools: SettingsTools, ctx: Context): Promise<Guest | undefined> {
  const token = readCookie(ctx, sessionCookie);
  if (!token) return undefined;
  const session = await findPageSession(tools.db, {
    area: 'settings',
    token,
    address: addressOf(ctx),
    now: tools.clock(),
  });
  const account = session && (await findAccount(tools.db, session.accountId));
  return session && account && { session, account };
}

/** A new cookie at each sign-in; what this browser had before is over (attack 59: fixation). */
export async function openSession(tools: SettingsTools, ctx: Context, signedIn: SignedIn): Promise<void> {
  const before = await findGuest(tools, ctx);
  const { token } = await transaction(tools.db, async (tx) => {
    if (before) await endPageSession(tx, { id: before.session.id, accountId: before.account.id });
    return openPageSession(tx, {
      area: 'settings',
      ...signedIn,
      userAgent: ctx.get('user-agent'),
      address: addressOf(ctx),
      now: tools.clock(),
    });
  });
  writeCookie(ctx, sessionCookie, token, pageSessionAbsoluteSeconds);
}

export async function endSession(tools: SettingsTools, ctx: Context, guest: Guest): Promise<void> {
  await endPageSession(tools.db, { id: guest.session.id, accountId: guest.account.id });
  removeCookie(ctx, sessionCookie);
}

/** Recent enough for what secrets, money and members ask for. */
export function isFresh(tools: Pick<SettingsTools, 'clock'>, { session }: Guest): boolean {
  const age = tools.clock().getTime() - session.authenticatedAt.getTime();
  return age <= freshSignInSeconds * 1000;
}

/** @throws TollgateError not_found */
export async function openVisit(
  tools: SettingsTools,
  ctx: Context,
  guest: Guest,
  workspaceId: string,
): Promise<MemberVisit> {
  const { account, session } = guest;
  const memberships = await listMemberships(tools.db, account.id);
  const membership = memberships.find(({ workspace }) => workspace.id === workspaceId);
  if (!membership) throw new TollgateError('not_found', 'There is nothing at this address.');
  const path = (rest: string) => `/settings/${workspaceId}${rest}`;
  return {
    session,
    member: { accountId: account.id, email: account.email, name: account.name, role: membership.role },
    workspace: membership.workspace,
    workspaces: memberships.map(({ workspace }) => workspace),
    remark: ctx.method === 'GET' ? takeRemark(ctx, tools.keys, account.id) : {},
    path,
    token: (rest) => tools.formGuard.token(ctx, path(rest)),
    address: addressOf(ctx),
    signOut: { path: SIGN_OUT_PATH, token: tools.formGuard.token(ctx, SIGN_OUT_PATH) },
  };
}

export function addressOf(ctx: Context): string {
  return String(ctx.state.clientAddress ?? '');
}
