// A browser that is signed in as one person finishes a sign-in as another. The engine would log the first one out by
// a page whose script posts itself; our pages have no scripts, so it happens here, on the server.
import type { Middleware } from 'koa';
import { isProofOfBrowser } from '../../accounts/session.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import type { BrowserOf } from '../../http/form.ts';
import { seeOther } from '../../http/redirect.ts';
import { sha256 } from '../../secrets.ts';
import { engineContext } from '../engine/engine-context.ts';
import { isComingBack } from './login.ts';

/** Ends a session with every grant that it led to. */
export type RevokeSession = (
  db: Database,
  session: { uidHash: string; accountId: string; now: Date },
) => Promise<boolean>;

type Dependencies = { db: Database; revokeSession: RevokeSession; browserOf: BrowserOf; clock: Clock };

/** By now the engine has let go of this interaction's old session. Only this browser's own sign-in ends the one it has. */
export function switchAccounts({ db, revokeSession, browserOf, clock }: Dependencies): Middleware {
  return async (ctx, next) => {
    await next();
    const oidc = engineContext(ctx);
    const login = oidc?.entities.Interaction?.result?.login;
    const session = oidc?.session;
    if (!oidc || !isComingBack(oidc) || ctx.status !== 200 || !login || !session?.accountId) return;
    if (session.accountId === login.accountId) return;
    if (!(await isProofOfBrowser(db, String(login.proof), browserOf(ctx) ?? '')))
      throw new TollgateError('invalid_request', 'This sign-in was made in another browser.');
    const { uid, accountId } = session;
    await revokeSession(db, { uidHash: sha256(uid), accountId, now: clock() });
    await session.destroy();
    // Once more, now without a session: the sign-in begins a new one, under a new id.
    seeOther(ctx, ctx.path);
  };
}
