// Client libraries as a newcomer sets them up (issuer, Client ID, secret, callback, scopes), and with the lines that
// docs/clients.md gives them. Each drives one whole sign-in and says whose address it read.
import { createRequire } from 'node:module';
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { auth } from 'express-openid-connect';
import { InMemoryWebStorage, OidcClient, WebStorageStateStore } from 'oidc-client-ts';
import * as openidClient from 'openid-client';
import type { Browser, Page } from '../../harness/browserless-browser.ts';
import { signInAs } from '../../harness/browserless-person.ts';
import { readCallback } from '../../harness/client.ts';
import { freePort } from '../../harness/free-port.ts';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import { applicationBrowser, serve } from '../../harness/web-application.ts';

export type Run = {
  issuer: string;
  /** Registers the application with this callback, under the client rules that the run is about. */
  register(callback: string, kind?: 'public'): Promise<RegisteredApplication>;
  email: string;
  /** With the lines of docs/clients.md. */
  hasLines: boolean;
};

export type Driver = {
  name: string;
  version: string;
  /** Which version it is, the machine's packages decide. */
  isOfTheSystem?: boolean;
  /** What docs/clients.md adds to a newcomer's configuration. */
  lines: string;
  /** It can send no nonce: its lines are for compatible client rules. */
  isCompatibleOnly?: boolean;
  /** @returns the address that the library read; throws what the service said. */
  signIn(run: Run): Promise<string>;
};

const require = createRequire(import.meta.url);
const versionOf = (name: string): string => require(`${name}/package.json`).version;

/** From the service's address back to the callback; an error there is thrown as it was told. */
export async function toCallback(authorizationUrl: string, email: string): Promise<string> {
  // Where a library asks for it, the answer is a form: of these, only refusals are met here.
  const onPage = ({ forms }: Page) => {
    const said = Object.fromEntries(
      forms.flatMap(({ fields }) => fields).map(({ name, value }) => [name, value]),
    );
    if (said.error) throw new Error(`${said.error}: ${said.error_description}`);
  };
  const callback = await signInAs({ authorizationUrl, email, onPage });
  const { error, error_description: told } = readCallback(callback);
  if (error) throw new Error(`${error}: ${told}`);
  return callback;
}

/** Back to the application, and on to the page there that tells the address as JSON. */
export async function throughWebsite(
  browser: Browser,
  start: string,
  { email }: Run,
  read: string,
): Promise<string> {
  await browser.open(await toCallback(start, email));
  const arrival = await browser.open(read);
  const body = 'page' in arrival ? JSON.parse(arrival.page.html) : {};
  return String(body?.user?.email ?? body?.email);
}

const withOpenidClient: Driver = {
  name: 'openid-client (Node)',
  version: versionOf('openid-client'),
  lines: 'pass `code_challenge`, `state` and `nonce`, [as below](#openid-client-6)',
  async signIn({ issuer, register, email, hasLines }) {
    const callback = 'https://app.example.test/callback';
    const { clientId, clientSecret } = await register(callback);
    const insecure = { execute: [openidClient.allowInsecureRequests] };
    const config = await openidClient.discovery(new URL(issuer), clientId, clientSecret, undefined, insecure);
    const pkceCodeVerifier = openidClient.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openidClient.randomState(), openidClient.randomNonce()];
    const url = openidClient.buildAuthorizationUrl(config, {
      redirect_uri: callback,
      scope: 'openid email profile',
      ...(hasLines && {
        code_challenge: await openidClient.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      }),
    });
    const back = new URL(await toCallback(url.href, email));
    const checks = hasLines ? { pkceCodeVerifier, expectedState, expectedNonce } : {};
    const tokens = await openidClient.authorizationCodeGrant(config, back, checks);
    return String(tokens.claims()?.email);
  },
};

const withOidcClientTs: Driver = {
  name: 'oidc-client-ts (single-page app)',
  version: versionOf('oidc-client-ts'),
  lines: '`signinRedirect({ nonce: crypto.randomUUID() })`',
  async signIn({ issuer, register, email, hasLines }) {
    const callback = 'https://app.example.test/callback.html';
    const { clientId } = await register(callback, 'public');
    const stateStore = new WebStorageStateStore({ store: new InMemoryWebStorage() });
    const options = { authority: issuer, client_id: clientId, redirect_uri: callback, stateStore };
    const client = new OidcClient({ ...options, scope: 'openid email profile' });
    const request = await client.createSigninRequest(hasLines ? { nonce: crypto.randomUUID() } : {});
    const { profile } = await client.processSigninResponse(await toCallback(request.url, email));
    return String(profile.email);
  },
};

const withAuthJs: Driver = {
  name: 'Auth.js (@auth/express)',
  version: versionOf('@auth/express'),
  lines: "`checks: ['pkce', 'state', 'nonce']`",
  async signIn(run) {
    const port = await freePort();
    const registered = await run.register(`https://localhost:${port}/auth/callback/tollgate`);
    const { clientId, clientSecret = '' } = registered;
    const known = {
      id: 'tollgate',
      name: 'Tollgate',
      type: 'oidc',
      issuer: run.issuer,
      clientId,
      clientSecret,
    };
    const checks = run.hasLines ? { checks: ['pkce' as const, 'state' as const, 'nonce' as const] } : {};
    const config = {
      secret: 'a secret of the application, at least 32 characters',
      trustHost: true,
      providers: [{ ...known, type: 'oidc' as const, ...checks }],
    };
    const app = express();
    app.use('/auth', ExpressAuth(config));
    app.get('/', async (request, response) => void response.json(await getSession(request, config)));
    const { url, close } = await serve(app, port);
    try {
      const browser = applicationBrowser();
      const shown = await browser.open(`${url}/auth/signin`);
      const form = 'page' in shown && shown.page.forms.find(({ action }) => action.endsWith('/tollgate'));
      if (!('page' in shown) || !form) throw new Error('Auth.js offers the provider');
      const start = await browser.submit(shown.page, form);
      if (!('leftTo' in start)) throw new Error('Auth.js starts a sign-in');
      return await throughWebsite(browser, start.leftTo, run, `${url}/`);
    } finally {
      await close();
    }
  },
};

const withExpress: Driver = {
  name: 'express-openid-connect',
  version: versionOf('express-openid-connect'),
  lines: "`authorizationParams: { response_type: 'code' }` and `clientSecret`",
  async signIn(run) {
    const port = await freePort();
    const baseURL = `https://localhost:${port}`;
    const { clientId: clientID, clientSecret = '' } = await run.register(`${baseURL}/callback`);
    const app = express();
    const secret = 'a secret of the application, at least 32 characters';
    const known = { issuerBaseURL: run.issuer, baseURL, clientID, secret, authRequired: false };
    const lines = { clientSecret, authorizationParams: { response_type: 'code' as const } };
    app.use(auth({ ...known, ...(run.hasLines && lines) }));
    app.get('/', (request, response) => void response.json(request.oidc.user ?? null));
    const { url, close } = await serve(app, port);
    try {
      const browser = applicationBrowser();
      const start = await browser.open(`${url}/login`);
      if (!('leftTo' in start)) throw new Error('it does not start a sign-in');
      return await throughWebsite(browser, start.leftTo, run, `${url}/`);
    } finally {
      await close();
    }
  },
};

export const nodeDrivers = [withOpenidClient, withOidcClientTs, withAuthJs, withExpress];
