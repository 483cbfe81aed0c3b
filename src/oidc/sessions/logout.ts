// RP-initiated logout, at the address that discovery names: a confirmation page, the end of the browser session, and
// with it of every token that its applications got, refresh tokens included.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { seeOther } from '../../http/redirect.ts';
import { clientOf, engineContext, parameter } from '../engine/engine-context.ts';

export type LogoutPages = {
  /** `formHtml` is the engine's form; buttons join it by `form="op.logoutForm"`, `name="logout" value="yes"` ends all. */
  logoutConfirmation(ctx: KoaContextWithOIDC, formHtml: string): Promise<void>;
  loggedOut(ctx: KoaContextWithOIDC): Promise<void>;
};

type LogoutFeature = NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>;

export function logoutFeature(pages: LogoutPages): LogoutFeature {
  return {
    enabled: true,
    async logoutSource(ctx, formHtml) {
      const target = parameter(ctx.oidc, 'post_logout_redirect_uri');
      // The form's answer redirects there, and Chromium holds form-action against the whole chain.
      if (target) ctx.state.cspFormAction = [new URL(target).origin];
      await pages.logoutConfirmation(ctx, formHtml);
    },
    postLogoutSuccessSource: (ctx) => pages.loggedOut(ctx),
  };
}

/**
 * Tokens outlive an expired session, so the engine marks their grant as one to keep, and would keep it at logout
 * too. Taking the mark off before the session is saved makes logout the end of them.
 */
export function endTokensAtLogout(provider: Provider): void {
  provider.on('authorization.success', ({ oidc }: KoaContextWithOIDC) => {
    if (oidc.session) oidc.session.authorizationFor(clientOf(oidc).clientId).persistsLogout = false;
  });
}

/**
 * Nobody is signed in: there is nothing to confirm. The engine would send a page with a script that posts itself;
 * this goes where that page leads, to an address that the engine has verified.
 */
export function skipLogoutWithoutSession(baseUrl: string): Middleware {
  return async (ctx, next) => {
    await next();
    const oidc = engineContext(ctx);
    if (oidc?.route !== 'end_session' || ctx.status !== 200 || oidc.session?.accountId) return;
    const target = new URL(parameter(oidc, 'post_logout_redirect_uri') ?? `${baseUrl}/oauth/logout/success`);
    const state = parameter(oidc, 'state');
    if (state && parameter(oidc, 'post_logout_redirect_uri')) target.searchParams.set('state', state);
    seeOther(ctx, target.href);
  };
}
