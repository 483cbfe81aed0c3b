// What Google and Apple have in common: OpenID Connect with discovery, the authorization code flow with PKCE, and an ID
// Token whose signature is verified although it came straight from the token endpoint (threats 47 to 49).
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
} from 'openid-client';
import { socialClockSkewSeconds, socialMetadataSeconds } from '../limits/social.ts';
import { fetchFromProvider } from './fetch.ts';
import { type AuthorizationSecrets, callbackOf } from './provider.ts';

export type OpenIdOptions = {
  id: string;
  issuer: string;
  baseUrl: string;
  clientId: string;
  clientAuth: ClientAuth;
  scope: string;
  /** Beside the usual ones. */
  parameters?: Record<string, string>;
};

export type OpenIdSignIn = {
  authorizationUrl(authorization: AuthorizationSecrets): Promise<string>;
  /** The claims of a verified ID Token. */
  claims(answer: URLSearchParams, authorization: AuthorizationSecrets): Promise<IDToken>;
  probe(): Promise<void>;
};

export function createOpenIdSignIn(options: OpenIdOptions): OpenIdSignIn {
  const { id, baseUrl, scope, parameters = {} } = options;
  const redirectUri = callbackOf(baseUrl, id);
  const configuration = cachedConfiguration(options);
  return {
    async authorizationUrl({ state, nonce, codeVerifier }) {
      const url = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...parameters,
      });
      return url.href;
    },
    async claims(answer, { state, nonce, codeVerifier }) {
      const tokens = await authorizationCodeGrant(
        await configuration(),
        new URL(`${redirectUri}?${answer}`),
        { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier, idTokenExpected: true },
      );
      const claims = tokens.claims();
      if (!claims) throw new TypeError('the provider sent no ID Token');
      requirePresent(claims.iat);
      return claims;
    },
    async probe() {
      const { jwks_uri: keys } = (await configuration()).serverMetadata();
      const response = await fetchFromProvider(keys ?? '', {
        method: 'GET',
        headers: {},
        body: undefined,
        redirect: 'manual',
      });
      const body: unknown = await response.json();
      const hasKeys = typeof body === 'object' && body !== null && 'keys' in body && Array.isArray(body.keys);
      if (!response.ok || !hasKeys) throw new TypeError('the provider has no keys');
    },
  };
}

/** Metadata is read once a day; keys are kept and read anew by the library, at most once a minute. */
function cachedConfiguration(options: OpenIdOptions): () => Promise<Configuration> {
  let cached: { configuration: Configuration; until: number } | undefined;
  return async () => {
    if (cached && cached.until > performance.now()) return cached.configuration;
    const { issuer, clientId, clientAuth } = options;
    // `http:` only ever on loopback: src/config/social.ts refuses it elsewhere.
    const execute = [
      enableNonRepudiationChecks,
      ...(issuer.startsWith('http:') ? [allowInsecureRequests] : []),
    ];
    const configuration = await discovery(new URL(issuer), clientId, {}, clientAuth, {
      [customFetch]: fetchFromProvider,
      execute,
    });
    cached = { configuration, until: performance.now() + socialMetadataSeconds * 1000 };
    return configuration;
  };
}

/** The library verifies issuer, audience, expiry and nonce; a token from tomorrow it would take. */
function requirePresent(issuedAt: number): void {
  if (issuedAt > Date.now() / 1000 + socialClockSkewSeconds)
    throw new TypeError('the ID Token was issued in the future');
}
