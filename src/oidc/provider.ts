// Assembles the engine: what it offers, what is switched off, and which of our rules it calls.
// Cheap and silent, so that it can be built anew when the signing keys change.
import type Koa from 'koa';
import Provider, { type AdapterFactory, type Configuration, type JWKS } from 'oidc-provider';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../log.ts';
import type { Keys } from '../secrets.ts';
import { nameAttempts } from './attempt.ts';
import { acrValues } from './authentication-context.ts';
import { accountsForEngine, claimsByScope, pairwiseIdentifier } from './claims.ts';
import { compareSecretHashes, extraClientProperties, isAllowedOrigin } from './client.ts';
import { engineCookies } from './cookies.ts';
import { type ErrorPage, logRefusals, showErrorPage } from './engine-errors.ts';
import { grantFromConsent } from './grants.ts';
import { pagesBeforeCallback } from './interaction-policy.ts';
import type { LoginDependencies } from './login.ts';
import { endTokensAtLogout, type LogoutPages, logoutFeature } from './logout.ts';
import { nameSessions } from './logout-token.ts';
import type { LookAhead } from './look-ahead.ts';
import { type AnswerPage, postAnswers } from './posted-answer.ts';
import { requestRules, requiresChallenge, supportedScopes } from './request-rules.ts';
import { rotatesRefreshToken, tokenLifetimes } from './token-lifetimes.ts';

/** What the engine shows to people by itself; the pages that lead to a callback are at /interaction/:uid. */
export type EnginePages = LogoutPages & { error: ErrorPage; answer: AnswerPage };

export type ProviderDependencies = {
  config: Pick<Config, 'baseUrl' | 'isSecure'>;
  lookAhead: Pick<LookAhead, 'accounts' | 'consents'>;
  logins: LoginDependencies;
  keys: Pick<Keys, 'cookies' | 'pairwise'>;
  /** From signing-keys.ts: the first key signs. */
  jwks: JWKS;
  adapter: AdapterFactory;
  pages: EnginePages;
  clock: Clock;
  log: Log;
};

/** The rules of protocol-rules.ts are not part of it: the roof lists them among its middlewares. */
export function createProvider(deps: ProviderDependencies): Provider {
  const { config, log } = deps;
  const provider = new Provider(config.baseUrl, configuration(deps));
  // Only the scheme is read from the proxy headers, and those are pinned before anything reads them.
  provider.proxy = config.isSecure;
  compareSecretHashes(provider);
  endTokensAtLogout(provider);
  nameSessions(provider);
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
  adapter,
  pages,
  clock,
}: ProviderDependencies): Configuration {
  return {
    adapter,
    jwks,
    cookies: engineCookies({ isSecure: config.isSecure, keys }),
    routes: {
      authorization: '/oauth/authorize',
      token: '/oauth/token',
      userinfo: '/oauth/userinfo',
      jwks: '/oauth/jwks',
      end_session: '/oauth/logout',
      revocation: '/oauth/revoke',
    },
    features: features(pages),

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
    clientAuthMethods: ['client_secret_post', 'client_secret_basic', 'none'],
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
    enabledJWA: { idTokenSigningAlgValues: ['RS256'] },
    ttl: tokenLifetimes(clock),
    rotateRefreshToken: rotatesRefreshToken,
    issueRefreshToken: (_ctx, client, code) =>
      client.grantTypeAllowed('refresh_token') && code.scopes.has('offline_access'),
    // A closed browser must not end what a backend was given for later; logout does (logout.ts).
    expiresWithSession: () => false,
  };
}

/** On unless switched off: development pages, pushed requests, DPoP, resource indicators. */
function features(pages: EnginePages): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    resourceIndicators: { enabled: false },
    userinfo: { enabled: true },
    claimsParameter: { enabled: true },
    revocation: {
      enabled: true,
      // RFC 7009 §2.1: a client ends its own tokens; about others it learns nothing.
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: logoutFeature(pages),
  };
}
