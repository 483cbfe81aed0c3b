// Node.js 20 or later: npm install express openid-client
import { randomBytes } from 'node:crypto';
import express from 'express';
import * as client from 'openid-client';

const issuer = new URL(process.env.TOLLGATE_ISSUER);
const callback = process.env.TOLLGATE_CALLBACK;
const config = await client.discovery(
  issuer,
  process.env.TOLLGATE_CLIENT_ID,
  process.env.TOLLGATE_CLIENT_SECRET,
  undefined,
  // Plain http is for a service on your own machine only.
  issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : undefined,
);

// In memory here: keep sessions where your other processes see them, and let them end.
const sessions = new Map();

function openSession(response, content) {
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, content);
  response.cookie('__Host-session', id, { httpOnly: true, secure: true, sameSite: 'lax' });
}

function sessionOf(request) {
  const id = /__Host-session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  return { id, ...sessions.get(id) };
}

const app = express();

app.get('/', (request, response) => {
  const { customer } = sessionOf(request);
  response.type('text').send(customer ? `Signed in as ${customer.email}` : 'Go to /sign-in');
});

app.get('/sign-in', async (_request, response) => {
  // New for each attempt, and kept on the server.
  const attempt = {
    pkceCodeVerifier: client.randomPKCECodeVerifier(),
    expectedState: client.randomState(),
    expectedNonce: client.randomNonce(),
  };
  openSession(response, { attempt });
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(attempt.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: attempt.expectedState,
    nonce: attempt.expectedNonce,
  });
  response.redirect(url.href);
});

app.get(new URL(callback).pathname, async (request, response) => {
  const { id, attempt } = sessionOf(request);
  if (!attempt) return response.redirect('/sign-in');
  sessions.delete(id);
  const answer = new URL(request.originalUrl, callback);
  const tokens = await client.authorizationCodeGrant(config, answer, attempt);
  // Know your customer by `sub`: the e-mail address may change.
  const { sub, email, name } = tokens.claims();
  openSession(response, { customer: { sub, email, name } });
  response.redirect('/');
});

app.listen(process.env.PORT ?? 3001);
