// The charge for a sign-in, after its tokens are issued and before they leave (promise 20). Minted,
// charged, released, in that order: whatever goes wrong in between, no token leaves the service.
import type { Context, Middleware } from 'koa';
import type { Client, KoaContextWithOIDC } from 'oidc-provider';
import type { Config } from '../../config/config.ts';
import type { OwedWrites } from '../../database/owed-writes.ts';
import { isCode, TollgateError } from '../../errors.ts';
import { newEventId } from '../../ledger/charge.ts';
import type { Log } from '../../log.ts';
import { sha256 } from '../../secrets.ts';
import { applicationIdOf, isInTestMode, isPublic, workspaceIdOf } from '../clients/client.ts';
import { DEVICE_GRANT } from '../devices/device-flow.ts';
import { attemptOf } from '../engine/attempt-id.ts';
import type { Charges } from './charge-and-release.ts';
import { clientGone, type Minting, type SessionToCharge } from './charge-decision.ts';

/** What a session begins with; a refresh token goes on with one. */
const BEGINS_SESSION = ['authorization_code', DEVICE_GRANT];

type Dependencies = { config: Pick<Config, 'baseUrl'>; charges: Charges; writes: OwedWrites; log: Log };

/** Stands in front of the engine's token endpoint (`provider.use`): everything after `next()` sees what the engine made. */
export function tokenCharge({ config, charges, writes, log }: Dependencies): Middleware {
  return async (ctx, next) => {
    // Tokens are saved while the ID Token is signed, and while the charge looks up what it needs.
    writes.open(ctx.req);
    await next();
    const minting = mintingOf(writes.settled(ctx.req));
    const exchange = readExchange(ctx);
    const isCharged = ctx.method === 'POST' && ctx.status === 200;
    if (!isCharged || !BEGINS_SESSION.includes(String(exchange.grantType))) return minting.done;
    try {
      await chargeAndRelease(ctx, { ...exchange, minting }, charges);
    } catch (error) {
      await minting.done.catch(() => undefined);
      await discardTokens(exchange, log);
      throw explained(error, exchange.client, config);
    }
  };
}

function mintingOf(done: Promise<void>): Minting {
  let isDone = false;
  done.then(
    () => {
      isDone = true;
    },
    // Whoever waits for it hears of it.
    () => undefined,
  );
  return { isDone: () => isDone, done };
}

async function chargeAndRelease(
  ctx: Context,
  exchange: Exchange & { minting: Minting },
  charges: Charges,
): Promise<void> {
  const startedAt = performance.now();
  const isGone = () => isConnectionGone(ctx);
  const session = { ...sessionOf(exchange), isGone, minting: exchange.minting };
  if (isGone()) throw clientGone();
  const charged = await charges.charge(session);
  if (isGone()) {
    await charges.takeBack(session, 'connection closed before the tokens were sent');
    throw clientGone();
  }
  charges.release(session, charged);
  // For the metrics.
  const seconds = (performance.now() - startedAt) / 1000;
  ctx.state.charge = { kind: charged.event.kind, startedAt, seconds };
}

type Exchange = {
  client: Client | undefined;
  grantType: unknown;
  applicationId: string | undefined;
  accountId: string | undefined;
  code: string | undefined;
  traceId: string | undefined;
  tokens: { destroy(): Promise<unknown> }[];
};

/** What the engine left in its context; `entities` is the documented place of the models that a request touched. */
function readExchange(ctx: Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>): Exchange {
  const { AuthorizationCode, DeviceCode, AccessToken, RefreshToken, Account } = ctx.oidc?.entities ?? {};
  const code = AuthorizationCode ?? DeviceCode;
  return {
    client: ctx.oidc?.client,
    grantType: ctx.oidc?.params?.grant_type,
    applicationId: ctx.oidc?.client && applicationIdOf(ctx.oidc.client),
    accountId: Account?.accountId,
    code: code?.jti,
    traceId: code && attemptOf(code),
    tokens: [AccessToken, RefreshToken].filter((token) => token !== undefined),
  };
}

function sessionOf({ client, applicationId, accountId, code, traceId }: Exchange): SessionToCharge {
  if (!applicationId || !accountId || !code)
    throw new Error('the engine issued tokens without naming application, account or code');
  const isTest = client !== undefined && isInTestMode(client);
  return { eventId: newEventId(), applicationId, accountId, isTest, codeHash: sha256(code), traceId };
}

function isConnectionGone(ctx: Context): boolean {
  return !ctx.req.socket.writable;
}

/**
 * The balance has to be topped up, which only the company can do: its backend, which has proven itself, is told why
 * and where. A page that exchanges the code itself shows what it reads to whoever signs in, and hears the neutral words.
 */
function explained(
  error: unknown,
  client: Client | undefined,
  { baseUrl }: Pick<Config, 'baseUrl'>,
): unknown {
  if (!isCode(error, 'temporarily_unavailable') || !client || isPublic(client)) return error;
  const workspaceId = workspaceIdOf(client);
  if (!workspaceId) return error;
  const page = `${baseUrl}/settings/${workspaceId}/applications/${applicationIdOf(client)}/balance`;
  const description = `The balance of this application is too low. Top it up at ${page} and start a new sign-in.`;
  return new TollgateError(error.code, description, { detail: error.detail, cause: error });
}

/** The answer is replaced in any case; this also removes what could be used if a value had leaked. */
async function discardTokens(exchange: Exchange, log: Log): Promise<void> {
  const results = await Promise.allSettled(exchange.tokens.map((token) => token.destroy()));
  for (const result of results) {
    if (result.status === 'rejected')
      log.error({ err: result.reason }, 'a token of a refused charge was not destroyed');
  }
}
