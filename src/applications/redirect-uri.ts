// Which callback addresses an application may register: exact HTTPS addresses (promise 3). The engine compares
// them as raw strings, so what is stored is exactly what was typed, and only if it is already in normal form.
import { TollgateError } from '../errors.ts';
import {
  originsPerApplication,
  redirectUriCharacters,
  redirectUrisPerApplication,
} from '../limits/applications.ts';

/** @returns what is wrong, as a sentence for the person who typed it; undefined when nothing is. */
export function redirectUriProblem(uri: string): string | undefined {
  if (uri.length > redirectUriCharacters) return `is longer than ${redirectUriCharacters} characters`;
  if (/[^\x21-\x7e]/.test(uri)) return 'contains a space, a control character or a letter outside ASCII';
  if (!uri.startsWith('https://')) return 'must start with https://';
  if (!URL.canParse(uri)) return 'is not a valid URL';
  const url = new URL(uri);
  if (url.username || url.password || uri.slice(8).split(/[/?#]/)[0]?.includes('@'))
    return 'must not contain a user name';
  if (uri.includes('#')) return 'must not contain a fragment (#)';
  if (uri.includes('*')) return 'must not contain a wildcard (*)';
  if (isIpAddress(url.hostname))
    return 'must name a host, not an IP address; on your own machine that is localhost';
  if (uri.includes('\\')) return 'must not contain a backslash';
  // Anything that a browser would rewrite could compare unequal, or lead elsewhere than it reads.
  const normal = url.href === uri || (url.pathname === '/' && url.href === `${uri}/`);
  if (!normal) return `is not in its normal form; register ${url.href}`;
  return undefined;
}

/** Whoever holds an IP address later would receive the codes; a name has an owner. URL writes 0x7f.1 as 127.0.0.1. */
function isIpAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
}

/** @throws TollgateError invalid_request naming every bad address. */
export function requireRedirectUris(uris: string[], what: string): void {
  if (uris.length > redirectUrisPerApplication) {
    throw new TollgateError(
      'invalid_request',
      `An application has at most ${redirectUrisPerApplication} ${what} addresses.`,
    );
  }
  if (new Set(uris).size !== uris.length)
    throw new TollgateError('invalid_request', `A ${what} address is given twice.`);
  const problems = uris.flatMap((uri) => {
    const problem = redirectUriProblem(uri);
    return problem ? [`The ${what} address ${JSON.stringify(uri.slice(0, 200))} ${problem}.`] : [];
  });
  if (problems.length > 0) throw new TollgateError('invalid_request', problems.join(' '));
}

/** Scheme, host and port, nothing else. @returns what is wrong, as the end of a sentence. */
export function originProblem(origin: string): string | undefined {
  const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin;
  if (isOrigin && origin.startsWith('https://')) return undefined;
  return 'must read like https://app.example.com, without a path';
}

/** Where a single-page application calls us from, or a callback goes on to. */
export function requireOrigins(origins: string[]): void {
  if (origins.length > originsPerApplication) {
    throw new TollgateError(
      'invalid_request',
      `An application has at most ${originsPerApplication} allowed origins.`,
    );
  }
  for (const origin of origins) {
    const problem = originProblem(origin);
    if (problem)
      throw new TollgateError(
        'invalid_request',
        `The origin ${JSON.stringify(origin.slice(0, 200))} ${problem}.`,
      );
  }
}
