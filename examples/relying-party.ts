// A backend whose users sign in with Tollgate: the code flow with openid-client 6 and node:https.
// Tokens and sessions stay on the server. Runs by itself from ISSUER, CLIENT_ID and CLIENT_SECRET.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import * as oidc from 'openid-client';
import { type Certificate, makeCertificate } from './certificate.ts';
import { fetchCharges } from './relying-party-charges.ts';
import { problemPage, signedInPage, signedOutPage } from './relying-party-pages.tsx';
import { createSessions, dropOldest, type Session, type Sessions } from './relying-party-session.ts';

export type RelyingPartyOptions = {
  /** {base_url} */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Default 4001. The callback to register is https://localhost:<port>/callback. */
  port?: number;
  tls?: Pick<Certificate, 'key' | 'cert'>;
  /** With these three the page also shows what each sign-in cost. The key never leaves the server. */
  apiBaseUrl?: string | undefined;
  apiKey?: string | undefined;
  applicationId?: string | undefined;
  /** Whether the webhook of an event has arrived: it carries the same id as the event in the list. */
  hasWebhook?: (eventId: string) => boolean;
};
export type RelyingParty = { url: string; close(): Promise<void> };

type Shop = { url: string; config: oidc.Configuration; sessions: Sessions; options: RelyingPartyOptions };
type Visit = {
  request: IncomingMessage;
  response: ServerResponse;
  location: URL;
  session: Session | undefined;
};

const mostAttempts = 10;

export async function startRelyingParty(options: RelyingPartyOptions): Promise<RelyingParty> {
  const { issuer, clientId, clientSecret, port = 4001, tls = await makeCertificate() } = options;
  // A real issuer is https and needs no option; plain http is for a service on this very machine.
  const execute = new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : [];
  const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, { execute });
  const shop = { url: `https://localhost:${port}`, config, sessions: createSessions(), options };
  const style = await readFile(new URL('./example.css', import.meta.url), 'utf8');
  const formAction = `form-action 'self' ${new URL(issuer).origin}`;
  const policy = `default-src 'none'; style-src 'self'; img-src data:; ${formAction}; frame-ancestors 'none'; base-uri 'none'`;

  const server = createServer(tls, (request, response) => {
    response.setHeader('content-security-policy', policy);
    response.setHeader('cache-control', 'no-store');
    const location = new URL(request.url ?? '/', shop.url);
    if (location.pathname === '/style.css') return send(response, 200, style, 'text/css; charset=utf-8');
    const visit = { request, response, location, session: shop.sessions.find(request) };
    answer(shop, visit).catch((error: unknown) => sendProblem(response, explained(error)));
  });
  await listen(server, port);
  return { url: shop.url, close: () => close(server) };
}

async function answer(shop: Shop, visit: Visit): Promise<void> {
  switch (`${visit.request.method} ${visit.location.pathname}`) {
    case 'GET /':
      return showHome(shop, visit);
    case 'GET /sign-in':
      return startSignIn(shop, visit, {});
    case 'GET /register':
      return startSignIn(shop, visit, { prompt: 'create' });
    case 'GET /callback':
      return finishSignIn(shop, visit);
    case 'POST /log-out':
      return logOut(shop, visit);
    default:
      return sendProblem(visit.response, notFound);
  }
}

async function showHome(shop: Shop, { response, session }: Visit): Promise<void> {
  if (!session?.customer) return send(response, 200, signedOutPage());
  const charges = await fetchCharges({ ...shop.options, sub: session.customer.sub });
  return send(response, 200, signedInPage({ customer: session.customer, charges }));
}

async function startSignIn(shop: Shop, visit: Visit, extra: { prompt?: string }): Promise<void> {
  const { attempts } = visit.session ?? shop.sessions.open(visit.response);
  const codeVerifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const nonce = randomBytes(24).toString('base64url');
  attempts.set(state, { codeVerifier, nonce });
  dropOldest(attempts, mostAttempts);
  const authorizationUrl = oidc.buildAuthorizationUrl(shop.config, {
    redirect_uri: `${shop.url}/callback`,
    scope: 'openid email profile',
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...extra,
  });
  redirect(visit.response, authorizationUrl.href);
}

