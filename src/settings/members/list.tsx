// Who belongs to the workspace and in which role: the list for everybody, changes for owners, the
// way out for each. Somebody is always left as owner.
import type { Context } from 'koa';
import { type Account, findAccount, findAccounts } from '../../accounts/account.ts';
import { listOpenInvitations } from '../../applications/invitation.ts';
import { isAtLeast } from '../../applications/member.ts';
import { findMember, listMembers, type Member } from '../../applications/membership.ts';
import { TollgateError } from '../../errors.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import { orShow } from '../shell/refusal.ts';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { OpenInvitations } from './invitation-list.tsx';
import { createInvitationRoutes } from './invitations.tsx';
import { leaveWorkspace, removeFromWorkspace, saveRole } from './member-changes.ts';
import { RoleField, roleName } from './role-field.tsx';

export function createMemberRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const forOwners = { role: 'owner', fresh: true } as const;
  return [
    {
      method: 'GET',
      path: '/members',
      role: 'viewer',
      handle: (ctx, visit) => showMembers(deps, ctx, visit),
    },
    ...createInvitationRoutes(deps),
    {
      method: 'GET',
      path: '/members/leave',
      role: 'viewer',
      fresh: true,
      handle: async (ctx, visit) => showLeaving(ctx, visit),
    },
    {
      method: 'POST',
      path: '/members/leave',
      role: 'viewer',
      fresh: true,
      async handle(ctx, visit) {
        await orShow(
          ctx,
          () => leaveWorkspace(deps, ctx, visit),
          (problem) => showLeaving(ctx, visit, problem),
        );
      },
    },
    {
      method: 'GET',
      path: '/members/:account',
      ...forOwners,
      async handle(ctx, visit, { params }) {
        showMember(ctx, visit, await findMemberPage(deps, visit, params.account));
      },
    },
    {
      method: 'POST',
      path: '/members/:account/role',
      ...forOwners,
      async handle(ctx, visit, { params, fields }) {
        const page = await findMemberPage(deps, visit, params.account);
        await orShow(
          ctx,
          () => saveRole(deps, ctx, visit, { ...page, typed: fields.role }),
          (problem) => showMember(ctx, visit, { ...page, problem }),
        );
      },
    },
    {
      method: 'POST',
      path: '/members/:account/remove',
      ...forOwners,
      async handle(ctx, visit, { params }) {
        const page = await findMemberPage(deps, visit, params.account);
        await orShow(
          ctx,
          () => removeFromWorkspace(deps, ctx, visit, page),
          (problem) => showMember(ctx, visit, { ...page, problem }),
        );
      },
    },
  ];
}

async function showMembers(deps: SettingsDependencies, ctx: Context, visit: MemberVisit): Promise<void> {
  const { db } = deps;
  const members = await listMembers(db, visit.workspace.id);
  const people = await findAccounts(
    db,
    members.map(({ accountId }) => accountId),
  );
  const isOwner = isAtLeast(visit.member.role, 'owner');
  const invitations = await listOpenInvitations(db, visit.workspace.id);
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="members"
      heading="Members"
      lead={`Who has access to ${visit.workspace.name}, and what they can do.`}
      actions={
        isOwner && (
          <ButtonLink kind="primary" href={visit.path('/members/invite')}>
            Invite a member
          </ButtonLink>
        )
      }
    >
      <Panel heading={members.length === 1 ? '1 member' : `${members.length} members`}>
        <DataTable caption="Members" head={['Person', 'Role', 'Member since']}>
          {members.map((member) => (
            <MemberRow key={member.accountId} visit={visit} member={member} people={people} />
          ))}
        </DataTable>
      </Panel>
      {invitations.length > 0 && (
        <OpenInvitations visit={visit} invitations={invitations} now={deps.clock()} />
      )}
      <Panel
        heading="Leave this workspace"
        lead="You lose access immediately. To come back, someone has to invite you."
        actions={
          <ButtonLink kind="danger" href={visit.path('/members/leave')}>
            Leave …
          </ButtonLink>
        }
      />
    </SettingsFrame>,
  );
}

type MemberRowProps = { visit: MemberVisit; member: Member; people: Map<string, Account> };

function MemberRow({ visit, member, people }: MemberRowProps) {
  const { accountId, role, createdAt } = member;
  const person = people.get(accountId);
  const who = person?.name ?? person?.email ?? 'Deleted account';
  return (
    <tr>
      <td>
        {isAtLeast(visit.member.role, 'owner') ? (
          <a href={visit.path(`/members/${accountId}`)}>{who}</a>
        ) : (
          <strong>{who}</strong>
        )}{' '}
        {accountId === visit.member.accountId && <Badge kind="neutral">you</Badge>}
        {person?.name && <span class="fine">{person.email}</span>}
      </td>
      <td>{roleName(role)}</td>
      <td>
        <Time at={createdAt} />
      </td>
    </tr>
  );
}

type MemberPage = { member: Member; email: string; name: string | null; problem?: string };

async function findMemberPage(
  { db }: SettingsDependencies,
  { workspace }: MemberVisit,
  accountId = '',
): Promise<MemberPage> {
  const member = await findMember(db, { workspaceId: workspace.id, accountId });
  if (!member) throw new TollgateError('not_found', 'That person is not a member.');
  const account = await findAccount(db, accountId);
  return { member, email: account?.email ?? 'a deleted account', name: account?.name ?? null };
}

function showMember(ctx: Context, visit: MemberVisit, { member, email, name, problem }: MemberPage): void {
  const base = `/members/${member.accountId}`;
  const who = name ?? email;
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="members"
      heading={who}
      lead={name ? email : undefined}
      crumbs={[{ label: 'Members', path: visit.path('/members') }]}
      problem={problem}
    >
      <Panel heading="Role">
        <Form action={visit.path(`${base}/role`)} token={visit.token(`${base}/role`)}>
          <RoleField value={member.role} />
          <Button>Save role</Button>
        </Form>
      </Panel>
      <Panel
        heading="Remove from the workspace"
        lead={`${who} loses access immediately. What they created stays, including API keys.`}
        danger
      >
        <Form action={visit.path(`${base}/remove`)} token={visit.token(`${base}/remove`)}>
          <Button kind="danger">Remove {who}</Button>
        </Form>
      </Panel>
    </SettingsFrame>,
  );
}

function showLeaving(ctx: Context, visit: MemberVisit, problem?: string): void {
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="members"
      heading={`Leave ${visit.workspace.name}?`}
      crumbs={[{ label: 'Members', path: visit.path('/members') }]}
      problem={problem}
    >
      <Panel
        heading="What happens"
        lead="You lose access immediately. Applications, keys and balances stay as they are. To come back, someone has to invite you."
        danger
      >
        <Form action={visit.path('/members/leave')} token={visit.token('/members/leave')}>
          <Button kind="danger">Leave {visit.workspace.name}</Button>
        </Form>
      </Panel>
    </SettingsFrame>,
  );
}
