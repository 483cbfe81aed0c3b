// The application's backend, as plain requests: what a sign-in needs, with every part replaceable by
// what an attacker would send. Client libraries have tests of their own.
import { createHash, randomBytes } from 'node:crypto';

export type Service = { url: string };
export type Client = { clientId: string; clientSecret: string | undefined; redirectUris: string[] };

export type Attempt = { url: string; verifier: string; state: string; nonce: string };

/** A parameter that is null is left out. */
export type Parameters = Record<string, string | null>;

export function startAttempt(service: Service, application: Client, changed: Parameters = {}): Attempt {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const nonce = randomBytes(24).toString('base64url');
  const url = new URL('/oauth/authorize', service.url);
  const parameters: Parameters = {
    client_id: application.clientId,
    redirect_uri: application.redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...changed,
  };
  url.search = form(parameters).toString();
  return { url: url.href, verifier, state, nonce };
}

/** `body` is empty where the answer is no JSON; `text` is the same as it came. */
export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

/** POST {base_url}/oauth/token with the usual form. */
export async function exchange(
  service: Service,
  application: Client,
  given: { code: string; verifier: string } & { changed?: Parameters; headers?: Record<string, string> },
): Promise<Answer> {
  return postForm(
    service,
    '/oauth/token',
    {
      grant_type: 'authorization_code',
      client_id: application.clientId,
      client_secret: application.clientSecret ?? null,
      code: given.code,
      redirect_uri: application.redirectUris[0] ?? '',
      code_verifier: given.verifier,
      ...given.changed,
    },
    given.headers,
  );
}

export async function refresh(
  service: Service,
  application: Client,
  token: unknown,
  changed: Parameters = {},
): Promise<Answer> {
  return postForm(service, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? null,
    refresh_token: String(token),
    ...changed,
  });
}

export async function userinfo(
  service: Service,
  accessToken: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(new URL('/oauth/userinfo', service.url), {
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  });
  return answerOf(response);
}

export async function postForm(
  service: Service,
  path: string,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(
    await fetch(new URL(path, service.url), { method: 'POST', body: form(parameters), headers }),
  );
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

export function form(parameters: Parameters): URLSearchParams {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(present);
}

/** The code and state of a callback, or the error. */
export function readCallback(callback: string): Record<string, string> {
  return Object.fromEntries(new URL(callback).searchParams);
}
