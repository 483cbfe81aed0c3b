// What owners do to members, and what members do to themselves; each with its entry in the audit log.
import type { Context } from 'koa';
import { recordAudit } from '../../applications/audit-log.ts';
import { withdrawInvitationsOf } from '../../applications/invitation.ts';
import { changeRole, type Member, removeMember } from '../../applications/membership.ts';
import type { Database } from '../../database/connection.ts';
import { redirectOutside, redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies } from '../shell/visit.ts';
import { requireRole, roleName } from './role-field.tsx';

type Changed = { member: Member; email: string };

export async function saveRole(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  { member, email, typed }: Changed & { typed: string | undefined },
): Promise<void> {
  const role = requireRole(typed);
  const now = deps.clock();
  await visit.change(async (tx) => {
    const before = await changeRole(tx, { ...member, role });
    const detail = { role, role_before: before.role };
    if (before.role !== role) await record(tx, visit, { action: 'member.role_changed', member, detail, now });
    if (before.role === 'owner' && role !== 'owner') await endInvitations(tx, visit, { member, now });
  });
  redirectTo(ctx, deps, visit, '/members', { notice: `${email} is now ${roleName(role).toLowerCase()}.` });
}

export async function removeFromWorkspace(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  { member, email }: Changed,
): Promise<void> {
  const now = deps.clock();
  await visit.change(async (tx) => {
    const { role } = await removeMember(tx, member);
    await record(tx, visit, { action: 'member.removed', member, detail: { role }, now });
    await endInvitations(tx, visit, { member, now });
  });
  if (member.accountId === visit.member.accountId) return leaveForHome(deps, ctx, visit);
  redirectTo(ctx, deps, visit, '/members', { notice: `${email} is no longer a member.` });
}

export async function leaveWorkspace(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
): Promise<void> {
  const { accountId } = visit.member;
  const now = deps.clock();
  await visit.change(async (tx) => {
    const member = await removeMember(tx, { workspaceId: visit.workspace.id, accountId });
    await record(tx, visit, { action: 'member.left', member, detail: { role: member.role }, now });
    await endInvitations(tx, visit, { member, now });
  });
  leaveForHome(deps, ctx, visit);
}

/** Whoever has no say any more has invited nobody. Who came by such an invitation before stays: owners see them listed. */
async function endInvitations(
  tx: Database,
  visit: MemberVisit,
  { member, now }: { member: Pick<Member, 'accountId'>; now: Date },
): Promise<void> {
  const workspaceId = visit.workspace.id;
  for (const { id, role } of await withdrawInvitationsOf(tx, {
    workspaceId,
    invitedBy: member.accountId,
    now,
  }))
    await recordAudit(tx, {
      workspaceId,
      accountId: visit.member.accountId,
      action: 'invitation.withdrawn',
      target: id,
      detail: { role, invited_by: member.accountId },
      ipAddress: visit.ipAddress,
      now,
    });
}

/** The workspace's own pages are a 404 from now on. */
function leaveForHome(deps: SettingsDependencies, ctx: Context, { member }: MemberVisit): void {
  redirectOutside(ctx, deps, { accountId: member.accountId, location: '/settings' });
}

type Entry = Pick<Parameters<typeof recordAudit>[1], 'action' | 'detail' | 'now'> & {
  member: Pick<Member, 'accountId'>;
};

async function record(tx: Database, visit: MemberVisit, { member, ...entry }: Entry): Promise<void> {
  await recordAudit(tx, {
    ...entry,
    workspaceId: visit.workspace.id,
    accountId: visit.member.accountId,
    target: member.accountId,
    ipAddress: visit.ipAddress,
  });
}
