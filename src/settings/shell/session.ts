// Who is signed in to company settings in this browser, and what they are to the workspace of the address. Another's
// workspace, a deleted one and an id that never existed are the same 404 (threat 53).
import type { Context } from 'koa';
import { withAuthority } from '../../accounts/authority.ts';
import {
  endPageSession,
  findPageSession,
  openPageSession,
  type SignedInPerson,
} from '../../accounts/page-session.ts';
import { isAtLeast, type Role } from '../../applications/member.ts';
import { holdMembership, listMemberships } from '../../applications/membership.ts';
import { type Database, transaction } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import { ownPages } from '../../first-party/clients.ts';
import type { SignedIn } from '../../first-party/sign-in.ts';
import { readCookie, removeCookie, writeCookie } from '../../http/cookies.ts';
import { pageSessionAbsoluteSeconds } from '../../limits/settings.ts';
import { takeRemark } from './leave.ts';
import type { MemberVisit, SettingsTools } from './visit.ts';

/** Somebody is signed in; of which workspace they are a member is another question. */
export type Guest = SignedInPerson;

const { sessionCookie } = ownPages.settings;
export const SIGN_OUT_PATH = '/settings/sign-out';

export async function findGuest(tools: SettingsTools, ctx: Context): Promise<Guest | undefined> {
  const token = readCookie(ctx, sessionCookie);
  if (!token) return undefined;
  const { db, clock } = tools;
  return findPageSession(db, { area: 'settings', token, address: addressOf(ctx), clock });
}

/**
 * A new cookie at each sign-in; what this browser had before is over (threat 59: fixation).
 * @returns false for another browser's sign-in.
 */
export async function openSession(tools: SettingsTools, ctx: Context, signedIn: SignedIn): Promise<boolean> {
  const before = await findGuest(tools, ctx);
  const opened = await transaction(tools.db, async (tx) => {
    if (before) await endPageSession(tx, { id: before.session.id, accountId: before.account.id });
    return openPageSession(tx, {
      area: 'settings',
      accountId: signedIn.accountId,
      sessionHash: signedIn.sessionHash,
      browser: tools.formGuard.browser(ctx) ?? '',
      userAgent: ctx.get('user-agent'),
      address: addressOf(ctx),
      now: tools.clock(),
    });
  });
  if (opened) writeCookie(ctx, sessionCookie, opened.token, pageSessionAbsoluteSeconds);
  return opened !== undefined;
}

/** The browser's session ends, and with it this one and that of the account page. */
export async function endSession(
  tools: SettingsTools,
  ctx: Context,
  { session, account }: Guest,
): Promise<void> {
  const { sessionHash: uidHash } = session;
  await tools.revokeSession(tools.db, { uidHash, accountId: account.id, now: tools.clock() });
  removeCookie(ctx, sessionCookie);
}

/** What the request needed, to be asked again where it writes. */
export type Needs = { role: Role; fresh?: true };

/** Without a workspace: making one, joining one, what is a person's own. @throws TollgateError signed_out */
export function changeAs<T>(
  tools: SettingsTools,
  guest: Guest,
  work: (tx: Database, person: SignedInPerson) => Promise<T>,
): Promise<T> {
  const authority = { sessionId: guest.session.id, accountId: guest.account.id, needsFresh: false };
  return withAuthority(tools, authority, work);
}

/** As a member: still signed in, recently enough, and in this role. @throws TollgateError signed_out, sign_in_too_old, not_found, forbidden */
function changeAsMember<T>(
  tools: SettingsTools,
  { session, account }: Guest,
  { workspaceId, needs }: { workspaceId: string; needs: Needs },
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const authority = { sessionId: session.id, accountId: account.id, needsFresh: needs.fresh === true };
  return withAuthority(tools, authority, async (tx) => {
    const member = await holdMembership(tx, { workspaceId, accountId: account.id });
    if (!member) throw new TollgateError('not_found', 'There is nothing at this address.');
    if (!isAtLeast(member.role, needs.role))
      throw new TollgateError('forbidden', 'Your role in this workspace was changed. Nothing was saved.');
    return work(tx);
  });
}

/** @throws TollgateError not_found */
export async function openVisit(
  tools: SettingsTools,
  ctx: Context,
  guest: Guest,
  { workspaceId, needs }: { workspaceId: string; needs: Needs },
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
    change: (work) => changeAsMember(tools, guest, { workspaceId, needs }, work),
    lane: tools.lanes(workspaceId),
    address: addressOf(ctx),
    signOut: { path: SIGN_OUT_PATH, token: tools.formGuard.token(ctx, SIGN_OUT_PATH) },
  };
}

export function addressOf(ctx: Context): string {
  return String(ctx.state.clientAddress ?? '');
}
