// Everything that stands between the house's own middlewares and the engine, in the order in which a request meets
// it. What the engine can be configured to do is in provider.ts; this is the rest.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { AdapterFactory } from 'oidc-provider';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import type { BrowserOf } from '../http/form.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { about } from '../http/routing.ts';
import { type RevokeSession, switchAccounts } from './account-switch.ts';
import { keepAnswersFromOtherOrigins } from './cross-origin.ts';
import { limitDevices } from './device-limits.ts';
import { describeService, PUBLIC_DOCUMENTS } from './discovery.ts';
import { CALLED_BY_CLIENTS, guardEndpoints, MACHINE_ENDPOINTS } from './endpoints.ts';
import { passOnFailures, plainErrorBodies } from './engine-errors.ts';
import { limitExchanges } from './exchange-limits.ts';
import { punishFailedExchanges, type RevokeGrants } from './failed-exchanges.ts';
import { skipLogoutWithoutSession } from './logout.ts';
import { receivePostedRequests } from './posted-request.ts';
import { readRequest } from './request-reading.ts';
import { explainRefusals } from './request-refusal.ts';

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
