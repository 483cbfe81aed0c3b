// A browser's cookies. A jar can be copied: that is what a thief holds.

type Cookie = { name: string; value: string; path: string; expiresAt: number };
export type Jar = Map<string, Cookie>;

/** RFC 6265 §5.4: of two with one name, the one of the longer path comes first and counts. */
export function cookieHeader(jar: Jar, pathname: string, now: number): string {
  return [...jar.values()]
    .filter((cookie) => cookie.expiresAt > now && matches(cookie.path, pathname))
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

export function keepCookies(jar: Jar, lines: string[], now: number): void {
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
    const maxAge = attributes.get('max-age');
    const expires = attributes.get('expires');
    let expiresAt = Number.POSITIVE_INFINITY;
    if (maxAge !== undefined) expiresAt = now + Number(maxAge) * 1000;
    else if (expires !== undefined) expiresAt = Date.parse(expires);
    if (expiresAt > now) jar.set(`${name} ${path}`, { name, value, path, expiresAt });
    else jar.delete(`${name} ${path}`);
  }
}

export function copyJar(jar: Jar): Jar {
  return new Map([...jar].map(([key, cookie]) => [key, { ...cookie }]));
}

function matches(path: string, pathname: string): boolean {
  return path === '/' || pathname === path || pathname.startsWith(path.endsWith('/') ? path : `${path}/`);
}
