// The variables that switch the social identity providers on, each provider by its own. A provider with
// some of its variables missing is a mistake that is said, not a button that fails.
import { z } from 'zod';

const optional = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());
const origin = (fallback: string) =>
  z.preprocess(
    (value) => (value === undefined || value === '' ? fallback : value),
    z
      .string()
      .refine(isProviderUrl, { error: 'must be an https:// URL (http:// on a loopback address only)' })
      .transform((value) => value.replace(/\/+$/, '')),
  );

export const socialEnvironment = {
  GOOGLE_CLIENT_ID: optional.describe(
    'Client ID of a Google OAuth client (docs/social-providers.md). Default: no sign-in with Google.',
  ),
  GOOGLE_CLIENT_SECRET: optional.describe('Its client secret. Default: none.'),
  GOOGLE_ISSUER: origin('https://accounts.google.com').describe(
    'Issuer of Google ID Tokens. Default https://accounts.google.com.',
  ),
  APPLE_CLIENT_ID: optional.describe(
    'Services ID of Sign in with Apple (docs/social-providers.md). Default: no sign-in with Apple.',
  ),
  APPLE_TEAM_ID: optional.describe('Team ID of the Apple developer account. Default: none.'),
  APPLE_KEY_ID: optional.describe('Key ID of the private key for Sign in with Apple. Default: none.'),
  APPLE_PRIVATE_KEY: optional.describe(
    'The private key itself: the content of the .p8 file, with line breaks optionally written as \\n. Default: none.',
  ),
  APPLE_ISSUER: origin('https://appleid.apple.com').describe(
    'Issuer of Apple ID Tokens. Default https://appleid.apple.com.',
  ),
  GITHUB_CLIENT_ID: optional.describe(
    'Client ID of a GitHub OAuth app (docs/social-providers.md). Default: no sign-in with GitHub.',
  ),
  GITHUB_CLIENT_SECRET: optional.describe('Its client secret. Default: none.'),
  GITHUB_URL: origin('https://github.com').describe(
    'URL of GitHub or of your GitHub Enterprise Server. Default https://github.com.',
  ),
  GITHUB_API_URL: origin('https://api.github.com').describe(
    'URL of its API; on Enterprise Server it ends in /api/v3. Default https://api.github.com.',
  ),
};

export type SocialSettings = z.infer<z.ZodObject<typeof socialEnvironment>>;

export type SocialConfig = {
  google: { issuer: string; clientId: string; clientSecret: string } | undefined;
  apple: { issuer: string; clientId: string; teamId: string; keyId: string; privateKey: string } | undefined;
  github: { url: string; apiUrl: string; clientId: string; clientSecret: string } | undefined;
};

/** @throws Error with a sentence that names the missing variables. */
export function readSocialConfig(settings: SocialSettings): SocialConfig {
  const google = allOrNone(settings, ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET']);
  const apple = allOrNone(settings, [
    'APPLE_CLIENT_ID',
    'APPLE_TEAM_ID',
    'APPLE_KEY_ID',
    'APPLE_PRIVATE_KEY',
  ]);
  const github = allOrNone(settings, ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET']);
  return {
    google: google && {
      issuer: settings.GOOGLE_ISSUER,
      clientId: google.GOOGLE_CLIENT_ID,
      clientSecret: google.GOOGLE_CLIENT_SECRET,
    },
    apple: apple && {
      issuer: settings.APPLE_ISSUER,
      clientId: apple.APPLE_CLIENT_ID,
      teamId: apple.APPLE_TEAM_ID,
      keyId: apple.APPLE_KEY_ID,
      privateKey: apple.APPLE_PRIVATE_KEY.replaceAll('\\n', '\n'),
    },
    github: github && {
      url: settings.GITHUB_URL,
      apiUrl: settings.GITHUB_API_URL,
      clientId: github.GITHUB_CLIENT_ID,
      clientSecret: github.GITHUB_CLIENT_SECRET,
    },
  };
}

function allOrNone<Name extends keyof SocialSettings>(
  settings: SocialSettings,
  names: Name[],
): Record<Name, string> | undefined {
  const missing = names.filter((name) => settings[name] === undefined);
  if (missing.length === names.length) return undefined;
  if (missing.length > 0)
    throw new Error(`${missing.join(' and ')} must be set together with the provider's other variables.`);
  return Object.fromEntries(names.map((name) => [name, settings[name]])) as Record<Name, string>;
}

function isProviderUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  const isLoopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isLoopback);
}
