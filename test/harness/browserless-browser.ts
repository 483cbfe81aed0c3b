// A browser without an engine, for tests of the hosted pages: cookie jar, redirects, and forms read out of the
// HTML. It sends what Chromium sends on a navigation (Origin, Sec-Fetch-*), so the service's guards stay on.
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';

export type Field = { name: string; value: string; type: string; autocomplete: string; required: boolean };
export type Button = { name: string; value: string; label: string };
export type Form = { action: string; method: string; fields: Field[]; buttons: Button[] };
export type Page = { url: string; status: number; headers: IncomingHttpHeaders; html: string; forms: Form[] };
/** Where a navigation ended: a page of the service, or a redirect that leaves it (never fetched). */
export type Arrival = { page: Page } | { leftTo: string };

type Cookie = { name: string; value: string; host: string; path: string; expiresAt: number };

export type Browser = {
  /** Opens an address and follows redirects while they stay on its origin. */
  open(url: string): Promise<Arrival>;
  /** Submits a form of a page with its own values, `typed` over them, and the pressed button's value. */
  submit(page: Page, form: Form, typed?: Record<string, string>, button?: Button): Promise<Arrival>;
  cookies(): PlantedCookie[];
  /** What it would send to this address. */
  cookiesFor(url: string): string;
  /** A cookie that another host of the domain set, or that somebody copied from another browser. */
  plant(url: string, cookie: PlantedCookie): void;
  /** A redirect to a path that begins so is not followed: the person closed the lid in that moment. */
  stopsBefore?: string | undefined;
};

export type PlantedCookie = { name: string; value: string; path: string };

const mostRedirects = 20;

export type BrowserOptions = {
  /** Sent with every request, for example `accept-language` or a forwarded address. */
  headers?: Record<string, string>;
  /** PEM of an authority to trust beside the public ones. */
  ca?: string;
};

export function createBrowser({ headers = {}, ca }: BrowserOptions = {}): Browser {
  const jar: Cookie[] = [];

  const navigate = async (start: string, origin: string, form?: { body?: string }) => {
    let url = start;
    let body = form?.body;
    for (let hop = 0; hop < mostRedirects; hop += 1) {
      const response = await send({
        url,
        ca,
        body,
        headers: {
          accept: 'text/html,application/xhtml+xml',
          'sec-fetch-site': form === undefined ? 'cross-site' : 'same-origin',
          'sec-fetch-mode': 'navigate',
          'sec-fetch-dest': 'document',
          'upgrade-insecure-requests': '1',
          ...(body === undefined ? {} : { origin, 'content-type': 'application/x-www-form-urlencoded' }),
          ...headers,
          cookie: cookieHeader(jar, url),
        },
      });
      keepCookies(jar, url, response.headers['set-cookie'] ?? []);
      const location = response.headers.location;
      if (response.status < 300 || response.status > 399 || location === undefined) {
        return { page: { ...response, url, forms: readForms(response.html, url) } };
      }
      const next = new URL(location, url).href;
      const isStop = browser.stopsBefore && new URL(next).pathname.startsWith(browser.stopsBefore);
      if (new URL(next).origin !== origin || isStop) return { leftTo: location };
      if (response.status !== 307 && response.status !== 308) body = undefined;
      url = next;
    }
    throw new Error(`more than ${mostRedirects} redirects, the last one to ${url}`);
  };

  const browser: Browser = {
    open: (url) => navigate(url, new URL(url).origin),
    submit(page, form, typed = {}, button) {
      const values = new URLSearchParams(form.fields.map((field) => [field.name, field.value]));
      for (const [name, value] of Object.entries(typed)) values.set(name, value);
      if (button?.name) values.set(button.name, button.value);
      const { origin } = new URL(page.url);
      if (form.method === 'post') {
        return navigate(form.action, origin, { body: values.toString() });
      }
      const target = new URL(form.action);
      target.search = values.toString();
      return navigate(target.href, origin, {});
    },
    cookies: () => jar.map(({ name, value, path }) => ({ name, value, path })),
    cookiesFor: (url) => cookieHeader(jar, url),
    plant(url, { name, value, path }) {
      keepCookies(jar, url, [`${name}=${value}; path=${path}`]);
    },
  };
  return browser;
}

