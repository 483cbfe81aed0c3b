// The addresses of company settings that belong to no workspace: the way in and out, and where to go from here.
import type { Context } from 'koa';
import { listMemberships } from '../applications/membership.ts';
import { ownPages } from '../first-party/clients.ts';
import { beginSignIn, finishSignIn, type Redeem } from '../first-party/sign-in.ts';
import { ButtonLink } from '../page/button.tsx';
import { renderPage } from '../page/document.tsx';
import { goOn } from '../page/going-on.tsx';
import { CardPage } from '../page/layout.tsx';
import { createJoinRoutes } from './members/join.tsx';
import { ourselves } from './shell/brand.ts';
import type { EntryRoute } from './shell/entry-route.ts';
import { CONFIRMED_PATH } from './shell/gate.tsx';
import { createNewWorkspaceRoutes } from './shell/new-workspace.tsx';
import { endSession, type Guest, openSession, SIGN_OUT_PATH } from './shell/session.ts';
import type { SettingsTools } from './shell/visit.ts';

const own = ownPages.settings;
const SIGNED_OUT_PATH = '/settings/signed-out';

export function createEntryRoutes(tools: SettingsTools, { redeem }: { redeem: Redeem }): EntryRoute[] {
  return [
    { method: 'GET', path: '', access: 'signed in', handle: (ctx, { guest }) => goHome(tools, ctx, guest) },
    {
      method: 'GET',
      path: '/sign-in',
      access: 'anyone',
      async handle(ctx, { guest }) {
        const again = ctx.query.again === 'yes';
        beginSignIn(ctx, tools, { own, to: CONFIRMED_PATH, again, email: guest?.account.email });
      },
    },
    { method: 'GET', path: '/callback', access: 'anyone', handle: (ctx) => comeBack(tools, ctx, redeem) },
    { method: 'GET', path: '/confirmed', access: 'signed in', handle: showConfirmed },
    {
      method: 'POST',
      path: SIGN_OUT_PATH.slice(own.path.length),
      access: 'anyone',
      async handle(ctx, { guest }) {
        if (guest) await endSession(tools, ctx, guest);
        leaveService(ctx, tools);
      },
    },
    { method: 'GET', path: '/signed-out', access: 'anyone', handle: showSignedOut },
    ...createNewWorkspaceRoutes(tools),
    ...createJoinRoutes(tools),
  ];
}

async function goHome(tools: SettingsTools, ctx: Context, guest: Guest | undefined): Promise<void> {
  if (!guest) return;
  const memberships = await listMemberships(tools.db, guest.account.id);
  const [first, ...others] = memberships;
  if (first && others.length > 0) {
    show(
      ctx,
      <CardPage
        language="en"
        title="Your workspaces · Tollgate"
        heading="Your workspaces"
        lead={guest.account.email}
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
  ctx.redirect(first ? `/settings/${first.workspace.id}` : '/settings/workspaces/new');
  ctx.status = 303;
}

/** From the sign-in, with a code, in a chain of redirects that may have begun elsewhere: strict cookies are missing. */
async function comeBack(tools: SettingsTools, ctx: Context, redeem: Redeem): Promise<void> {
  const back = await finishSignIn(ctx, tools, { own, redeem });
  if (typeof back === 'object' && (await openSession(tools, ctx, back))) {
    goOn(ctx, back.to);
    return;
  }
  if (back === 'elsewhere') {
    // Too many were begun after this one, or it came back already. The browser is signed in by now, so beginning again asks nothing.
    goOn(ctx, own.path);
    return;
  }
  ctx.status = 400;
  const [heading, lead] = comeBackWords[typeof back === 'object' ? 'lost' : back];
  show(
    ctx,
    <CardPage
      language="en"
      title={`${heading} · Tollgate`}
      heading={heading}
      lead={lead}
      symbol="information"
    >
      <ButtonLink kind="primary" href={own.path}>
        Sign in
      </ButtonLink>
    </CardPage>,
  );
}

const comeBackWords = {
  cancelled: ['Sign-in cancelled', 'You are not signed in to company settings.'],
  lost: [
    'This sign-in cannot be finished here',
    'It was begun in another browser, too long ago, or this browser keeps no cookies of this site.',
  ],
  refused: ['This sign-in is over', 'It was used before or took too long. Please begin again.'],
} as const;

async function showConfirmed(ctx: Context): Promise<void> {
  show(
    ctx,
    <CardPage
      language="en"
      title="You are signed in · Tollgate"
      heading="You are signed in"
      symbol="success"
      lead="Close this tab, go back to the one before, and send the form again."
    >
      <ButtonLink href={own.path}>Or go to the settings</ButtonLink>
    </CardPage>,
  );
}

/** The service still knows this browser, so it is asked to let go as well: a person at a shared computer expects it. */
function leaveService(ctx: Context, { config }: Pick<SettingsTools, 'config'>): void {
  const request = new URLSearchParams({
    client_id: own.clientId,
    post_logout_redirect_uri: config.baseUrl + SIGNED_OUT_PATH,
  });
  ctx.redirect(`/oauth/logout?${request}`);
  ctx.status = 303;
}

async function showSignedOut(ctx: Context): Promise<void> {
  show(
    ctx,
    <CardPage
      language="en"
      title="Signed out · Tollgate"
      heading="You are signed out"
      symbol="success"
      lead="Your session in company settings is over."
    >
      <ButtonLink href={own.path}>Sign in again</ButtonLink>
    </CardPage>,
  );
}

function show(ctx: Context, page: Parameters<typeof renderPage>[0]): void {
  ctx.type = 'html';
  ctx.body = renderPage(page);
}
