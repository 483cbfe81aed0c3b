// Everything that stands between the house's own middlewares and the engine, in the order in which a request meets
// it. What the engine can be configured to do is in engine-configuration.ts; this is the rest.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { AdapterFactory } from 'oidc-provider';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import type { BrowserOf } from '../http/form.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { about } from '../http/routing.ts';
import { receivePostedRequests } from './authorization-request/form-post-request.ts';
import { readRequest } from './authorization-request/request-reading.ts';
import { explainRefusals } from './authorization-request/request-refusal.ts';
import { keepAnswersFromOtherOrigins } from './clients/cross-origin.ts';
import { limitExchanges } from './clients/exchange-limits.ts';
import { limitDevices } from './devices/device-limits.ts';
import { describeService, PUBLIC_DOCUMENTS } from './discovery.ts';
import { CALLED_BY_CLIENTS, guardEndpoints, MACHINE_ENDPOINTS } from './engine/endpoints.ts';
import { passOnFailures, plainErrorBodies } from './errors/engine-errors.ts';
import { type RevokeSession, switchAccounts } from './sessions/account-switch.ts';
import { skipLogoutWithoutSession } from './sessions/logout.ts';
import { punishFailedExchanges, type RevokeGrants } from './tokens/replayed-codes-and-tokens.ts';

type Dependencies = {
  config: Pick<Config, 'baseUrl'>;
  db: Database;
  provider: Provider;
  adapter: AdapterFactory;
  rateLimiter: RateLimiter;
  revokeGrants: RevokeGrants;
  revokeSession: RevokeSession;
  browserOf: BrowserOf;
  clock: Clock;
};

/** For `provider.use`, after the error writer and the pinned host, before the token charge. */
export function protocolRules(dependencies: Dependencies): Middleware[] {
  const { config, provider, rateLimiter } = dependencies;
  return [
    guardEndpoints,
    passOnFailures(provider),
    about(CALLED_BY_CLIENTS, limitExchanges(rateLimiter)),
    about(['/oauth/device_authorization', '/device', '/oauth/token'], limitDevices(dependencies)),
    about(['/oauth/authorize'], receivePostedRequests(dependencies)),
    about(['/oauth/authorize'], readRequest),
    explainRefusals(provider),
    about(CALLED_BY_CLIENTS, keepAnswersFromOtherOrigins),
    about(MACHINE_ENDPOINTS, plainErrorBodies),
    about(['/oauth/token'], punishFailedExchanges(dependencies)),
    switchAccounts(dependencies),
    about(['/oauth/logout'], skipLogoutWithoutSession(config.baseUrl)),
    about(PUBLIC_DOCUMENTS, describeService(config.baseUrl)),
  ];
}
