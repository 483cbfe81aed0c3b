// What the doctor says about the social identity providers that are switched on: do they answer, and do their keys load?

import { isUnknownAuthority, NAME_THE_AUTHORITY } from '../config/unknown-authority.ts';
import { withinPatience } from '../social/patience.ts';
import { callbackOf, type SocialProvider } from '../social/provider.ts';
import { type Finding, ok, problem } from './finding.ts';

export async function inspectSocialProviders(
  providers: SocialProvider[],
  { baseUrl }: { baseUrl: string },
): Promise<Finding[]> {
  return Promise.all(
    providers.map(async (provider) => {
      try {
        await withinPatience(provider.probe());
        return ok(provider.name, `reachable; callback: ${callbackOf(baseUrl, provider.id)}`);
      } catch (error) {
        const reason = error instanceof Error ? error.name : 'unknown';
        return problem(
          provider.name,
          `does not respond correctly (${reason})`,
          isUnknownAuthority(error)
            ? NAME_THE_AUTHORITY
            : 'Check outbound network access and the variables of this provider (docs/social-providers.md).',
        );
      }
    }),
  );
}
