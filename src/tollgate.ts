// Puts the service together: configuration in; provider, listen and stop out. The list of middlewares below is the
// map of the service: a request meets them from top to bottom, and the engine speaks the protocol at the end.
import type { Middleware } from 'koa';
import type Provider from 'oidc-provider';
import { createClientSource } from '../adapters/client-metadata.ts';
import { createCustomerSessions } from '../adapters/customer-sessions.ts';
import { createExpiredCodes } from '../adapters/expired-codes.ts';
import { createHalfOpen } from '../adapters/half-open-budgets.ts';
import { createEngineAdapter, createRevocation, keepInteractions } from '../adapters/stores.ts';
import { createAccountPage } from '../interactions/account/routes.ts';
import { createArrival } from '../interactions/arrival/routes.ts';
import { createEnginePages } from '../interactions/engine-pages.tsx';
import { createErrorPage } from '../interactions/error-page.tsx';
import { rememberThisDevice } from '../interactions/known-device-cookie.ts';
import { serveLanguageChoice } from '../interactions/language-choice.tsx';
import { serveLogos } from '../interactions/logo.ts';
import { createInteractions } from '../interactions/routes.ts';
import { type BrowserRecorder, createBrowserRecorder } from './accounts/browser-recorder.ts';
import { createPageSessionStore } from './accounts/page-session-store.ts';
import { createPasswords } from './accounts/password.ts';
import { createApi } from './api/routes.ts';
import type { Config } from './config/config.ts';
import { type Connection, lookUpsOf } from './database/connection.ts';
import { createDocumentation } from './documentation/routes.ts';
import { type Area, firstPartyClients } from './first-party/clients.ts';
import { createSessions } from './first-party/session.ts';
import { writeErrors } from './http/error-answer.ts';
import { browserCookie, createFormGuard } from './http/form.ts';
import { pinHost } from './http/pinned-host.ts';
import { logRequests } from './http/request-log.ts';
import { about } from './http/routing.ts';
import { securityHeaders } from './http/security-headers.ts';
import { passwordConcurrentHashes } from './limits/credentials.ts';
import { limitAuthorizationRequests } from './oidc/authorization-request/request-rate.ts';
import { type Charges, createCharges } from './oidc/charge/charge-and-release.ts';
import { tokenCharge } from './oidc/charge/token-charge.ts';
import { noteSecretUse } from './oidc/clients/secret-use.ts';
import { traceDeviceRequests } from './oidc/devices/device-trace.ts';
import { CLIENT_ENDPOINTS } from './oidc/engine/endpoints.ts';
import { createProvider } from './oidc/engine-configuration.ts';
import { protocolRules } from './oidc/engine-middlewares.ts';
import { askAhead, createLookAhead } from './oidc/look-ahead.ts';
import { noteSignedInBrowsers } from './oidc/sessions/signed-in-browsers.ts';
import { traceRefusals } from './oidc/sign-in-trace.ts';
import { watchSigningKeys } from './oidc/signing-keys/signing-key-watch.ts';
import { loadSigningKeys } from './oidc/signing-keys/signing-keys.ts';
import { createRedeemCode } from './oidc/tokens/first-party-sign-in.ts';
import { createTrialRedeem } from './oidc/tokens/trial-sign-in.ts';
import { createOperator, type Operator } from './operator/operator.ts';
import { createPaymentProvider } from './payments/providers.ts';
import { createMailer } from './queue/mail.ts';
import { noteSignIns } from './queue/pressure.ts';
import { fetchClientKeysOf } from './service/client-keys.ts';
import { answerDoctor } from './service/doctor-probe.ts';
import { closeConnections, type Readiness } from './service/health.ts';
import { startOperations } from './service/operations-server.ts';
import { listen } from './service/server.ts';
import { createServices, type Services, type TollgateOptions } from './service/services.ts';
import { startWorkers } from './service/workers.ts';
import { receivePaymentNotifications } from './settings/balance/payment-notifications.ts';
import { createSettings } from './settings/routes.ts';
import { createSocialProviders } from './social/providers.ts';
import { measureRequests } from './telemetry/metrics-requests.ts';
import { createStepRecorder, type RecordStep } from './traces/step-record.ts';

export type Tollgate = {
  config: Config;
  /** The engine in use now: a new one takes over when a signing key is rotated. */
  readonly provider: Provider;
  connection: Connection;
  /** What the command line can do, against this running service. */
  operator: Operator;
  /** Whether the stores answer, and which of them does not. */
  ready(): Promise<Readiness>;
  listen(): Promise<{ url: string; port: number; operationsPort: number | undefined }>;
  /** Readiness says no from now on; requests are still answered, each on its last connection. */
  beginShutdown(): void;
  /** Answers in flight, jobs under way, database: in that order. */
  stop(): Promise<void>;
};

