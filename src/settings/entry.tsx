// The addresses of company settings that belong to no workspace: the way in and out, and where to go from here.
import type { Context } from 'koa';
import type { SignedInPerson } from '../accounts/page-session.ts';
import { listMemberships } from '../applications/membership.ts';
import { firstPartyClients } from '../first-party/clients.ts';
import { receiveSignIn, redirectToLogout } from '../first-party/gate.ts';
import { beginSignIn, type RedeemCode } from '../first-party/sign-in.ts';
import { seeOther } from '../http/redirect.ts';
import { ButtonLink } from '../page/button.tsx';
import { renderPage } from '../page/document.tsx';
import { CardPage } from '../page/layout.tsx';
import { createJoinRoutes } from './members/join.tsx';
import { ourselves } from './shell/brand.ts';
import type { EntryRoute } from './shell/entry-route.ts';
import { CONFIRMED_PATH } from './shell/gate.tsx';
import { createNewWorkspaceRoutes } from './shell/new-workspace.tsx';
import { SIGN_OUT_PATH } from './shell/open-visit.ts';
import type { SettingsDependencies } from './shell/visit.ts';

const client = firstPartyClients.settings;
const SIGNED_OUT_PATH = '/settings/signed-out';

export function createEntryRoutes(
  deps: SettingsDependencies,
  { redeem }: { redeem: RedeemCode },
): EntryRoute[] {
  return [
    { method: 'GET', path: '', access: 'signed in', handle: (ctx, { person }) => goHome(deps, ctx, person) },
    {
      method: 'GET',
      path: '/sign-in',
      access: 'anyone',
      async handle(ctx, { person }) {
        const again = ctx.query.again === 'yes';
        beginSignIn(ctx, deps, { client, to: CONFIRMED_PATH, again, email: person?.account.email });
      },
    },
    { method: 'GET', path: '/callback', access: 'anyone', handle: (ctx) => comeBack(deps, ctx, redeem) },
    { method: 'GET', path: '/confirmed', access: 'signed in', handle: showConfirmed },
    {
      method: 'POST',
      path: SIGN_OUT_PATH.slice(client.path.length),
      access: 'anyone',
      async handle(ctx, { person }) {
        if (person) await deps.sessions.end(ctx, person);
        redirectToLogout(ctx, deps, { client, returnPath: SIGNED_OUT_PATH });
      },
    },
    { method: 'GET', path: '/signed-out', access: 'anyone', handle: showSignedOut },
    ...createNewWorkspaceRoutes(deps),
    ...createJoinRoutes(deps),
  ];
}

async function goHome(
  deps: SettingsDependencies,
  ctx: Context,
  person: SignedInPerson | undefined,
): Promise<void> {
  if (!person) return;
  const memberships = await listMemberships(deps.db, person.account.id);
  const [first, ...others] = memberships;
  if (first && others.length > 0) {
    show(
      ctx,
      <CardPage
        language="en"
        title="Your workspaces · Tollgate"
        heading="Your workspaces"
        lead={person.account.email}
        brand={ourselves}
        foot={<ButtonLink href="/settings/workspaces/new">New workspace</ButtonLink>}
      >
        <ul class="nav-list">
          {memberships.map(({ workspace, role }) => (
            <li key={workspace.id}>
              <a class="tile" href={`/settings/${workspace.id}`}>
                <span class="tile-head">{workspace.name}</span>
                <span class="fine">You are {role === 'owner' ? 'an owner' : `a ${role}`}.</span>
              </a>
            </li>
          ))}
        </ul>
      </CardPage>,
    );
    return;
  }
  seeOther(ctx, first ? `/settings/${first.workspace.id}` : '/settings/workspaces/new');
}

async function comeBack(deps: SettingsDependencies, ctx: Context, redeem: RedeemCode): Promise<void> {
  const failure = await receiveSignIn(ctx, deps, { client, redeem });
  if (!failure) return;
  ctx.status = 400;
  const [heading, lead] = comeBackWords[failure];
  show(
    ctx,
    <CardPage
      language="en"
      title={`${heading} · Tollgate`}
      heading={heading}
      lead={lead}
      symbol="information"
    >
      <ButtonLink kind="primary" href={client.path}>
        Sign in
      </ButtonLink>
    </CardPage>,
  );
}

const comeBackWords = {
  cancelled: ['Sign-in cancelled', 'You are not signed in to company settings.'],
  lost: [
    'This sign-in can’t be completed here',
    'You started it in another browser or too long ago, or this browser blocks cookies for this site.',
  ],
  refused: ['This sign-in has ended', 'It was already used or took too long. Start again.'],
} as const;

async function showConfirmed(ctx: Context): Promise<void> {
  show(
    ctx,
    <CardPage
      language="en"
      title="You are signed in · Tollgate"
      heading="You are signed in"
      symbol="success"
      lead="Close this tab, go back to the previous one and submit the form again."
    >
      <ButtonLink href={client.path}>Or go to settings</ButtonLink>
    </CardPage>,
  );
}

async function showSignedOut(ctx: Context): Promise<void> {
  show(
    ctx,
    <CardPage
      language="en"
      title="Signed out · Tollgate"
      heading="You are signed out"
      symbol="success"
      lead="Your session in company settings has ended."
    >
      <ButtonLink href={client.path}>Sign in again</ButtonLink>
    </CardPage>,
  );
}

function show(ctx: Context, page: Parameters<typeof renderPage>[0]): void {
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
