// A new workspace: the company's name; its currency and prices are the operator's. Whoever makes it is
// its first owner.
import type { Context } from 'koa';
import type { SignedInPerson } from '../../accounts/page-session.ts';
import { recordAudit } from '../../applications/audit-log.ts';
import { addMember, listMemberships } from '../../applications/membership.ts';
import { createWorkspace, requireWorkspaceName } from '../../applications/workspace.ts';
import { TollgateError } from '../../errors.ts';
import { ipAddressOf } from '../../http/ip-address.ts';
import { workspaceNameCharacters, workspacesPerPerson } from '../../limits/settings.ts';
import { showMoney } from '../../money.ts';
import { Button, Form } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { TextField } from '../../page/field.tsx';
import { CardPage } from '../../page/layout.tsx';
import { Notice } from '../../page/notice.tsx';
import { ourselves } from './brand.ts';
import type { EntryRoute } from './entry-route.ts';
import { redirectOutside } from './flash.ts';
import { changeAs, SIGN_OUT_PATH } from './open-visit.ts';
import { orShow } from './refusal.ts';
import type { SettingsDependencies } from './visit.ts';

const PATH = '/settings/workspaces/new';

export function createNewWorkspaceRoutes(deps: SettingsDependencies): EntryRoute[] {
  return [
    {
      method: 'GET',
      path: '/workspaces/new',
      access: 'signed in',
      async handle(ctx, { person }) {
        if (person) await show(deps, ctx, { person, typed: '' });
      },
    },
    {
      method: 'POST',
      path: '/workspaces/new',
      access: 'signed in',
      async handle(ctx, { person, fields }) {
        if (!person) return;
        const typed = fields.name ?? '';
        await orShow(
          ctx,
          () => create(deps, ctx, { person, typed }),
          (problem) => show(deps, ctx, { person, typed, problem }),
        );
      },
    },
  ];
}

type Typed = { person: SignedInPerson; typed: string };

async function create(deps: SettingsDependencies, ctx: Context, { person, typed }: Typed): Promise<void> {
  const { config } = deps;
  const name = requireWorkspaceName(typed);
  const accountId = person.account.id;
  const now = deps.clock();
  const workspace = await changeAs(deps, person, async (tx) => {
    // The account is held: of two forms at the same moment the second one sees the workspace of the first.
    if ((await listMemberships(tx, accountId)).length >= workspacesPerPerson)
      throw new TollgateError('invalid_request', `You can have at most ${workspacesPerPerson} workspaces.`);
    const created = await createWorkspace(tx, { ...config, name, now });
    await addMember(tx, { workspaceId: created.id, accountId, role: 'owner', now });
    await recordAudit(tx, {
      workspaceId: created.id,
      accountId,
      action: 'workspace.created',
      target: created.id,
      detail: { name },
      ipAddress: ipAddressOf(ctx),
      now,
    });
    return created;
  });
  const flash = { notice: `${workspace.name} is ready. You are its owner.` };
  redirectOutside(ctx, deps, { accountId, location: `/settings/${workspace.id}`, flash });
}

async function show(
  deps: SettingsDependencies,
  ctx: Context,
  { person, typed, problem }: Typed & { problem?: string },
): Promise<void> {
  const { config } = deps;
  const isFirst = (await listMemberships(deps.db, person.account.id)).length === 0;
  const heading = isFirst ? 'Create your workspace' : 'New workspace';
  const price = (amount: bigint) => showMoney(amount, config.currency);
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language="en"
      title={`${heading} · Tollgate`}
      heading={heading}
      lead="A workspace holds a company’s applications, keys, balances and members."
      brand={ourselves}
      foot={
        <>
          <p>Signed in as {person.account.email}</p>
          <Form action={SIGN_OUT_PATH} token={deps.formGuard.token(ctx, SIGN_OUT_PATH)}>
            <Button kind="soft">Sign out</Button>
          </Form>
        </>
      }
    >
      <div class="stack">
        {problem && <Notice kind="problem">{problem}</Notice>}
        <Form action={PATH} token={deps.formGuard.token(ctx, PATH)}>
          <TextField
            name="name"
            label="Name of the company"
            autocomplete="off"
            maximum={workspaceNameCharacters}
            value={typed}
            problem={problem}
            required
            focused
          />
          <Facts
            facts={[
              ['Registration', price(config.registrationPrice)],
              ['Each later sign-in', price(config.signInPrice)],
            ]}
          />
          <Button>Create workspace</Button>
        </Form>
        <p class="fine">
          Joining a company that already uses Tollgate? Ask one of its owners to invite {person.account.email}
          .
        </p>
      </div>
    </CardPage>,
  );
}
