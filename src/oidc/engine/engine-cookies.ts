// The engine's three cookies. Under https their names carry the prefixes that make browsers enforce what we set:
// __Host- (this host only, path /) for the session, __Secure- for the two that are bound to one page's path.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Configuration } from 'oidc-provider';
import { constantTimeEqual, type Keys } from '../../secrets.ts';

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
    keys: cookieSigner(options.keys.cookies),
    names: {
      session: `${options.isSecure ? '__Host-' : ''}tollgate_session`,
      interaction: `${options.isSecure ? '__Secure-' : ''}tollgate_interaction`,
      resume: `${options.isSecure ? '__Secure-' : ''}tollgate_resume`,
    },
    long: { ...attributes, path: '/' },
    short: attributes,
  };
}

/**
 * Signs as Keygrip does, which the engine would use: the newest key signs, every key is accepted. But the keys are made
 * once; to check one cookie Keygrip makes three, and takes seven times as long.
 */
export function cookieSigner(secrets: string[]) {
  const keys = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  const [newest] = keys;
  if (!newest) throw new Error('no key to sign cookies with');
  const signWith = (key: KeyObject, data: string) => createHmac('sha1', key).update(data).digest('base64url');
  const index = (data: string, presented: string) =>
    keys.findIndex((key) => constantTimeEqual(signWith(key, data), presented));
  return {
    sign: (data: string) => signWith(newest, data),
    index,
    verify: (data: string, presented: string) => index(data, presented) !== -1,
  };
}
