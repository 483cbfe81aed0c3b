// Sign-in to a first-party client: out to the service's sign-in and back, bound to this browser by a sealed cookie that
// holds state, nonce and verifier of the last few, because another tab, or another site that opens a page of ours, may
// begin one meanwhile. The code that comes back never leaves the process.
import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import { removeCookie } from '../http/cookies.ts';
import { readSealedCookie, writeSealedCookie } from '../http/sealed-cookie.ts';
import { firstPartySignInSeconds, pendingSignInsPerBrowser } from '../limits/settings.ts';
import { constantTimeEqual, type Keys } from '../secrets.ts';
import { newPendingRequest, type PendingRequest, redirectToAuthorization } from './authorization-request.ts';
import type { Area, FirstPartyClient } from './clients.ts';

export type SignedIn = {
  accountId: string;
  /** The session of this browser (`sessions.uid_hash`), which the page's own session belongs to. */
  sessionHash: string;
};

/** What only the engine's door can do: exchanges a code for the person, once. */
export type RedeemCode = (
  area: Area,
  code: { code: string; redirectUri: string; verifier: string; nonce: string },
) => Promise<SignedIn | undefined>;

export type SignInDependencies = {
  config: { baseUrl: string };
  keys: Pick<Keys, 'sealing'>;
  clock: Clock;
};

type PendingSignIn = PendingRequest & { to: string; startedAt: string };

export type SignInOptions = {
  client: FirstPartyClient;
  /** Where the person wanted to go: a path of the area. */
  to: string;
  /** Somebody who is signed in proves it again. */
  again?: boolean;
  email?: string | undefined;
};

export function beginSignIn(
  ctx: Context,
  deps: SignInDependencies,
  { client, to, again, email }: SignInOptions,
): void {
  const pending: PendingSignIn = {
    ...newPendingRequest(),
    to: isWithin(client, to) ? to : client.path,
    startedAt: deps.clock().toISOString(),
  };
  keep(ctx, deps, client, [pending, ...readPending(ctx, deps, client)]);
  redirectToAuthorization(ctx, pending, {
    clientId: client.clientId,
    redirectUri: deps.config.baseUrl + client.callbackPath,
    scope: 'openid',
    prompt: again ? 'login' : undefined,
    loginHint: email,
  });
}

/** `elsewhere`: too many others were begun after this one, or it came back already; `lost`: this browser began none. */
export type SignInOutcome = (SignedIn & { to: string }) | 'cancelled' | 'elsewhere' | 'lost' | 'refused';

export async function finishSignIn(
  ctx: Context,
  deps: SignInDependencies,
  { client, redeem }: { client: FirstPartyClient; redeem: RedeemCode },
): Promise<SignInOutcome> {
  const all = readPending(ctx, deps, client);
  if (all.length === 0) return 'lost';
  const { state, code, error } = ctx.query;
  const pending = all.find((each) => typeof state === 'string' && constantTimeEqual(state, each.state));
  if (!pending) return 'elsewhere';
  const others = all.filter((each) => each !== pending);
  keep(ctx, deps, client, others);
  if (error === 'access_denied') return 'cancelled';
  if (typeof code !== 'string') return 'refused';
  const { verifier, nonce, to } = pending;
  const redirectUri = deps.config.baseUrl + client.callbackPath;
  const signedIn = await redeem(client.area, { code, redirectUri, verifier, nonce });
  return signedIn ? { ...signedIn, to } : 'refused';
}

/** Newest first; the oldest make room for it. */
function keep(
  ctx: Context,
  deps: SignInDependencies,
  client: FirstPartyClient,
  pending: PendingSignIn[],
): void {
  const value = pending.slice(0, pendingSignInsPerBrowser);
  const cookie = { value, seconds: firstPartySignInSeconds };
  if (value.length === 0) removeCookie(ctx, client.signInsCookie);
  else if (!writeSealedCookie(ctx, deps.keys, client.signInsCookie, cookie))
    keep(ctx, deps, client, value.slice(0, -1));
}

function readPending(
  ctx: Context,
  { keys, clock }: SignInDependencies,
  { signInsCookie }: FirstPartyClient,
): PendingSignIn[] {
  const pending = readSealedCookie<PendingSignIn[]>(ctx, keys, signInsCookie) ?? [];
  const oldest = clock().getTime() - firstPartySignInSeconds * 1000;
  return pending.filter(({ startedAt }) => new Date(startedAt).getTime() >= oldest);
}

/** A browser keeps 4 KB of a cookie; nothing of ours has an address this long. */
const LONGEST_PATH = 1_000;

function isWithin({ path }: FirstPartyClient, to: string): boolean {
  return to.length <= LONGEST_PATH && (to === path || to.startsWith(`${path}/`) || to.startsWith(`${path}?`));
}