function send({
  url,
  ca,
  headers,
  body,
}: {
  url: string;
  ca: string | undefined;
  headers: Record<string, string>;
  body: string | undefined;
}): Promise<{ status: number; headers: IncomingHttpHeaders; html: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
  // One connection per request: a test that closes its server must not wait for an idle one.
  const options = { method: body === undefined ? 'GET' : 'POST', headers, agent: false };
  const request = url.startsWith('https:')
    ? requestHttps(url, ca === undefined ? options : { ...options, ca })
    : requestHttp(url, options);
  request.on('error', reject);
  request.on('response', (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        html: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  request.end(body);
  return promise;
}

function cookieHeader(jar: Cookie[], url: string): string {
  const { hostname, pathname } = new URL(url);
  return (
    jar
      .filter((cookie) => cookie.host === hostname && cookie.expiresAt > Date.now())
      .filter(({ path }) => pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`))
      // RFC 6265 §5.4: of two with one name, the one of the longer path comes first and counts.
      .toSorted((a, b) => b.path.length - a.path.length)
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
  );
}

function keepCookies(jar: Cookie[], url: string, lines: string[]): void {
  const host = new URL(url).hostname;
  for (const line of lines) {
    const [pair = '', ...rest] = line.split(';').map((part) => part.trim());
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(name.length + 1);
    const attributes = new Map(
      rest.map((part) => {
        const [key = '', ...values] = part.split('=');
        return [key.toLowerCase(), values.join('=')];
      }),
    );
    const path = attributes.get('path') || '/';
    const old = jar.findIndex(
      (cookie) => cookie.name === name && cookie.host === host && cookie.path === path,
    );
    if (old >= 0) jar.splice(old, 1);
    const expiresAt = expiry(attributes.get('max-age'), attributes.get('expires'));
    if (expiresAt > Date.now()) jar.push({ name, value, host, path, expiresAt });
  }
}

function expiry(maxAge: string | undefined, expires: string | undefined): number {
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1000;
  if (expires !== undefined) return Date.parse(expires);
  return Number.POSITIVE_INFINITY;
}

/** Enough of HTML for pages that a renderer wrote: quoted or bare attributes, entities, no nested forms. */
export function readForms(html: string, url: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].map(([, opening = '', content = '']) => {
    const attributes = readAttributes(opening);
    const controls = [
      ...content.matchAll(/<(input|select|textarea)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>/gis),
      ...content.matchAll(/<(button)\b((?:"[^"]*"|'[^']*'|[^>"'])*)>(.*?)<\/button>/gis),
    ].map(([, tag = '', text = '', label = '']) =>
      readControl(tag.toLowerCase(), readAttributes(text), label),
    );
    return {
      action: new URL(attributes.get('action') || url, url).href,
      method: (attributes.get('method') ?? 'get').toLowerCase(),
      fields: controls.flatMap((control) => control.field ?? []),
      buttons: controls.flatMap((control) => control.button ?? []),
    };
  });
}

function readControl(
  tag: string,
  found: Map<string, string>,
  content: string,
): { field?: Field; button?: Button } {
  const name = found.get('name') ?? '';
  const value = found.get('value') ?? '';
  const type = (found.get('type') ?? (tag === 'button' ? 'submit' : 'text')).toLowerCase();
  if (found.has('disabled')) return {};
  if (type === 'submit' || type === 'image') {
    const label = unescapeHtml(content.replace(/<[^>]*>/g, ' ')).replace(/\s+/g, ' ');
    return { button: { name, value, label: label.trim() || value } };
  }
  const isUnchecked = (type === 'checkbox' || type === 'radio') && !found.has('checked');
  if (name === '' || type === 'button' || isUnchecked) return {};
  const autocomplete = found.get('autocomplete') ?? '';
  const typed = value === '' && type === 'checkbox' ? 'on' : value;
  return { field: { name, type, value: typed, autocomplete, required: found.has('required') } };
}

function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', double, single, bare] of text.matchAll(
    /([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
  )) {
    attributes.set(name.toLowerCase(), unescapeHtml(double ?? single ?? bare ?? ''));
  }
  return attributes;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

export function unescapeHtml(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal) return String.fromCodePoint(Number(decimal));
    return entities[name] ?? whole;
  });
}
