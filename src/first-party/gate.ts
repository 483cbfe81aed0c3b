// What stands before the pages of a first-party client: the way to the service's sign-in, back from it, and out again.
import type { Context } from 'koa';
import { seeOther } from '../http/redirect.ts';
import { goOn, isFromElsewhere } from '../page/going-on.tsx';
import type { FirstPartyClient } from './clients.ts';
import type { Sessions } from './session.ts';
import { beginSignIn, finishSignIn, type RedeemCode, type SignInDependencies } from './sign-in.ts';

/** For a page that nobody is signed in to. A form is not waited for: the sign-in leads to the first page. */
export function askToSignIn(ctx: Context, deps: SignInDependencies, client: FirstPartyClient): void {
  const isPage = ctx.method === 'GET';
  // A strict cookie does not come along with a link from elsewhere; from our own page it does.
  if (isPage && isFromElsewhere(ctx)) goOn(ctx, ctx.originalUrl);
  else beginSignIn(ctx, deps, { client, to: isPage ? ctx.originalUrl : client.path });
}

/** For a page that asks for a newer sign-in than this one. */
export function askToSignInAgain(
  ctx: Context,
  deps: SignInDependencies,
  {
    client,
    email,
    to = ctx.originalUrl,
  }: {
    client: FirstPartyClient;
    email: string;
    /** Where it leads afterwards, if not back here. */
    to?: string;
  },
): void {
  beginSignIn(ctx, deps, { client, to, again: true, email });
}

/**
 * The callback, at the end of a chain of redirects that may have begun elsewhere: strict cookies are missing.
 * @returns why nobody is signed in; undefined: the browser goes on.
 */
export async function receiveSignIn<Person>(
  ctx: Context,
  deps: SignInDependencies & { sessions: Sessions<Person> },
  { client, redeem }: { client: FirstPartyClient; redeem: RedeemCode },
): Promise<'cancelled' | 'lost' | 'refused' | undefined> {
  const outcome = await finishSignIn(ctx, deps, { client, redeem });
  // The browser is signed in by now, so beginning again asks nothing.
  if (outcome === 'elsewhere') goOn(ctx, client.path);
  else if (typeof outcome === 'string') return outcome;
  else if (!(await deps.sessions.open(ctx, outcome))) return 'lost';
  else goOn(ctx, outcome.to);
  return undefined;
}

/**
 * The service still knows this browser, so it is asked to let go as well (OpenID Connect RP-Initiated Logout 1.0): a person
 * at a shared computer expects it.
 */
export function redirectToLogout(
  ctx: Context,
  { config }: Pick<SignInDependencies, 'config'>,
  { client, returnPath }: { client: FirstPartyClient; returnPath: string },
): void {
  const request = new URLSearchParams({
    client_id: client.clientId,
    post_logout_redirect_uri: config.baseUrl + returnPath,
  });
  seeOther(ctx, `/oauth/logout?${request}`);
}
