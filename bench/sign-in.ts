// A complete sign-in of somebody who has a session (single sign-on): the authorization request that comes back with a
// code at once, and the exchange of that code by the application's backend. The same for every server under test.
import { createHash } from 'node:crypto';
import { type HttpConnection, headerOf } from './http-connection.ts';

export type Application = { clientId: string; clientSecret: string; redirectUri: string };
export type Person = {
  /** The value of the Cookie header of a signed-in browser. */
  cookie: string;
  /** What a proxy would say is its network address; absent: no proxy. */
  ipAddress?: string;
};
export type Target = { port: number; applications: Application[]; people: Person[] };

export type SignIn = {
  /** Milliseconds of the exchange alone. */
  exchangeMilliseconds: number;
};

// The content of these is the server's problem only as far as its length goes.
export const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const STATE = 's'.repeat(32);
const NONCE = 'n'.repeat(32);

/** @throws Error when the answer is anything but tokens. */
export async function signIn(
  connection: HttpConnection,
  application: Application,
  person: Person,
): Promise<SignIn> {
  const callback = await connection.ask(authorizationRequest(application, person));
  const code = /[?&]code=([^&]+)/.exec(headerOf(callback.head, 'location') ?? '')?.[1];
  if (!code) throw new Error(`no code: ${callback.head}`);
  const startedAt = performance.now();
  const answer = await connection.ask(tokenRequest(application, code));
  if (answer.status !== 200) throw new Error(`no tokens: ${answer.head} ${answer.body}`);
  return { exchangeMilliseconds: performance.now() - startedAt };
}

/** What an application asks with, as a library sends it. */
export function authorizationParameters({
  clientId,
  redirectUri,
}: Pick<Application, 'clientId' | 'redirectUri'>): Record<string, string> {
  return {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    state: STATE,
    nonce: NONCE,
  };
}

/** Without a cookie: the request of a stranger. */
export function authorizationRequest(
  application: Pick<Application, 'clientId' | 'redirectUri'>,
  { cookie, ipAddress }: Partial<Person>,
): string {
  const query = new URLSearchParams(authorizationParameters(application));
  const head = [
    `GET /oauth/authorize?${query} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(cookie ? [`Cookie: ${cookie}`] : []),
    ...(ipAddress ? [`X-Forwarded-For: ${ipAddress}`] : []),
  ];
  return `${head.join('\r\n')}\r\n\r\n`;
}

function tokenRequest({ clientId, clientSecret, redirectUri }: Application, code: string): string {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uri: redirectUri,
    code_verifier: VERIFIER,
  });
  const form = `${body}&code=${code}`;
  const head = [
    'POST /oauth/token HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${form.length}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${form}`;
}
