// Assembles the engine: what it offers, what is switched off, and which of our rules it calls.
// Cheap and silent, so that it can be built anew when the signing keys change.
import type Koa from 'koa';
import Provider, { type AdapterFactory, type Configuration, type JWKS } from 'oidc-provider';
import { clientSignatureAlgorithms } from '../applications/client-key-set.ts';
import { supportedScopes } from '../applications/scopes.ts';
import { signingAlgorithms } from '../applications/signing-algorithm.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { clientClockToleranceSeconds } from '../limits/assurance.ts';
import type { Log } from '../log.ts';
import type { Keys } from '../secrets.ts';
import { type AnswerPage, postAnswers } from './authorization-request/form-post-answer.ts';
import { takeHintsOfAnyAlgorithm } from './authorization-request/id-token-hint.ts';
import { requestObjects } from './authorization-request/request-object.ts';
import { requestRules, requiresChallenge } from './authorization-request/request-rules.ts';
import { compareSecretHashes, extraClientProperties, isAllowedOrigin } from './clients/client.ts';
import { requireShortAssertion } from './clients/client-assertion.ts';
import type { FetchForEngine } from './clients/client-key-fetch.ts';
import {
  allowChosenDevices,
  type DevicePages,
  deviceFeature,
  sayHowOftenToPoll,
} from './devices/device-flow.ts';
import { nameAttempts } from './engine/attempt-id.ts';
import { engineRoutes } from './engine/endpoints.ts';
import { engineCookies } from './engine/engine-cookies.ts';
import { type ErrorPage, logRefusals, showErrorPage } from './errors/engine-errors.ts';
import type { LookAhead } from './look-ahead.ts';
import { acrValues } from './sessions/authentication-context.ts';
import { grantFromConsent } from './sessions/grant-from-consent.ts';
import { pagesBeforeCallback } from './sessions/interaction-policy.ts';
import type { LoginDependencies } from './sessions/login.ts';
import { endTokensAtLogout, type LogoutPages, logoutFeature } from './sessions/logout.ts';
import { nameSessions } from './sessions/logout-token.ts';
import { accountsForEngine, claimsByScope, pairwiseIdentifier } from './tokens/claims.ts';
import { proofOfPossession } from './tokens/dpop-proof.ts';
import { introspectionPolicy } from './tokens/introspection.ts';
import { refreshTokens } from './tokens/refresh-tokens.ts';
import { tokenLifetimes } from './tokens/token-lifetimes.ts';
import { type ResourcesOfRequest, resourceIndicators } from './tokens/tokens-for-apis.ts';

/** What the engine shows to people by itself; the pages that lead to a callback are at /interaction/:uid. */
export type EnginePages = LogoutPages & DevicePages & { error: ErrorPage; answer: AnswerPage };

export type ProviderDependencies = {
  config: Pick<Config, 'baseUrl' | 'isSecure'>;
  lookAhead: Pick<LookAhead, 'accounts' | 'consents' | 'resources'>;
  logins: LoginDependencies;
  keys: Pick<Keys, 'cookies' | 'pairwise'>;
  /** From client-key-fetch.ts. */
  fetchClientKeys: FetchForEngine;
  /** From signing-keys.ts: the first key signs. */
  jwks: JWKS;
  adapter: AdapterFactory;
  pages: EnginePages;
  clock: Clock;
  log: Log;
};

/** The rules of engine-middlewares.ts are not part of it: the roof lists them among its middlewares. */
export function createProvider(deps: ProviderDependencies): Provider {
  const { config, log } = deps;
  const provider = new Provider(config.baseUrl, configuration(deps));
  // Only the scheme is read from the proxy headers, and those are pinned before anything reads them.
  provider.proxy = config.isSecure;
  compareSecretHashes(provider);
  allowChosenDevices(provider);
  sayHowOftenToPoll(provider);
  endTokensAtLogout(provider);
  nameSessions(provider);
  takeHintsOfAnyAlgorithm(provider);
  logRefusals(provider, log);
  nameAttempts(provider);
  postAnswers(provider, deps.pages.answer);
  const app: Koa = provider;
  app.on('error', (error: Error) => log.error({ err: error }, 'answer failed'));
  return provider;
}

function configuration({
  config,
  lookAhead,
  logins,
  keys,
  jwks,
  fetchClientKeys,
  adapter,
  pages,
  clock,
}: ProviderDependencies): Configuration {
  return {
    adapter,
    jwks,
    cookies: engineCookies({ isSecure: config.isSecure, keys }),
    routes: engineRoutes,
    features: features(pages, { keys, resources: lookAhead.resources }),

    // Requests
    acrValues,
    responseTypes: ['code'],
    scopes: supportedScopes,
    extraParams: requestRules,
    pkce: { required: requiresChallenge },
    allowOmittingSingleRegisteredRedirectUri: false,
    enableHttpPostMethods: false,
    interactions: {
      policy: pagesBeforeCallback(pairwiseIdentifier(keys)),
      url: (_ctx, interaction) => `/interaction/${interaction.uid}`,
    },
    renderError: showErrorPage(pages.error),

    // Applications
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'private_key_jwt', 'none'],
    assertJwtClientAuthClaimsAndHeader: requireShortAssertion,
    clockTolerance: clientClockToleranceSeconds,
    fetch: fetchClientKeys,
    clientBasedCORS: isAllowedOrigin,
    extraClientMetadata: { properties: extraClientProperties },
    subjectTypes: ['pairwise'],
    pairwiseIdentifier: pairwiseIdentifier(keys),
    sectorIdentifierUriValidate: () => false,

    // People
    findAccount: accountsForEngine(lookAhead.accounts, logins),
    claims: claimsByScope,
    conformIdTokenClaims: false,
    loadExistingGrant: grantFromConsent(lookAhead.consents),

    // Tokens
    enabledJWA: {
      idTokenSigningAlgValues: signingAlgorithms,
      clientAuthSigningAlgValues: clientSignatureAlgorithms,
      requestObjectSigningAlgValues: clientSignatureAlgorithms,
      dPoPSigningAlgValues: clientSignatureAlgorithms,
    },
    ttl: tokenLifetimes(clock),
    ...refreshTokens,
  };
}

type FeatureParts = { keys: Pick<Keys, 'pairwise'>; resources: ResourcesOfRequest };

/** On unless switched off: development pages. */
function features(
  pages: EnginePages,
  { keys, resources }: FeatureParts,
): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: true },
    requestObjects,
    dPoP: proofOfPossession(keys),
    resourceIndicators: resourceIndicators(resources),
    userinfo: { enabled: true },
    claimsParameter: { enabled: true },
    revocation: {
      enabled: true,
      // RFC 7009 §2.1: a client ends its own tokens; about others it learns nothing.
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientCredentials: { enabled: true },
    introspection: { enabled: true, allowedPolicy: introspectionPolicy(resources) },
    rpInitiatedLogout: logoutFeature(pages),
    deviceFlow: deviceFeature(pages),
  };
}
