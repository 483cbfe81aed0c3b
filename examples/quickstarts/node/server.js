// Node.js 20 or later, saved as server.mjs: npm install express openid-client ./tollgate-webhooks.tgz
// The latter is not on npm yet: curl -O https://id.example.com/docs/files/tollgate-webhooks.tgz
import { randomBytes } from 'node:crypto';
import { verifyWebhook, WebhookVerificationError } from '@tollgate/webhooks';
import express from 'express';
import * as client from 'openid-client';

const issuer = new URL(process.env.TOLLGATE_ISSUER);
const callback = process.env.TOLLGATE_CALLBACK;
const home = new URL('/', callback).href;
const config = await client.discovery(
  issuer,
  process.env.TOLLGATE_CLIENT_ID,
  process.env.TOLLGATE_CLIENT_SECRET,
  undefined,
  // Plain http is for a service on your own machine only.
  issuer.protocol === 'http:' ? { execute: [client.allowInsecureRequests] } : undefined,
);

const app = express();
// It hears plain http behind whatever ends TLS for you: a proxy, or `npx tollgate local-https 4443 --to 3001`.
app.listen(process.env.PORT ?? 3001, () => console.log(`Ready for ${home}`));

app.get('/', (request, response) => {
  const { customer } = sessionOf(request);
  if (!customer) return response.send(page('Shop', '<p><a href="/sign-in">Sign in</a></p>'));
  response.send(
    page('Shop', `<p>Signed in as ${escapeHtml(customer.email)}</p><p><a href="/account">Account</a></p>`),
  );
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
    // offline_access: a refresh token, for as long as the person stays signed in.
    scope: 'openid email profile offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(attempt.pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: attempt.expectedState,
    nonce: attempt.expectedNonce,
  });
  response.redirect(url.href);
});

app.get(new URL(callback).pathname, async (request, response) => {
  const { id, attempt } = sessionOf(request);
  if (!attempt) return response.status(400).send(page('This sign-in is over', startAgain));
  sessions.delete(id);
  const answer = new URL(request.originalUrl, callback);
  const tokens = await client.authorizationCodeGrant(config, answer, { ...attempt, idTokenExpected: true });
  // Know your customer by `sub`: the e-mail address may change.
  const { sub, email, name } = tokens.claims();
  // A new session: what was known before the sign-in must not open what comes after it.
  openSession(response, { customer: { sub, email, name }, ...kept(tokens) });
  response.redirect('/');
});

/** A page for customers only. What it shows is read with the access token, renewed when it is about to end. */
app.get('/account', async (request, response) => {
  const session = sessions.get(sessionOf(request).id);
  if (!session?.customer) return response.redirect('/sign-in');
  if (Date.now() > session.expiresAt - 30_000) await renew(session);
  const profile = await client.fetchUserInfo(config, session.accessToken, session.customer.sub);
  const facts = `<pre>${escapeHtml(JSON.stringify(profile, null, 2))}</pre>`;
  response.send(
    page('Account', `${facts}${button('/renew', 'Renew the access token')}${button('/log-out', 'Log out')}`),
  );
});

app.post('/renew', async (request, response) => {
  const session = sessions.get(sessionOf(request).id);
  if (session?.customer) await renew(session);
  response.redirect('/account');
});

app.post('/log-out', (request, response) => {
  const { id, idToken } = sessionOf(request);
  sessions.delete(id);
  response.clearCookie('__Host-session', cookie);
  if (!idToken) return response.redirect('/');
  // Ends the session at Tollgate too: otherwise the next "Sign in" walks straight back in.
  const url = client.buildEndSessionUrl(config, { id_token_hint: idToken, post_logout_redirect_uri: home });
  response.redirect(url.href);
});

/** The raw body is what was signed; answer 2xx only after the event is stored, and take each id once. */
app.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
  try {
    const event = await verifyWebhook(request, process.env.TOLLGATE_WEBHOOK_SECRET);
    if (!events.has(event.id)) events.set(event.id, event);
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.code);
  }
});

// Express finds a handler for errors by its four parameters.
app.use((error, _request, response, _next) => {
  const { status, title } = explanations[error.error] ?? { status: 502, title: 'Signing in failed' };
  // For you, not for the person: what Tollgate said, and the reference that Usage → Find a sign-in takes.
  const trace = error.response?.headers?.get('x-tollgate-trace') ?? '';
  console.error(error.error ?? error, error.error_description ?? '', trace);
  response.status(status).send(page(title, startAgain));
});

const explanations = {
  access_denied: { status: 403, title: 'You said no, and nothing was shared' },
  invalid_grant: { status: 400, title: 'That took too long, or was opened twice' },
  temporarily_unavailable: { status: 503, title: 'Signing in is paused, please come back later' },
};
const startAgain = '<p><a href="/sign-in">Start again</a></p>';

// In memory here: keep both where your other processes see them, and let sessions end.
const sessions = new Map();
const events = new Map();
const cookie = { httpOnly: true, secure: true, sameSite: 'lax', path: '/' };

function openSession(response, content) {
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, content);
  response.cookie('__Host-session', id, cookie);
}

function sessionOf(request) {
  const id = /__Host-session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  return { id, ...sessions.get(id) };
}

function kept(tokens) {
  const expiresAt = Date.now() + (tokens.expiresIn() ?? 0) * 1000;
  const { id_token, access_token, refresh_token } = tokens;
  return { idToken: id_token, accessToken: access_token, refreshToken: refresh_token, expiresAt };
}

/** A refresh token works once: whoever comes meanwhile waits for the same answer. */
async function renew(session) {
  session.renewal ??= client
    .refreshTokenGrant(config, session.refreshToken)
    .finally(() => delete session.renewal);
  const { idToken, ...fresh } = kept(await session.renewal);
  Object.assign(session, fresh, idToken && { idToken });
}

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
const button = (action, label) => `<form method="post" action="${action}"><button>${label}</button></form>`;
const page = (title, content) => `<!doctype html><title>${title}</title><h1>${title}</h1>${content}`;