/** When it rejects, everything that was opened on the way is closed again. */
export async function createTollgate(options: TollgateOptions): Promise<Tollgate> {
  const opened = new AsyncDisposableStack();
  try {
    return await assemble(await createServices(options, opened), opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function assemble(services: Services, opened: AsyncDisposableStack): Promise<Tollgate> {
  const { config, connection, jobs, health } = services;
  const steps = createStepRecorder(services);
  opened.defer(steps.stop);
  const browsers = createBrowserRecorder(services);
  opened.defer(browsers.flush);
  const charges = createCharges(services);
  opened.defer(charges.stop);
  const build = await createBuilder(services, { recordStep: steps.record, browsers, charges });
  let engine = await build();
  const rebuild = async () => {
    engine = await build();
  };
  if (config.workers) opened.defer(await startWorkers(services));
  opened.defer(watchSigningKeys({ ...services, kidsInUse: () => engine.kids, rebuild }));
  return {
    config,
    connection,
    get provider() {
      return engine.provider;
    },
    operator: createOperator({ ...services, jobs: async () => jobs, signingKeysChanged: rebuild }),
    ready: health.ready,
    async listen() {
      const operations = await startOperations(services, opened);
      const server = await listen((request, response) => engine.handle(request, response), config);
      opened.defer(server.close);
      return { url: config.baseUrl, port: server.port, operationsPort: operations?.port };
    },
    beginShutdown: health.beginShutdown,
    async stop() {
      health.beginShutdown();
      await opened.disposeAsync();
    },
  };
}

/** @returns a function that makes the engine with the signing keys of this moment, and everything before it. */
async function createBuilder(
  services: Services,
  { recordStep, browsers, charges }: { recordStep: RecordStep; browsers: BrowserRecorder; charges: Charges },
) {
  const { config, connection, db, keys, clock, log, redis, rateLimiter } = services;
  const { metrics, tracing, health, lanes } = services;
  const passwords = createPasswords({ concurrency: passwordConcurrentHashes });
  const mailer = createMailer(services);
  const formGuard = createFormGuard({ keys, secure: config.isSecure });
  const browserOf = browserCookie({ secure: config.isSecure });
  const social = createSocialProviders(config);
  const lookUps = lookUpsOf(connection);
  const clients = createClientSource({ lookUps, clock, ...config });
  const halfOpen = createHalfOpen({
    ...services,
    factor: config.rateLimitFactor,
    megabytes: config.halfOpenMegabytes,
  });
  const adapter = createEngineAdapter({ db, lookUps, redis, clock, clients, halfOpen });
  const lookAhead = createLookAhead(adapter, lookUps);
  const keepInteraction = keepInteractions({ db, lookUps, redis, clock, halfOpen });
  const { revokeAccount, revokeClient, revokeGrants, revokeSession } = createRevocation({ redis });
  const customerSessions = createCustomerSessions({ revokeGrants, clock });
  const store = createPageSessionStore({ db, clock, revokeSession });
  const sessionsOf = (area: Area) => createSessions(firstPartyClients[area], { store, formGuard });
  const findExpiredCode = createExpiredCodes({ db, redis });
  const secretUse = noteSecretUse({ db, clock, log });
  const pages = createEnginePages({ db, formGuard });
  const documentation = createDocumentation({ config, db, log, sessions: sessionsOf('settings') });
  const fetchClientKeys = fetchClientKeysOf(services);
  return async () => {
    const { jwks, kids } = await loadSigningKeys(db, { keys, clock });
    const provider = createProvider({
      config,
      lookAhead,
      logins: { db, clock, browserOf },
      keys,
      jwks,
      fetchClientKeys,
      adapter,
      pages,
      clock,
      log,
    });
    noteSignedInBrowsers(provider, browsers);
    const ahead = askAhead(lookAhead, provider);
    const redeemTrial = createTrialRedeem({ provider, db, keys, config });
    const interactions = createInteractions({
      ...services,
      provider,
      passwords,
      mailer,
      social,
      revokeAccount,
      recordStep,
      keepInteraction,
    });
    const middlewares: Middleware[] = [
      answerDoctor({ config, keys, clock }),
      tracing.request,
      measureRequests(metrics),
      closeConnections(health),
      logRequests(log),
      pinHost(config),
      securityHeaders(config),
      writeErrors({ log, page: createErrorPage() }),
      about(['/oauth/authorize', '/oauth/token'], noteSignIns(services.pressure)),
      about(['/oauth/authorize', '/oauth/token'], ahead.first),
      limitAuthorizationRequests(rateLimiter),
      serveLogos({ db }),
      createApi({ config, db, lookUps, lanes, keys, rateLimiter, clock, log, health }),
      createArrival({ ...services, formGuard }),
      serveLanguageChoice({ formGuard, rateLimiter }),
      documentation,
      interactions,
      createAccountPage({
        ...services,
        mailer,
        formGuard,
        sessions: sessionsOf('account'),
        passwords,
        social,
        revokeAccount,
        revokeSession,
        customerSessions,
        browsers,
        recordStep,
        redeem: createRedeemCode({ provider }),
      }),
      receivePaymentNotifications(services, createPaymentProvider(config, clock)),
      createSettings(
        {
          ...services,
          mailer,
          formGuard,
          sessions: sessionsOf('settings'),
          revokeAccount,
          revokeClient,
          revokeSession,
          rememberDevice: (ctx, account) => rememberThisDevice(services, ctx, account),
          customerSessions,
          redeemTrial,
        },
        { redeem: createRedeemCode({ provider }) },
      ),
      about(['/oauth/device_authorization'], traceDeviceRequests({ provider, recordStep })),
      traceRefusals({ db, provider, recordStep, findExpiredCode, log }),
      about(CLIENT_ENDPOINTS, secretUse),
      ...protocolRules({ ...services, provider, adapter, revokeGrants, revokeSession, browserOf }),
      about(['/oauth/token'], tokenCharge({ config, charges, writes: adapter.writes, log })),
      about(['/oauth/authorize', '/oauth/token'], ahead.rest),
    ];
    for (const middleware of middlewares) provider.use(middleware);
    return { provider, kids, handle: provider.callback() };
  };
}
