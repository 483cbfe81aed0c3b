// A browser without a screen, and an application's backend, for the protocol tests: every request as plain HTTP, so
// that a test can change any part of it.
import { createHash, randomBytes } from 'node:crypto';
import type { Protocol, ProtocolApplication } from './protocol.ts';

/** A parameter that is null is left out. */
export type Parameters = Record<string, string | null>;

export type AuthorizationRequest = { path: string; verifier: string; state: string; nonce: string };

export function authorizationRequest(
  application: ProtocolApplication,
  changed: Parameters = {},
): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(24).toString('base64url');
  const nonce = randomBytes(24).toString('base64url');
  const query = form({
    client_id: application.clientId,
    redirect_uri: application.redirectUris[0] ?? '',
    response_type: 'code',
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    nonce,
    ...changed,
  });
  return { path: `/oauth/authorize?${query}`, verifier, state, nonce };
}

export function form(parameters: Parameters): URLSearchParams {
  const present = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null);
  return new URLSearchParams(present);
}

/** One cookie jar. Follows redirects on the service's own origin, and stops where they lead elsewhere. */
export class Browser {
  readonly cookies = new Map<string, { value: string; path: string }>();
  readonly #origin: string;

  constructor(protocol: Pick<Protocol, 'origin'>) {
    this.#origin = protocol.origin;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const url = new URL(path, this.#origin);
    const headers = new Headers(init.headers);
    headers.set('accept', 'text/html');
    headers.set('cookie', this.#cookiesFor(url.pathname));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    return response;
  }

  async follow(path: string, init: RequestInit = {}): Promise<Response> {
    let response = await this.request(path, init);
    for (let hops = 0; hops < 20; hops += 1) {
      const location = response.headers.get('location');
      if (location === null || new URL(location, this.#origin).origin !== this.#origin) return response;
      const target = new URL(location, this.#origin);
      response = await this.request(target.pathname + target.search);
    }
    throw new Error('too many redirects');
  }

  #cookiesFor(pathname: string): string {
    const fitting = [...this.cookies].filter(
      ([, { path }]) => pathname === path || pathname.startsWith(path),
    );
    return fitting.map(([name, { value }]) => `${name}=${value}`).join('; ');
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split(/;\s*/);
    const name = pair.slice(0, pair.indexOf('='));
    const path = attributes.find((item) => item.startsWith('path='))?.slice('path='.length) ?? '/';
    if (attributes.some((item) => item.startsWith('expires=Thu, 01 Jan 1970'))) this.cookies.delete(name);
    else this.cookies.set(name, { value: pair.slice(name.length + 1), path });
  }
}

/** The parameters of the callback that a redirect leads to. */
export function callbackOf(response: Response): Record<string, string> {
  const location = response.headers.get('location');
  if (response.status !== 303 || location === null) throw new Error(`no callback, but ${response.status}`);
  return Object.fromEntries(new URL(location).searchParams);
}

export type SignIn = { code: string; verifier: string; nonce: string; browser: Browser };

/** From the request to the code, through the pages when there are any. */
export async function signIn(
  protocol: Protocol,
  application: ProtocolApplication,
  options: { browser?: Browser; changed?: Parameters } = {},
): Promise<SignIn> {
  const browser = options.browser ?? new Browser(protocol);
  const request = authorizationRequest(application, options.changed);
  const { code = '' } = callbackOf(await browser.follow(request.path));
  return { code, verifier: request.verifier, nonce: request.nonce, browser };
}

export type Answer = { status: number; headers: Headers; body: Record<string, unknown>; text: string };

export async function post(
  protocol: Pick<Protocol, 'origin'>,
  path: string,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(
    await fetch(new URL(path, protocol.origin), { method: 'POST', body: form(parameters), headers }),
  );
}

export async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : {}, text };
}

export function exchange(
  protocol: Protocol,
  application: ProtocolApplication,
  given: { code: string; verifier: string },
  changed: Parameters = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const parameters = {
    grant_type: 'authorization_code',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? null,
    code: given.code,
    redirect_uri: application.redirectUris[0] ?? '',
    code_verifier: given.verifier,
    ...changed,
  };
  return post(protocol, '/oauth/token', parameters, headers);
}

export function refresh(
  protocol: Protocol,
  application: ProtocolApplication,
  token: unknown,
  changed: Parameters = {},
): Promise<Answer> {
  return post(protocol, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? null,
    refresh_token: String(token),
    ...changed,
  });
}

export async function userinfo(
  protocol: Protocol,
  token: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return answerOf(
    await fetch(new URL('/oauth/userinfo', protocol.origin), {
      headers: { authorization: `Bearer ${token}`, ...headers },
    }),
  );
}
