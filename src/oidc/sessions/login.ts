// Where a browser comes back from the pages with a sign-in: it counts once, in the browser that proved it, while its proof
// opens the account (docs/decisions/0701). Until then a login is only a reference to a proof.
import type { KoaContextWithOIDC } from 'oidc-provider';
import { beginSession, type SignInFacts } from '../../accounts/session.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import type { BrowserOf } from '../../http/form.ts';

/** What the pages answer to the engine, as far as it matters here. */
export type Login = { accountId: string; proof: string };

export type LoginDependencies = { db: Database; clock: Clock; browserOf: BrowserOf };

/** Of the interaction with which this request goes on; undefined when it goes on with a session alone. */
export function loginOf({ oidc }: KoaContextWithOIDC): Login | undefined {
  const login = oidc && isComingBack(oidc) ? oidc.result?.login : undefined;
  if (!login) return undefined;
  const { accountId, proof } = login;
  return { accountId: String(accountId), proof: typeof proof === 'string' ? proof : '' };
}

/** Where the engine goes on after the pages: with a request of an application, or with a device's. */
export function isComingBack({ route }: KoaContextWithOIDC['oidc']): boolean {
  return route === 'resume' || route === 'device_resume';
}

/**
 * @returns whether the sign-in counts. The session then says what its latest proof says, which is another one than this
 * login's when the person has signed in again in another tab meanwhile.
 */
export async function applyLogin(
  { db, clock, browserOf }: LoginDependencies,
  ctx: KoaContextWithOIDC,
  login: Login,
): Promise<boolean> {
  const { session } = ctx.oidc;
  const browser = browserOf(ctx);
  if (!session || !browser) return false;
  const facts = await beginSession(db, {
    proofId: login.proof,
    accountId: login.accountId,
    browser,
    uid: session.uid,
    userAgent: ctx.get('user-agent'),
    ipAddress: String(ctx.state.ipAddress ?? ''),
    clock,
  });
  if (facts) sayWhatIsTrue(session, facts);
  return facts !== undefined;
}

type EngineSession = NonNullable<KoaContextWithOIDC['oidc']['session']>;

function sayWhatIsTrue(session: EngineSession, { authTime, amr, acr }: SignInFacts): void {
  Object.assign(session, { loginTs: authTime, amr, acr });
}
