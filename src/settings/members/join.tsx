// What the link in an invitation leads to: who invites, to what; joining is one button, for whoever
// is signed in with the very address that was invited.
import type { Context } from 'koa';
import { findAccount } from '../../accounts/account.ts';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import { recordAudit } from '../../applications/audit-log.ts';
import { acceptInvitation, findInvitationByToken, type Invitation } from '../../applications/invitation.ts';
import type { Workspace } from '../../applications/workspace.ts';
import { firstPartyClients } from '../../first-party/clients.ts';
import { beginSignIn } from '../../first-party/sign-in.ts';
import { ipAddressOf } from '../../http/ip-address.ts';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { CardPage } from '../../page/layout.tsx';
import { Time } from '../../page/time.tsx';
import type { EntryRequest, EntryRoute } from '../shell/entry-route.ts';
import { redirectOutside } from '../shell/flash.ts';
import { changeAs } from '../shell/open-visit.ts';
import type { SettingsDependencies } from '../shell/visit.ts';
import { roleName } from './role-field.tsx';

type Found = { invitation: Invitation; workspace: Workspace };

export function createJoinRoutes(deps: SettingsDependencies): EntryRoute[] {
  const find = async ({ params }: EntryRequest) =>
    findInvitationByToken(deps.db, { token: params.token ?? '', now: deps.clock() });
  return [
    {
      method: 'GET',
      path: '/invitations/:token',
      access: 'anyone',
      async handle(ctx, request) {
        const found = await find(request);
        if (found) await showInvitation(deps, ctx, { ...found, person: request.person });
        else showOver(ctx);
      },
    },
    {
      method: 'GET',
      path: '/invitations/:token/sign-in',
      access: 'anyone',
      async handle(ctx, request) {
        const found = await find(request);
        if (!found) return showOver(ctx);
        const to = ctx.path.replace(/\/sign-in$/, '');
        const again = request.person !== undefined;
        beginSignIn(ctx, deps, {
          client: firstPartyClients.settings,
          to,
          again,
          email: found.invitation.email,
        });
      },
    },
    {
      method: 'POST',
      path: '/invitations/:token',
      access: 'signed in',
      async handle(ctx, request) {
        const { person } = request;
        const found = await find(request);
        if (!found || !person) return showOver(ctx);
        await join(deps, ctx, { ...found, person, token: request.params.token ?? '' });
      },
    },
  ];
}

async function join(
  deps: SettingsDependencies,
  ctx: Context,
  { workspace, invitation, person, token }: Found & { person: SignedInPerson; token: string },
): Promise<void> {
  const now = deps.clock();
  const accepted = await changeAs(deps, person, async (tx, { account }) => {
    const { id, email } = account;
    const joined = await acceptInvitation(tx, { token, accountId: id, email, now });
    if (!joined) return undefined;
    await recordAudit(tx, {
      workspaceId: workspace.id,
      accountId: id,
      action: 'invitation.accepted',
      target: joined.invitation.id,
      detail: { role: joined.invitation.role, was_member_before: !joined.isNew },
      ipAddress: ipAddressOf(ctx),
      now,
    });
    return joined;
  });
  if (!accepted) {
    ctx.status = 403;
    await showInvitation(deps, ctx, { workspace, invitation, person });
    return;
  }
  const flash = {
    notice: accepted.isNew
      ? `Welcome to ${workspace.name}.`
      : `You are already a member of ${workspace.name}.`,
  };
  redirectOutside(ctx, deps, { accountId: person.account.id, location: `/settings/${workspace.id}`, flash });
}

async function showInvitation(
  deps: SettingsDependencies,
  ctx: Context,
  { invitation, workspace, person }: Found & { person: SignedInPerson | undefined },
): Promise<void> {
  const inviter = await findAccount(deps.db, invitation.invitedBy);
  const isMeant = person?.account.email === invitation.email;
  show(
    ctx,
    <CardPage
      language="en"
      title={`Invitation to ${workspace.name} · Tollgate`}
      heading={`Join ${workspace.name}`}
      lead={`${inviter?.email ?? 'The operator of this service'} invites you.`}
      brand={{ name: workspace.name }}
      foot={person && <p>Signed in as {person.account.email}</p>}
    >
      <div class="stack">
        <Facts
          facts={[
            ['Invited', invitation.email],
            ['Role', roleName(invitation.role)],
            ['Valid until', <Time key="until" at={invitation.expiresAt} />],
          ]}
        />
        {isMeant ? (
          <Form action={ctx.path} token={deps.formGuard.token(ctx, ctx.path)}>
            <Button>Join {workspace.name}</Button>
          </Form>
        ) : (
          <>
            <p>
              {person
                ? `This invitation is for ${invitation.email}. You are signed in as ${person.account.email}, so you cannot accept it.`
                : `Sign in with ${invitation.email} to accept. If you don’t have an account yet, you can create one.`}
            </p>
            <ButtonLink kind="primary" href={`${ctx.path}/sign-in`}>
              Sign in as {invitation.email}
            </ButtonLink>
          </>
        )}
      </div>
    </CardPage>,
  );
}

function showOver(ctx: Context): void {
  ctx.status = 404;
  show(
    ctx,
    <CardPage
      language="en"
      title="Invitation not valid · Tollgate"
      heading="This invitation is no longer valid"
      lead="It was used, withdrawn, replaced by a newer one, or is more than seven days old. Ask for a new one."
      symbol="information"
    >
      <ButtonLink href="/settings">Go to settings</ButtonLink>
    </CardPage>,
  );
}

function show(ctx: Context, page: Parameters<typeof renderPage>[0]): void {
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
