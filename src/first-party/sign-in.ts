// The way into our own pages: out to the service's sign-in and back, bound to this browser by a sealed cookie that
// holds state, nonce and verifier (RFC 6749 §10.12, RFC 7636) of the last few, because another tab, or another site that
// opens a page of ours, may begin one meanwhile. The code that comes back never leaves the process.
import type { Context } from 'koa';
import type { Clock } from '../clock.ts';
import { readCookie, removeCookie, writeCookie } from '../http/cookies.ts';
import { longestWaysInCharacters, wayInSeconds, waysInPerBrowser } from '../limits/settings.ts';
import { constantTimeEqual, type Keys, randomSecret, seal, sha256, unseal } from '../secrets.ts';
import type { Area, OwnPages } from './clients.ts';

export type SignedIn = {
  accountId: string;
  /** The session of this browser (`sessions.uid_hash`), which the page's own session belongs to. */
  sessionHash: string;
};

/** What only the engine's door can do: exchanges a code for the person, once. */
export type Redeem = (
  area: Area,
  code: { code: string; redirectUri: string; verifier: string; nonce: string },
) => Promise<SignedIn | undefined>;

export type WayInTools = {
  config: { baseUrl: string };
  keys: Pick<Keys, 'sealing'>;
  clock: Clock;
};

type WayIn = { state: string; nonce: string; verifier: string; to: string; startedAt: string };

export type Begin = {
  own: OwnPages;
  /** Where the person wanted to go: a path of the area. */
  to: string;
  /** Somebody who is signed in proves it again. */
  again?: boolean;
  email?: string | undefined;
};

export function beginSignIn(ctx: Context, tools: WayInTools, { own, to, again, email }: Begin): void {
  const wayIn: WayIn = {
    state: randomSecret(),
    nonce: randomSecret(),
    verifier: randomSecret(),
    to: isWithin(own, to) ? to : own.path,
    startedAt: tools.clock().toISOString(),
  };
  keepWaysIn(ctx, tools, own, [wayIn, ...readWaysIn(ctx, tools, own)]);
  const request = new URLSearchParams({
    client_id: own.clientId,
    redirect_uri: tools.config.baseUrl + own.callbackPath,
    response_type: 'code',
    scope: 'openid',
    state: wayIn.state,
    nonce: wayIn.nonce,
    code_challenge: sha256(wayIn.verifier),
    code_challenge_method: 'S256',
    ...(again ? { prompt: 'login' } : {}),
    ...(email ? { login_hint: email } : {}),
  });
  ctx.redirect(`/oauth/authorize?${request}`);
  ctx.status = 303;
}

/** `elsewhere`: too many others were begun after this one, or it came back already; `lost`: this browser began none. */
export type Back = (SignedIn & { to: string }) | 'cancelled' | 'elsewhere' | 'lost' | 'refused';

export async function finishSignIn(
  ctx: Context,
  tools: WayInTools,
  { own, redeem }: { own: OwnPages; redeem: Redeem },
): Promise<Back> {
  const waysIn = readWaysIn(ctx, tools, own);
  if (waysIn.length === 0) return 'lost';
  const { state, code, error } = ctx.query;
  const wayIn = waysIn.find((each) => typeof state === 'string' && constantTimeEqual(state, each.state));
  if (!wayIn) return 'elsewhere';
  keepWaysIn(
    ctx,
    tools,
    own,
    waysIn.filter((each) => each !== wayIn),
  );
  if (error === 'access_denied') return 'cancelled';
  if (typeof code !== 'string') return 'refused';
  const { verifier, nonce, to } = wayIn;
  const redirectUri = tools.config.baseUrl + own.callbackPath;
  const signedIn = await redeem(own.area, { code, redirectUri, verifier, nonce });
  return signedIn ? { ...signedIn, to } : 'refused';
}

/** Newest first; the oldest make room for it. */
function keepWaysIn(ctx: Context, tools: WayInTools, own: OwnPages, waysIn: WayIn[]): void {
  const kept = waysIn.slice(0, waysInPerBrowser);
  const sealed = seal(tools.keys, JSON.stringify(kept), contextOf(own));
  if (kept.length === 0) removeCookie(ctx, own.waysInCookie);
  else if (sealed.length > longestWaysInCharacters) keepWaysIn(ctx, tools, own, kept.slice(0, -1));
  else writeCookie(ctx, own.waysInCookie, sealed, wayInSeconds);
}

function readWaysIn(ctx: Context, tools: WayInTools, own: OwnPages): WayIn[] {
  const sealed = readCookie(ctx, own.waysInCookie);
  if (!sealed) return [];
  try {
    const waysIn: WayIn[] = JSON.parse(unseal(tools.keys, sealed, contextOf(own)));
    const oldest = tools.clock().getTime() - wayInSeconds * 1000;
    return waysIn.filter(({ startedAt }) => new Date(startedAt).getTime() >= oldest);
  } catch {
    // Cut, forged or sealed with a secret that is gone: as good as none.
    return [];
  }
}

function contextOf({ area }: OwnPages): string {
  return `ways in ${area}`;
}

/** A browser keeps 4 KB of a cookie; nothing of ours has an address this long. */
const LONGEST_PATH = 1_000;

function isWithin({ path }: OwnPages, to: string): boolean {
  return to.length <= LONGEST_PATH && (to === path || to.startsWith(`${path}/`) || to.startsWith(`${path}?`));
}
