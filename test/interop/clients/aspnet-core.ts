// ASP.NET Core (Microsoft.AspNetCore.Authentication.OpenIdConnect) as messages alone: no .NET runs here. What its source
// writes is sent, parameter by parameter and in its order, and what it does with an answer is done with it.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import express from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { createBrowser } from '../../harness/browserless-browser.ts';
import { signInAs } from '../../harness/browserless-person.ts';
import { freePort } from '../../harness/free-port.ts';
import { certificate, serve } from '../../harness/web-application.ts';
import type { Driver, Run } from './drivers.ts';

type Release = { versions: string; telemetry: Record<string, string>; pushes: boolean };
type Discovery = Record<
  'authorization_endpoint' | 'pushed_authorization_request_endpoint' | 'token_endpoint' | 'jwks_uri',
  string
>;

const releases: Release[] = [
  // PushedAuthorizationBehavior.UseIfAvailable is the default, and discovery says that it is available.
  {
    versions: '9 and 10',
    telemetry: { 'x-client-SKU': 'ID_NET10_0', 'x-client-ver': '8.15.0.0' },
    pushes: true,
  },
  { versions: '8', telemetry: { 'x-client-SKU': 'ID_NET8_0', 'x-client-ver': '7.1.2.0' }, pushes: false },
];

export const aspNetCore: Driver[] = releases.map((release) => ({
  name: `ASP.NET Core ${release.versions} (C#)`,
  version: '*replayed*',
  lines: '`options.ResponseType = "code"`, [as below](#aspnet-core)',
  signIn: (run) => signIn(release, run),
}));

async function signIn(release: Release, run: Run): Promise<string> {
  const port = await freePort();
  const callback = `https://localhost:${port}/signin-oidc`;
  const { clientId, clientSecret = '' } = await run.register(callback);
  const discovery = await readJson<Discovery>(fetch(`${run.issuer}/.well-known/openid-configuration`));
  const { parameters, verifier } = challenge({ clientId, callback, hasLines: run.hasLines });
  const pushed = release.pushes
    ? {
        client_id: clientId,
        request_uri: await push(discovery, { ...parameters, client_secret: clientSecret }),
      }
    : parameters;
  const authorizationUrl = `${discovery.authorization_endpoint}?${escaped({ ...pushed, ...release.telemetry })}`;

  const posted = Promise.withResolvers<Record<string, string>>();
  const app = express();
  app.post('/signin-oidc', express.urlencoded({ extended: false }), (request, response) => {
    posted.resolve(request.body);
    response.redirect('/account');
  });
  const { close } = await serve(app, port);
  try {
    await signInAs({
      authorizationUrl,
      email: run.email,
      browser: createBrowser({ ca: certificate.ca }),
      inbox: `${run.issuer}/dev/inbox.json`,
    });
    const answer = await posted.promise;
    if (answer.error) throw new Error(`${answer.error}: ${answer.error_description}`);
    if (answer.state !== parameters.state) throw new Error('Correlation failed.');
    const exchange = {
      client_id: clientId,
      client_secret: clientSecret,
      code: answer.code ?? '',
      grant_type: 'authorization_code',
      redirect_uri: callback,
      code_verifier: verifier,
    };
    const tokens = await readJson<{ id_token: string }>(
      fetch(discovery.token_endpoint, { method: 'POST', body: new URLSearchParams(exchange) }),
    );
    const keys = createRemoteJWKSet(new URL(discovery.jwks_uri));
    const expected = { issuer: run.issuer, audience: clientId };
    const { payload } = await jwtVerify(tokens.id_token, keys, expected);
    if (payload.nonce !== parameters.nonce) throw new Error('the nonce is another one');
    return String(payload.email);
  } finally {
    await close();
  }
}

/** HandleChallengeAsync; without its lines the response type is `id_token`, and then there is no PKCE. */
function challenge({
  clientId,
  callback,
  hasLines,
}: {
  clientId: string;
  callback: string;
  hasLines: boolean;
}) {
  const verifier = randomBytes(32).toString('base64url');
  const ticks = 621_355_968_000_000_000n + BigInt(Date.now()) * 10_000n;
  const parameters: Record<string, string> = {
    client_id: clientId,
    redirect_uri: callback,
    response_type: hasLines ? 'code' : 'id_token',
    scope: 'openid profile email',
    ...(hasLines && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
    response_mode: 'form_post',
    nonce: `${ticks}.${Buffer.from(randomUUID() + randomUUID()).toString('base64')}`,
    // Everything that it wants to know later is in it, encrypted.
    state: `CfDJ8${randomBytes(330).toString('base64url')}`,
  };
  return { parameters, verifier };
}

async function push(discovery: Discovery, parameters: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(parameters);
  const answer = fetch(discovery.pushed_authorization_request_endpoint, { method: 'POST', body });
  return (await readJson<{ request_uri: string }>(answer)).request_uri;
}

/** @throws what it said instead. */
async function readJson<T>(asked: Promise<Response>): Promise<T> {
  const body = await (await asked).json();
  if (body.error) throw new Error(`${body.error}: ${body.error_description}`);
  return body;
}

/** As Uri.EscapeDataString does it: a space is %20, and no plus. */
const escaped = (parameters: Record<string, string>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
