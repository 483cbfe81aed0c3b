// A browser without a screen, and an application's backend (client.ts) against the engine alone: every request as plain HTTP,
// so that a test can change any part of it.
import * as backend from './client.ts';
import type { Protocol, ProtocolApplication } from './protocol.ts';

/** Spoken of wherever a test sends something of its own. */
export type Parameters = backend.Parameters;
export type Answer = backend.Answer;
export type AuthorizationRequest = { path: string; verifier: string; state: string; nonce: string };

export function authorizationRequest(
  application: ProtocolApplication,
  changed: Parameters = {},
): AuthorizationRequest {
  const { url, ...secrets } = backend.startAttempt({ url: 'http://anywhere.test' }, application, changed);
  const { pathname, search } = new URL(url);
  return { path: pathname + search, ...secrets };
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

const serviceOf = ({ origin }: Pick<Protocol, 'origin'>): backend.Service => ({ url: origin });

export function post(
  protocol: Pick<Protocol, 'origin'>,
  path: string,
  parameters: Parameters,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return backend.postForm(serviceOf(protocol), path, parameters, headers);
}

export function exchange(
  protocol: Protocol,
  application: ProtocolApplication,
  given: { code: string; verifier: string },
  changed: Parameters = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return backend.exchange(serviceOf(protocol), application, { ...given, changed, headers });
}

export function refresh(
  protocol: Protocol,
  application: ProtocolApplication,
  token: unknown,
  changed: Parameters = {},
): Promise<Answer> {
  return backend.refresh(serviceOf(protocol), application, token, changed);
}

export function userinfo(
  protocol: Protocol,
  token: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return backend.userinfo(serviceOf(protocol), token, headers);
}
