// Inviting people into the workspace: a mail with a link that works once, sent again or withdrawn by any owner.
import type { Context } from 'koa';
import { findAccountByEmail } from '../../accounts/account.ts';
import { parseEmailAddress } from '../../accounts/email-address.ts';
import { recordAudit } from '../../applications/audit-log.ts';
import {
  createInvitation,
  findOpenInvitation,
  type Invitation,
  withdrawInvitation,
} from '../../applications/invitation.ts';
import { findMember } from '../../applications/membership.ts';
import type { Database } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import { invitationSeconds } from '../../limits/settings.ts';
import { Button, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { EmailField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import { orShow } from '../shell/refusal.ts';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { invitationPath, Validity } from './invitation-list.tsx';
import { invitationMail } from './invitation-mail.ts';
import { isRole, NO_ROLE, RoleField, requireRole, roleName } from './role-field.tsx';

const INVITE = '/members/invite';

export function createInvitationRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const forOwners = { role: 'owner', fresh: true } as const;
  const find = (visit: MemberVisit, id = '') =>
    findOpenInvitation(deps.db, { id, workspaceId: visit.workspace.id });
  return [
    {
      method: 'GET',
      path: INVITE,
      ...forOwners,
      handle: async (ctx, visit) => showInvite(ctx, visit, { email: '', role: 'developer' }),
    },
    {
      method: 'POST',
      path: INVITE,
      ...forOwners,
      async handle(ctx, visit, { fields }) {
        const { email = '', role = '' } = fields;
        await orShow(
          ctx,
          () => invite(deps, ctx, visit, { email, role }),
          (problem) =>
            showInvite(ctx, visit, { email, role, problem, problems: problemsOf({ email, role }) }),
        );
      },
    },
    {
      method: 'GET',
      path: '/members/invitations/:invitation',
      ...forOwners,
      async handle(ctx, visit, { params }) {
        showInvitation(ctx, visit, { invitation: await find(visit, params.invitation), now: deps.clock() });
      },
    },
    {
      method: 'POST',
      path: '/members/invitations/:invitation/resend',
      ...forOwners,
      async handle(ctx, visit, { params }) {
        const invitation = await find(visit, params.invitation);
        await orShow(
          ctx,
          () => invite(deps, ctx, visit, invitation),
          (problem) => showInvitation(ctx, visit, { invitation, now: deps.clock(), problem }),
        );
      },
    },
    {
      method: 'POST',
      path: '/members/invitations/:invitation/withdraw',
      ...forOwners,
      handle: (ctx, visit, { params }) => withdraw(deps, ctx, visit, params.invitation ?? ''),
    },
  ];
}

type Typed = { email: string; role: string };
type Problems = { [field in keyof Typed]?: string };

const NO_ADDRESS = 'Enter a valid email address.';

/** For each field by itself; what is refused for other reasons stands above the form alone. */
function problemsOf({ email, role }: Typed): Problems {
  return {
    ...(parseEmailAddress(email) ? {} : { email: NO_ADDRESS }),
    ...(isRole(role) ? {} : { role: NO_ROLE }),
  };
}

/** Sending again is the same: a new link, and the one before stops working. */
async function invite(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  typed: Typed,
): Promise<void> {
  const email = parseEmailAddress(typed.email);
  if (!email) throw new TollgateError('invalid_request', NO_ADDRESS);
  const role = requireRole(typed.role);
  const workspaceId = visit.workspace.id;
  await visit.change(async (tx) => {
    await refuseMember(tx, { workspaceId, email });
    const now = deps.clock();
    const invitedBy = visit.member.accountId;
    const { invitation, token } = await createInvitation(tx, { workspaceId, email, role, invitedBy, now });
    await deps.mailer.queue(
      tx,
      invitationMail({
        invitation,
        workspaceName: visit.workspace.name,
        inviter: visit.member.email,
        link: `${deps.config.baseUrl}/settings/invitations/${token}`,
      }),
    );
    await record(tx, visit, { action: 'invitation.sent', invitation, now });
  });
  redirectTo(ctx, deps, visit, '/members', { notice: `Invitation sent to ${email}.` });
}

async function withdraw(
  deps: SettingsDependencies,
  ctx: Context,
  visit: MemberVisit,
  id: string,
): Promise<void> {
  const invitation = await visit.change(async (tx) => {
    const now = deps.clock();
    const withdrawn = await withdrawInvitation(tx, { id, workspaceId: visit.workspace.id, now });
    await record(tx, visit, { action: 'invitation.withdrawn', invitation: withdrawn, now });
    return withdrawn;
  });
  redirectTo(ctx, deps, visit, '/members', {
    notice: `The invitation to ${invitation.email} has been withdrawn.`,
  });
}

async function refuseMember(tx: Database, input: { workspaceId: string; email: string }): Promise<void> {
  const account = await findAccountByEmail(tx, input.email);
  if (!account) return;
  if (await findMember(tx, { workspaceId: input.workspaceId, accountId: account.id }))
    throw new TollgateError('invalid_request', 'This person is already a member.');
}

async function record(
  tx: Database,
  visit: MemberVisit,
  { action, invitation, now }: { action: string; invitation: Invitation; now: Date },
): Promise<void> {
  await recordAudit(tx, {
    workspaceId: visit.workspace.id,
    accountId: visit.member.accountId,
    action,
    target: invitation.id,
    detail: { role: invitation.role },
    ipAddress: visit.ipAddress,
    now,
  });
}

type InvitePage = Typed & { problem?: string; problems?: Problems };

function showInvite(ctx: Context, visit: MemberVisit, typed: InvitePage): void {
  const { email, role, problem, problems = {} } = typed;
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="members"
      heading="Invite a member"
      lead={`We email them a link that works once, for ${invitationSeconds / 86_400} days, with this address only.`}
      crumbs={[{ label: 'Members', path: visit.path('/members') }]}
      problem={problem}
    >
      <Panel heading="Who, and what for">
        <Form action={visit.path(INVITE)} token={visit.token(INVITE)}>
          <EmailField
            name="email"
            label="Email address"
            value={email}
            problem={problems.email}
            required
            focused
          />
          <RoleField value={role} problem={problems.role} />
          <Button>Send invitation</Button>
        </Form>
      </Panel>
    </SettingsFrame>,
  );
}

type InvitationPage = { invitation: Invitation; now: Date; problem?: string };

function showInvitation(ctx: Context, visit: MemberVisit, page: InvitationPage): void {
  const { invitation, now, problem } = page;
  const [resend, withdrawal] = [
    `${invitationPath(invitation)}/resend`,
    `${invitationPath(invitation)}/withdraw`,
  ];
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="members"
      heading={`Invitation to ${invitation.email}`}
      crumbs={[{ label: 'Members', path: visit.path('/members') }]}
      problem={problem}
    >
      <Panel heading="Invitation">
        <Facts
          facts={[
            ['Role', roleName(invitation.role)],
            ['Sent', <Time key="sent" at={invitation.createdAt} />],
            ['Valid until', <Validity key="validity" invitation={invitation} now={now} />],
          ]}
        />
        <Form action={visit.path(resend)} token={visit.token(resend)}>
          <Button kind="secondary">Send it again</Button>
        </Form>
        <p class="fine">We send a new link that is valid for seven days. The previous link stops working.</p>
      </Panel>
      <Panel heading="Withdraw" lead="The link in the email stops working." danger>
        <Form action={visit.path(withdrawal)} token={visit.token(withdrawal)}>
          <Button kind="danger">Withdraw invitation</Button>
        </Form>
      </Panel>
    </SettingsFrame>,
  );
}
