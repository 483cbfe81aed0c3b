// {base_url}/account: every address of a person's own page, and what comes first for each: who is signed in, did they
// prove it recently, does the form come from our own page.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { withAuthority } from '../../src/accounts/authority.ts';
import type { SignedInPerson } from '../../src/accounts/page-session.ts';
import { isCode } from '../../src/errors.ts';
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { askToSignIn } from '../../src/first-party/gate.ts';
import { NOTHING_SENT, readGuardedForm } from '../../src/http/guarded-form.ts';
import { ipAddressOf } from '../../src/http/ip-address.ts';
import { serveRoutes } from '../../src/http/routing.ts';
import { languageOf } from '../languages.ts';
import { mailRequestOf } from '../mail-request.ts';
import { createApplicationRoutes } from './applications.tsx';
import { confirmationFor, createConfirmRoutes } from './confirm.tsx';
import { createDataRoutes } from './data.tsx';
import { createEmailAddressRoutes } from './email-address.tsx';
import { serveEmailAddressReturn } from './email-address-return.tsx';
import { serveSignIn } from './entry.tsx';
import { redirectTo, takeFlashOf } from './flash.ts';
import { createLanguageRoutes } from './language.ts';
import { createOverview } from './overview.tsx';
import { createPasskeyRoutes } from './passkeys.tsx';
import { createPasswordRoutes } from './password.tsx';
import { createProfileRoutes } from './profile.tsx';
import type { Purpose } from './sections.ts';
import { createSessionRoutes } from './sessions.tsx';
import { createSignInRoutes } from './sign-in.tsx';
import { createSocialRoutes } from './social.tsx';
import { accountTexts } from './texts.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

const client = firstPartyClients.account;

export function accountRoutes(deps: AccountDependencies): AccountRoute[] {
  return [
    ...createOverview(deps),
    ...createProfileRoutes(deps),
    ...createSignInRoutes(deps),
    ...createEmailAddressRoutes(deps),
    ...createPasswordRoutes(deps),
    ...createPasskeyRoutes(deps),
    ...createSocialRoutes(deps),
    ...createSessionRoutes(deps),
    ...createApplicationRoutes(deps),
    ...createDataRoutes(deps),
    ...createConfirmRoutes(deps),
    ...createLanguageRoutes(),
  ];
}

export function createAccountPage(deps: AccountDependencies): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  serveSignIn(deps, router);
  serveEmailAddressReturn(deps, router);
  for (const route of accountRoutes(deps)) {
    router.register(accountPath(route.path), [route.method], (ctx: Context) => answer(deps, ctx, route));
  }
  return serveRoutes(router, { below: '/account' });
}

async function answer(deps: AccountDependencies, ctx: Context, route: AccountRoute): Promise<void> {
  const isForm = route.method === 'POST';
  const { fields } = isForm ? await readGuardedForm(ctx, deps, { limit: 'sign_in_posts' }) : NOTHING_SENT;
  const owner = await deps.sessions.find(ctx);
  if (!owner) return askToSignIn(ctx, deps, client);
  if (route.fresh && !owner.isFresh) return askForFreshSignIn(deps, ctx, owner, route.fresh);
  ctx.type = 'html';
  ctx.state.cspScript = true;
  try {
    await route.handle(ctx, openVisit(deps, ctx, owner, route), fields);
  } catch (error) {
    // It ended, or became too old, while the form was on its way.
    if (isCode(error, 'signed_out')) return askToSignIn(ctx, deps, client);
    if (route.fresh && isCode(error, 'sign_in_too_old'))
      return askForFreshSignIn(deps, ctx, owner, route.fresh);
    throw error;
  }
}

function openVisit(
  deps: AccountDependencies,
  ctx: Context,
  owner: SignedInPerson,
  route: AccountRoute,
): AccountVisit {
  const { session, account } = owner;
  const authority = { sessionId: session.id, accountId: account.id, needsFresh: route.fresh !== undefined };
  const language = languageOf(ctx, owner.account.locale);
  return {
    ...owner,
    language,
    texts: accountTexts[language],
    flash: ctx.method === 'GET' ? takeFlashOf(ctx, deps, owner.account.id) : {},
    token: (rest) => deps.formGuard.token(ctx, accountPath(rest)),
    here: ctx.originalUrl.slice(accountPath('').length),
    ipAddress: ipAddressOf(ctx),
    request: mailRequestOf(ctx, deps.clock()),
    change: (work) => withAuthority(deps, authority, work),
    place: { uid: session.id, browser: deps.formGuard.browser(ctx) ?? '' },
  };
}

/** A form that came too late is asked for again: nothing in these forms is long, and some of it is secret. */
function askForFreshSignIn(
  deps: AccountDependencies,
  ctx: Context,
  { account }: SignedInPerson,
  purpose: Purpose,
): void {
  const flash = ctx.method === 'POST' ? { problem: 'tooLate' } : {};
  redirectTo(ctx, deps, account.id, confirmationFor(purpose), flash);
}
