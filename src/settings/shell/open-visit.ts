// What the person who is signed in is to the workspace of the address, and with which authority they change it. Another's
// workspace, a deleted one and an id that never existed are the same 404 (threat 53).
import type { Context } from 'koa';
import { withAuthority } from '../../accounts/authority.ts';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import { isAtLeast, type Role } from '../../applications/member.ts';
import { listMemberships, lockMembership } from '../../applications/membership.ts';
import type { Database } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import { ipAddressOf } from '../../http/ip-address.ts';
import { takeFlashOf } from './flash.ts';
import type { MemberVisit, SettingsDependencies } from './visit.ts';

export const SIGN_OUT_PATH = '/settings/sign-out';

/** What the request needed, to be asked again where it writes. */
export type Needs = { role: Role; fresh?: true };

/** Without a workspace: making one, joining one, what is a person's own. @throws TollgateError signed_out */
export function changeAs<T>(
  deps: SettingsDependencies,
  person: SignedInPerson,
  work: (tx: Database, person: SignedInPerson) => Promise<T>,
): Promise<T> {
  const authority = { sessionId: person.session.id, accountId: person.account.id, needsFresh: false };
  return withAuthority(deps, authority, work);
}

/** As a member: still signed in, recently enough, and in this role. @throws TollgateError signed_out, sign_in_too_old, not_found, forbidden */
function changeAsMember<T>(
  deps: SettingsDependencies,
  { session, account }: SignedInPerson,
  { workspaceId, needs }: { workspaceId: string; needs: Needs },
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  const authority = { sessionId: session.id, accountId: account.id, needsFresh: needs.fresh === true };
  return withAuthority(deps, authority, async (tx) => {
    const member = await lockMembership(tx, { workspaceId, accountId: account.id });
    if (!member) throw new TollgateError('not_found', 'There is nothing at this address.');
    if (!isAtLeast(member.role, needs.role))
      throw new TollgateError('forbidden', 'Your role in this workspace has changed. Nothing was saved.');
    return work(tx);
  });
}

/** @throws TollgateError not_found */
export async function openVisit(
  deps: SettingsDependencies,
  ctx: Context,
  person: SignedInPerson,
  { workspaceId, needs }: { workspaceId: string; needs: Needs },
): Promise<MemberVisit> {
  const { account, session } = person;
  const memberships = await listMemberships(deps.db, account.id);
  const membership = memberships.find(({ workspace }) => workspace.id === workspaceId);
  if (!membership) throw new TollgateError('not_found', 'There is nothing at this address.');
  const path = (rest: string) => `/settings/${workspaceId}${rest}`;
  return {
    session,
    member: { accountId: account.id, email: account.email, name: account.name, role: membership.role },
    workspace: membership.workspace,
    workspaces: memberships.map(({ workspace }) => workspace),
    flash: ctx.method === 'GET' ? takeFlashOf(ctx, deps, account.id) : {},
    path,
    token: (rest) => deps.formGuard.token(ctx, path(rest)),
    change: (work) => changeAsMember(deps, person, { workspaceId, needs }, work),
    lane: deps.lanes(workspaceId),
    ipAddress: ipAddressOf(ctx),
    apiReference: `${deps.config.apiBaseUrl}/docs`,
    signOut: { path: SIGN_OUT_PATH, token: deps.formGuard.token(ctx, SIGN_OUT_PATH) },
  };
}
