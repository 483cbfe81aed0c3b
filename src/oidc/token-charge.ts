// The charge for a sign-in, after its tokens are issued and before they leave (sections 1.6, 1.7 and 3). Minted,
// charged, released, in that order: whatever goes wrong in between, no token leaves the service.
import type { Context, Middleware } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Clock } from '../clock.ts';
import { TollgateError } from '../errors.ts';
import type { UsageEvent } from '../ledger/charge.ts';
import { reverseCharge } from '../ledger/reversal.ts';
import type { Log } from '../log.ts';
import type { ReadThenWrite } from '../read-then-write.ts';
import { sha256 } from '../secrets.ts';
import { isUniqueViolation } from '../sql-state.ts';
import { attemptOf } from './attempt.ts';
import { applicationIdOf } from './client.ts';
import type { SessionToCharge } from './session-charge.ts';

type Dependencies = {
  /** For the charge that is taken back. */
  readThenWrite: ReadThenWrite;
  /** From session-charge.ts. One for the whole process: sessions share a transaction only if they share it. */
  chargeSession: (session: SessionToCharge) => Promise<UsageEvent>;
  clock: Clock;
  log: Log;
};

/** Stands in front of the engine's token endpoint (`provider.use`): everything after `next()` sees what the engine made. */
export function tokenCharge(dependencies: Dependencies): Middleware {
  const { chargeSession } = dependencies;
  return async (ctx, next) => {
    await next();
    if (ctx.method !== 'POST' || ctx.status !== 200) return;
    const exchange = readExchange(ctx);
    if (exchange.grantType !== 'authorization_code') return;
    const startedAt = performance.now();
    try {
      const event = await chargeSession(sessionOf(exchange));
      // For the metrics.
      ctx.state.charge = { kind: event.kind, startedAt, seconds: (performance.now() - startedAt) / 1000 };
      if (isConnectionGone(ctx)) await takeBack(dependencies, event);
    } catch (error) {
      await discardTokens(exchange, dependencies.log);
      throw isUniqueViolation(error) ? chargedBefore(error) : error;
    }
  };
}

type Exchange = {
  grantType: unknown;
  applicationId: string | undefined;
  accountId: string | undefined;
  code: string | undefined;
  traceId: string | undefined;
  tokens: { destroy(): Promise<unknown> }[];
};

/** What the engine left in its context; `entities` is the documented place of the models that a request touched. */
function readExchange(ctx: Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>): Exchange {
  const { AuthorizationCode, AccessToken, RefreshToken, Account } = ctx.oidc?.entities ?? {};
  return {
    grantType: ctx.oidc?.params?.grant_type,
    applicationId: ctx.oidc?.client && applicationIdOf(ctx.oidc.client),
    accountId: Account?.accountId,
    code: AuthorizationCode?.jti,
    traceId: AuthorizationCode && attemptOf(AuthorizationCode),
    tokens: [AccessToken, RefreshToken].filter((token) => token !== undefined),
  };
}

function sessionOf({ applicationId, accountId, code, traceId }: Exchange): SessionToCharge {
  if (!applicationId || !accountId || !code)
    throw new Error('the engine issued tokens without naming application, account or code');
  return { applicationId, accountId, codeHash: sha256(code), traceId };
}

/** The engine's store forgot that the code was used (a restored or lagging replica); the ledger did not. */
function chargedBefore(cause: unknown): TollgateError {
  return new TollgateError('invalid_grant', 'The grant request is invalid.', {
    detail: 'code charged before',
    cause,
  });
}

/** The client hung up before a byte was written: it has no token, so it pays nothing. */
async function takeBack({ readThenWrite, clock, log }: Dependencies, event: UsageEvent): Promise<never> {
  await readThenWrite({
    read: async () => undefined,
    write: (tx) =>
      reverseCharge(tx, {
        eventId: event.id,
        reason: 'connection closed before the tokens were sent',
        now: clock(),
      }),
  });
  log.info({ event: event.id }, 'charge reversed: the client was gone');
  throw new TollgateError('server_error', 'The connection was closed.', { detail: 'client gone' });
}

function isConnectionGone(ctx: Context): boolean {
  return !ctx.req.socket.writable;
}

/** The answer is replaced in any case; this also removes what could be used if a value had leaked. */
async function discardTokens(exchange: Exchange, log: Log): Promise<void> {
  const results = await Promise.allSettled(exchange.tokens.map((token) => token.destroy()));
  for (const result of results) {
    if (result.status === 'rejected')
      log.error({ err: result.reason }, 'a token of a refused charge was not destroyed');
  }
}
