// A browser that is signed in as one person finishes a sign-in as another. The engine would log the first one out by
// a page whose script posts itself; our pages have no scripts, so it happens here, on the server.
import type { Middleware } from 'koa';
import type { Session } from 'oidc-provider';
import { endSession, isProofOfBrowser } from '../accounts/session.ts';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { BrowserOf } from '../http/form.ts';
import { seeOther } from '../http/redirect.ts';
import { sha256 } from '../secrets.ts';
import { engineContext } from './engine-context.ts';
import type { RevokeGrants } from './failed-exchanges.ts';

type Dependencies = { db: Database; revokeGrants: RevokeGrants; browserOf: BrowserOf; clock: Clock };

/** By now the engine has let go of this interaction's old session. Only this browser's own sign-in ends the one it has. */
export function switchAccounts({ db, revokeGrants, browserOf, clock }: Dependencies): Middleware {
  return async (ctx, next) => {
    await next();
    const oidc = engineContext(ctx);
    const login = oidc?.entities.Interaction?.result?.login;
    const session = oidc?.session;
    if (oidc?.route !== 'resume' || ctx.status !== 200 || !login || !session?.accountId) return;
    if (session.accountId === login.accountId) return;
    if (!(await isProofOfBrowser(db, String(login.proof), browserOf(ctx) ?? '')))
      throw new TollgateError('invalid_request', 'This sign-in was made in another browser.');
    await endSession(db, { uidHash: sha256(session.uid), now: clock() });
    await revokeGrants(db, grantIdsOf(session));
    await session.destroy();
    // Once more, now without a session: the sign-in begins a new one, under a new id.
    seeOther(ctx, ctx.path);
  };
}

function grantIdsOf(session: Session): string[] {
  return Object.values(session.authorizations ?? {}).flatMap(({ grantId }) => grantId ?? []);
}
