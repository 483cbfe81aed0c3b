// The charge for a sign-in, after its tokens are issued and before they leave (sections 1.6, 1.7 and 3). Minted,
// charged, released, in that order: whatever goes wrong in between, no token leaves the service.
import type { Context, Middleware } from 'koa';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { findAccount } from '../accounts/account.ts';
import { findApplicationByClientId } from '../applications/application.ts';
import { pairwiseSub, recordSession } from '../applications/customer.ts';
import type { Clock } from '../clock.ts';
import { type Database, isUniqueViolation, transaction } from '../database.ts';
import { TollgateError } from '../errors.ts';
import type { Jobs } from '../jobs.ts';
import { charge, type UsageEvent } from '../ledger/charge.ts';
import { formatAmount } from '../ledger/money.ts';
import { reverseCharge } from '../ledger/reversal.ts';
import type { Log } from '../log.ts';
import { type Keys, sha256 } from '../secrets.ts';
import { enqueueWebhooks } from '../webhooks/enqueue.ts';

type Dependencies = { db: Database; jobs: Jobs; keys: Pick<Keys, 'pairwise'>; clock: Clock; log: Log };

const webhookType = {
  registration: 'identity.registration.completed.v1',
  sign_in: 'identity.login.completed.v1',
} as const;

/** Stands in front of the engine (`provider.use`): everything after `next()` sees what the engine made. */
export function tokenCharge(dependencies: Dependencies): Middleware {
  return async (ctx, next) => {
    await next();
    if (ctx.method !== 'POST' || ctx.path !== '/oauth/token' || ctx.status !== 200) return;
    const exchange = readExchange(ctx);
    if (exchange.grantType !== 'authorization_code') return;
    const startedAt = performance.now();
    try {
      const event = await chargeSession(dependencies, exchange);
      // For the metrics.
      ctx.state.charge = { kind: event.kind, seconds: (performance.now() - startedAt) / 1000 };
      if (isConnectionGone(ctx)) await takeBack(dependencies, event);
    } catch (error) {
      await discardTokens(exchange, dependencies.log);
      throw isUniqueViolation(error) ? chargedBefore(error) : error;
    }
  };
}

type Exchange = {
  grantType: unknown;
  clientId: string | undefined;
  accountId: string | undefined;
  code: string | undefined;
  tokens: { destroy(): Promise<unknown> }[];
};

/** What the engine left in its context; `entities` is the documented place of the models that a request touched. */
function readExchange(ctx: Context & Partial<Pick<KoaContextWithOIDC, 'oidc'>>): Exchange {
  const { AuthorizationCode, AccessToken, RefreshToken, Account } = ctx.oidc?.entities ?? {};
  return {
    grantType: ctx.oidc?.params?.grant_type,
    clientId: ctx.oidc?.client?.clientId,
    accountId: Account?.accountId,
    code: AuthorizationCode?.jti,
    tokens: [AccessToken, RefreshToken].filter((token) => token !== undefined),
  };
}

/** One transaction: first session or later, the charge, its event and its webhooks. @throws TollgateError */
async function chargeSession(dependencies: Dependencies, exchange: Exchange): Promise<UsageEvent> {
  const { db, jobs, keys, clock } = dependencies;
  const { clientId, accountId, code } = exchange;
  if (!clientId || !accountId || !code)
    throw new Error('the engine issued tokens without naming client, account or code');
  return transaction(db, async (tx) => {
    const application = await findApplicationByClientId(tx, clientId);
    const account = await findAccount(tx, accountId);
    // Deleted between the engine's look-up and ours: nobody to charge, so nothing to hand out.
    if (!application || !account) throw new TollgateError('invalid_grant', 'The grant request is invalid.');
    const sub = pairwiseSub(keys.pairwise, application.id, account.id);
    const kind = await recordSession(tx, {
      applicationId: application.id,
      accountId: account.id,
      sub,
      now: clock(),
    });
    return charge(tx, {
      applicationId: application.id,
      sub,
      kind,
      codeHash: sha256(code),
      // Read only now that this customer's row is locked: the registration is the first event in time as well.
      now: clock(),
      alongside: (event) =>
        enqueueWebhooks(tx, {
          jobs,
          now: event.occurredAt,
          event: {
            id: event.id,
            type: webhookType[event.kind],
            applicationId: application.id,
            workspaceId: application.workspaceId,
            createdAt: event.occurredAt,
            data: {
              customer: {
                sub,
                email: account.email,
                email_verified: account.emailVerified,
                name: account.name,
              },
              kind: event.kind,
              amount: formatAmount(event.amount),
              currency: event.currency,
              status: 'committed',
            },
          },
        }),
    });
  });
}

/** The engine's store forgot that the code was used (a restored or lagging replica); the ledger did not. */
function chargedBefore(cause: unknown): TollgateError {
  return new TollgateError('invalid_grant', 'The grant request is invalid.', {
    detail: 'code charged before',
    cause,
  });
}

/** The client hung up before a byte was written: it has no token, so it pays nothing. */
async function takeBack({ db, clock, log }: Dependencies, event: UsageEvent): Promise<never> {
  await transaction(db, (tx) =>
    reverseCharge(tx, {
      eventId: event.id,
      reason: 'connection closed before the tokens were sent',
      now: clock(),
    }),
  );
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
