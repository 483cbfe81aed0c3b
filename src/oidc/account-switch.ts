// A browser that is signed in as one person finishes a sign-in as another. The engine would log the first one out by
// a page whose script posts itself; our pages have no scripts, so it happens here, on the server.
import type { Middleware } from 'koa';
import type { Session } from 'oidc-provider';
import type { Database } from '../database.ts';
import { engineContext } from './engine-context.ts';
import type { RevokeGrants } from './failed-exchanges.ts';

type Dependencies = { db: Database; revokeGrants: RevokeGrants };

/** By now the engine has checked that this interaction is this browser's own, and let go of its old session. */
export function switchAccounts({ db, revokeGrants }: Dependencies): Middleware {
  return async (ctx, next) => {
    await next();
    const oidc = engineContext(ctx);
    const login = oidc?.entities.Interaction?.result?.login;
    const session = oidc?.session;
    if (oidc?.route !== 'resume' || ctx.status !== 200 || !login || !session?.accountId) return;
    if (session.accountId === login.accountId) return;
    await revokeGrants(db, grantIdsOf(session));
    await session.destroy();
    // Once more, now without a session: the sign-in begins a new one, under a new id.
    ctx.status = 303;
    ctx.redirect(ctx.path);
  };
}

function grantIdsOf(session: Session): string[] {
  return Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
}
