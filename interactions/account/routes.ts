// {base_url}/account: every address of a person's own page, and what comes first for each: who is signed in, did they
// prove it recently, does the form come from our own page.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { withAuthority } from '../../src/accounts/authority.ts';
import { isCode, TollgateError } from '../../src/errors.ts';
import { ownPages } from '../../src/first-party/clients.ts';
import { beginSignIn } from '../../src/first-party/sign-in.ts';
import { type FormFields, readForm } from '../../src/http/form.ts';
import { networkAddressKey } from '../../src/http/rate-limit.ts';
import { serveRoutes } from '../../src/http/routing.ts';
import { goOn, isFromElsewhere } from '../../src/page/going-on.tsx';
import { languageOf } from '../languages.ts';
import { createAddressRoutes } from './address.tsx';
import { serveAddressReturn } from './address-return.tsx';
import { createApplicationRoutes } from './applications.tsx';
import { createDataRoutes } from './data.tsx';
import { serveWayIn } from './entry.tsx';
import { leave, takeRemark } from './leave.ts';
import { createOverview } from './overview.tsx';
import { createPasskeyRoutes } from './passkeys.tsx';
import { createPasswordRoutes } from './password.tsx';
import { createProfileRoutes } from './profile.tsx';
import { findOwner, networkAddressOf, type Owner } from './session.ts';
import { createSessionRoutes } from './sessions.tsx';
import { createSocialRoutes } from './social.tsx';
import { accountTexts } from './texts.ts';
import { type AccountRoute, type AccountTools, type AccountVisit, accountPath } from './visit.ts';

const own = ownPages.account;

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
  serveWayIn(tools, router);
  serveAddressReturn(tools, router);
  for (const route of accountRoutes(tools)) {
    router.register(accountPath(route.path), [route.method], (ctx: Context) => answer(tools, ctx, route));
  }
  return serveRoutes(router, { below: '/account' });
}

async function answer(tools: AccountTools, ctx: Context, route: AccountRoute): Promise<void> {
  const fields = route.method === 'POST' ? await readOwnForm(tools, ctx) : {};
  const owner = await findOwner(tools, ctx);
  if (!owner) return askToSignIn(tools, ctx);
  if (route.fresh && !owner.isFresh) return askToSignInAgain(tools, ctx, owner);
  ctx.type = 'html';
  try {
    await route.handle(ctx, openVisit(tools, ctx, owner, route), fields);
  } catch (error) {
    // It ended, or became too old, while the form was on its way.
    if (isCode(error, 'signed_out')) return askToSignIn(tools, ctx);
    if (isCode(error, 'sign_in_too_old')) return askToSignInAgain(tools, ctx, owner);
    throw error;
  }
}

/** The token was made for exactly this address (threat 42). */
async function readOwnForm(tools: AccountTools, ctx: Context): Promise<FormFields> {
  await tools.rateLimiter.consume('sign_in_posts', networkAddressKey(networkAddressOf(ctx)));
  const fields = await readForm(ctx);
  tools.formGuard.verify(ctx, ctx.path, fields);
  if (Object.values(fields).some((value) => value.includes('\0')))
    throw new TollgateError('invalid_request', 'A field contains a zero character.');
  return fields;
}

function openVisit(tools: AccountTools, ctx: Context, owner: Owner, route: AccountRoute): AccountVisit {
  const { session, account } = owner;
  const authority = { sessionId: session.id, accountId: account.id, needsFresh: route.fresh === true };
  const language = languageOf(ctx, owner.account.locale);
  return {
    ...owner,
    language,
    texts: accountTexts[language],
    remark: ctx.method === 'GET' ? takeRemark(ctx, tools.keys, owner.account.id) : {},
    token: (rest) => tools.formGuard.token(ctx, accountPath(rest)),
    networkAddress: networkAddressOf(ctx),
    change: (work) => withAuthority(tools, authority, work),
    place: { uid: session.id, browser: tools.formGuard.browser(ctx) ?? '' },
  };
}

function askToSignIn(tools: AccountTools, ctx: Context): void {
  // A strict cookie does not come along with a link from elsewhere; from our own page it does.
  if (ctx.method === 'GET' && isFromElsewhere(ctx)) goOn(ctx, ctx.originalUrl);
  else beginSignIn(ctx, tools, { own, to: ctx.method === 'GET' ? ctx.originalUrl : own.path });
}

/** A form that came too late is asked for again: nothing in these forms is long, and some of it is secret. */
function askToSignInAgain(tools: AccountTools, ctx: Context, { account }: Owner): void {
  if (ctx.method === 'POST') leave(ctx, tools, account.id, '', { problem: 'tooLate' });
  else beginSignIn(ctx, tools, { own, to: ctx.originalUrl, again: true, email: account.email });
}
