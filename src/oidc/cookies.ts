// The engine's three cookies. Under https their names carry the prefixes that make browsers enforce what we set:
// __Host- (this host only, path /) for the session, __Secure- for the two that are bound to one page's path.
import type { Configuration } from 'oidc-provider';
import type { Keys } from '../secrets.ts';

export function engineCookies(options: {
  isSecure: boolean;
  keys: Pick<Keys, 'cookies'>;
}): NonNullable<Configuration['cookies']> {
  const attributes = {
    httpOnly: true,
    sameSite: 'lax',
    secure: options.isSecure,
    signed: true,
    overwrite: true,
  } as const;
  return {
    keys: options.keys.cookies,
    names: {
      session: `${options.isSecure ? '__Host-' : ''}tollgate_session`,
      interaction: `${options.isSecure ? '__Secure-' : ''}tollgate_interaction`,
      resume: `${options.isSecure ? '__Secure-' : ''}tollgate_resume`,
    },
    long: { ...attributes, path: '/' },
    short: attributes,
  };
}
