// The social identity providers that are switched on, in the order of their buttons.
import type { Config } from '../config/config.ts';
import { createApple } from './apple.ts';
import { createGitHub } from './github.ts';
import { createGoogle } from './google.ts';
import type { SocialProvider } from './provider.ts';

export function createSocialProviders({
  baseUrl,
  social,
}: Pick<Config, 'baseUrl' | 'social'>): SocialProvider[] {
  const providers: SocialProvider[] = [];
  if (social.google) providers.push(createGoogle({ baseUrl, ...social.google }));
  if (social.apple) providers.push(createApple({ baseUrl, ...social.apple }));
  if (social.github) providers.push(createGitHub({ baseUrl, ...social.github }));
  return providers;
}
