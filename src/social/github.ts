// Sign in with GitHub: plain OAuth 2.0 with PKCE. There is no ID Token: who it is and which address is theirs is asked
// of the API. GitHub answers a refused exchange with status 200 and an `error`, which the library takes for one.
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretPost,
  Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  fetchProtectedResource,
} from 'openid-client';
import { z } from 'zod';
import { fetchFromProvider } from './fetch.ts';
import { callbackOf, type SocialPerson, type SocialProvider } from './provider.ts';

export type GitHubOptions = {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  /** https://github.com, or a GitHub Enterprise Server. */
  url: string;
  /** https://api.github.com, or the server's own. */
  apiUrl: string;
};

/** The login may be renamed and taken by somebody else; the number may not. */
const userAnswer = z.object({ id: z.int().positive(), login: z.string(), name: z.string().nullish() });
const emailsAnswer = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

export function createGitHub(options: GitHubOptions): SocialProvider {
  const redirectUri = callbackOf(options.baseUrl, 'github');
  const configuration = configure(options);
  const read = (path: string, accessToken: string) =>
    readApi(configuration, options.apiUrl + path, accessToken);
  return {
    id: 'github',
    name: 'GitHub',
    // There is only `prompt=select_account`.
    asksThePerson: false,
    async authorizationUrl({ state, codeVerifier }) {
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'read:user user:email',
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async identify(answer, { state, codeVerifier }): Promise<SocialPerson> {
      const { access_token: accessToken } = await authorizationCodeGrant(
        configuration,
        new URL(`${redirectUri}?${answer}`),
        { expectedState: state, pkceCodeVerifier: codeVerifier },
      );
      const [user, emails] = await Promise.all([
        read('/user', accessToken).then((body) => userAnswer.parse(body)),
        read('/user/emails', accessToken).then((body) => emailsAnswer.parse(body)),
      ]);
      const primary = emails.find((each) => each.primary && each.verified);
      return {
        subject: String(user.id),
        email: primary?.email,
        emailVerified: primary !== undefined,
        name: user.name || user.login,
      };
    },
    async probe() {
      const response = await fetchFromProvider(`${options.apiUrl}/meta`, {
        method: 'GET',
        headers: apiHeaders(),
        body: undefined,
        redirect: 'manual',
      });
      if (!response.ok) throw new TypeError('the provider does not answer');
    },
  };
}

function configure({ clientId, clientSecret, url }: GitHubOptions): Configuration {
  const configuration = new Configuration(
    {
      issuer: url,
      authorization_endpoint: `${url}/login/oauth/authorize`,
      token_endpoint: `${url}/login/oauth/access_token`,
    },
    clientId,
    {},
    ClientSecretPost(clientSecret),
  );
  configuration[customFetch] = fetchFromProvider;
  // Only ever on loopback: src/config/social.ts refuses it elsewhere.
  if (url.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
}

async function readApi(configuration: Configuration, url: string, accessToken: string): Promise<unknown> {
  const response = await fetchProtectedResource(
    configuration,
    accessToken,
    new URL(url),
    'GET',
    undefined,
    new Headers(apiHeaders()),
  );
  if (!response.ok) throw new TypeError(`GitHub answered ${response.status}`);
  return response.json();
}

/** GitHub refuses requests without a name of the caller. */
function apiHeaders(): Record<string, string> {
  return {
    accept: 'application/vnd.github+json',
    'user-agent': 'Tollgate',
    'x-github-api-version': '2022-11-28',
  };
}
