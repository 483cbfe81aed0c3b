// {base_url}/account: every address of a person's own page, and what comes first for each: who is signed in, did they
// prove it recently, does the form come from our own page.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { withAuthority } from '../../src/accounts/authority.ts';
import type { SignedInPerson } from '../../src/accounts/page-session.ts';
import { isCode } from '../../src/errors.ts';
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { askToSignIn, askToSignInAgain } from '../../src/first-party/gate.ts';
import { NOTHING_SENT, readGuardedForm } from '../../src/http/guarded-form.ts';
import { ipAddressOf } from '../../src/http/ip-address.ts';
import { serveRoutes } from '../../src/http/routing.ts';
import { languageOf } from '../languages.ts';
import { createAddressRoutes } from './address.tsx';
import { serveAddressReturn } from './address-return.tsx';
import { createApplicationRoutes } from './applications.tsx';
import { createDataRoutes } from './data.tsx';
import { serveSignIn } from './entry.tsx';
import { redirectTo, takeFlashOf } from './flash.ts';
import { createOverview } from './overview.tsx';
import { createPasskeyRoutes } from './passkeys.tsx';
import { createPasswordRoutes } from './password.tsx';
import { createProfileRoutes } from './profile.tsx';
import { createSessionRoutes } from './sessions.tsx';
import { createSocialRoutes } from './social.tsx';
import { accountTexts } from './texts.ts';
import { type AccountRoute, type AccountTools, type AccountVisit, accountPath } from './visit.ts';

const client = firstPartyClients.account;

export function accountRoutes(tools: AccountTools): AccountRoute[] {
  return [
    ...createOverview(tools),
    ...createProfileRoutes(tools),
    ...createAddressRoutes(tools),
    ...createPasswordRoutes(tools),
    ...createPasskeyRoutes(tools),
    ...createSocialRoutes(tools),
    ...createSessionRoutes(tools),
    ...createApplicationRoutes(tools),
    ...createDataRoutes(tools),
  ];
}

export function createAccountPage(tools: AccountTools): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  serveSignIn(tools, router);
  serveAddressReturn(tools, router);
  for (const route of accountRoutes(tools)) {
    router.register(accountPath(route.path), [route.method], (ctx: Context) => answer(tools, ctx, route));
  }
  return serveRoutes(router, { below: '/account' });
}

async function answer(tools: AccountTools, ctx: Context, route: AccountRoute): Promise<void> {
  const isForm = route.method === 'POST';
  const { fields } = isForm ? await readGuardedForm(ctx, tools, { limit: 'sign_in_posts' }) : NOTHING_SENT;
  const owner = await tools.sessions.find(ctx);
  if (!owner) return askToSignIn(ctx, tools, client);
  if (route.fresh && !owner.isFresh) return askForFreshSignIn(tools, ctx, owner);
  ctx.type = 'html';
  try {
    await route.handle(ctx, openVisit(tools, ctx, owner, route), fields);
  } catch (error) {
    // It ended, or became too old, while the form was on its way.
    if (isCode(error, 'signed_out')) return askToSignIn(ctx, tools, client);
    if (isCode(error, 'sign_in_too_old')) return askForFreshSignIn(tools, ctx, owner);
    throw error;
  }
}

function openVisit(
  tools: AccountTools,
  ctx: Context,
  owner: SignedInPerson,
  route: AccountRoute,
): AccountVisit {
  const { session, account } = owner;
  const authority = { sessionId: session.id, accountId: account.id, needsFresh: route.fresh === true };
  const language = languageOf(ctx, owner.account.locale);
  return {
    ...owner,
    language,
    texts: accountTexts[language],
    flash: ctx.method === 'GET' ? takeFlashOf(ctx, tools, owner.account.id) : {},
    token: (rest) => tools.formGuard.token(ctx, accountPath(rest)),
    networkAddress: ipAddressOf(ctx),
    change: (work) => withAuthority(tools, authority, work),
    place: { uid: session.id, browser: tools.formGuard.browser(ctx) ?? '' },
  };
}

/** A form that came too late is asked for again: nothing in these forms is long, and some of it is secret. */
function askForFreshSignIn(tools: AccountTools, ctx: Context, { account }: SignedInPerson): void {
  if (ctx.method === 'POST') redirectTo(ctx, tools, account.id, '', { problem: 'tooLate' });
  else askToSignInAgain(ctx, tools, { client, email: account.email });
}