async function finishSignIn(shop: Shop, { response, location, session }: Visit): Promise<void> {
  const state = location.searchParams.get('state') ?? '';
  const attempt = session?.attempts.get(state);
  if (!attempt) return sendProblem(response, unknownAttempt);
  session?.attempts.delete(state);
  const tokens = await oidc.authorizationCodeGrant(shop.config, location, {
    pkceCodeVerifier: attempt.codeVerifier,
    expectedState: state,
    expectedNonce: attempt.nonce,
    idTokenExpected: true,
  });
  const idTokenClaims = tokens.claims();
  if (!idTokenClaims || !tokens.id_token) throw new Error('the token response had no ID Token');
  const { iss, sub } = idTokenClaims;
  const profile = await oidc.fetchUserInfo(shop.config, tokens.access_token, sub);
  // A new session id: one that was planted before the sign-in must not become a signed-in one.
  shop.sessions.close(session, response);
  const fresh = shop.sessions.open(response);
  // Issuer and sub together are the customer. A shop would look up, or create, its own user record here.
  fresh.customer = { issuer: iss, sub, claims: { iss, ...profile } };
  fresh.idToken = tokens.id_token;
  redirect(response, '/');
}

async function logOut(shop: Shop, { request, response, session }: Visit): Promise<void> {
  if (request.headers.origin !== shop.url) return sendProblem(response, foreignForm);
  shop.sessions.close(session, response);
  // Ending only our own session would let the next click on "Sign in" walk straight back in.
  const endSessionUrl = oidc.buildEndSessionUrl(shop.config, {
    post_logout_redirect_uri: `${shop.url}/`,
    ...(session?.idToken && { id_token_hint: session.idToken }),
  });
  redirect(response, endSessionUrl.href);
}

type Problem = { status: number; title: string; text: string };

const notFound: Problem = { status: 404, title: 'Not here', text: 'The shop has no such page.' };
const foreignForm: Problem = { status: 403, title: 'Not logged out', text: 'That button was not ours.' };
const unknownAttempt: Problem = {
  status: 400,
  title: 'This sign-in is over',
  text: 'It was finished already, or was started in another browser. Start it once more.',
};
/** What the errors mean for the person in front of the screen. */
const problems: Record<string, Problem> = {
  access_denied: {
    status: 403,
    title: 'You are not signed in',
    text: 'You said no, and nothing was shared with the shop.',
  },
  temporarily_unavailable: {
    status: 503,
    title: 'Signing in is paused',
    text: 'It is not your fault: the shop has run out of sign-ins. Please come back a little later.',
  },
  invalid_grant: {
    status: 400,
    title: 'That took too long',
    text: 'The way back to the shop is only open for a minute. Start once more.',
  },
};
const unexpected: Problem = {
  status: 502,
  title: 'Signing in failed',
  text: 'Something went wrong between the shop and Tollgate. Try once more.',
};

function explained(error: unknown): Problem {
  const isKnown = error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  const problem = isKnown ? problems[error.error] : undefined;
  if (problem === undefined) console.error(error);
  return problem ?? unexpected;
}

function sendProblem(response: ServerResponse, { status, ...problem }: Problem): void {
  send(response, status, problemPage(problem));
}

function send(response: ServerResponse, status: number, body: string, type = 'text/html; charset=utf-8') {
  response.writeHead(status, { 'content-type': type }).end(body);
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { location }).end();
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, 'localhost', resolve);
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

if (import.meta.main) {
  const { ISSUER, CLIENT_ID, CLIENT_SECRET, PORT, API_BASE_URL, API_KEY, APPLICATION_ID } = process.env;
  if (!ISSUER || !CLIENT_ID || !CLIENT_SECRET) throw new Error('set ISSUER, CLIENT_ID and CLIENT_SECRET');
  const { url } = await startRelyingParty({
    issuer: ISSUER,
    clientId: CLIENT_ID,
    clientSecret: CLIENT_SECRET,
    ...(PORT && { port: Number(PORT) }),
    apiBaseUrl: API_BASE_URL,
    apiKey: API_KEY,
    applicationId: APPLICATION_ID,
  });
  console.log(`The shop is at ${url}; register ${url}/callback as its callback.`);
}
