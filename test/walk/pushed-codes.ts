// What came back of pushed requests: no second code for one of them, and nothing that was only in the address.
import { violate } from './model.ts';
import type { Story } from './story.ts';

export const SMUGGLED = 'smuggled-into-the-address-1';

/** A browser left the service to this address. */
export function compareCode(story: Story, to: URL): void {
  const code = to.searchParams.get('code');
  if (to.searchParams.get('state') === SMUGGLED || to.hostname === 'evil.example')
    violate(story.model, 'an address overruled a pushed request', to.href);
  const pushed = story.pushed.find(({ state }) => state === to.searchParams.get('state'));
  if (!pushed || !code) return;
  pushed.codes.add(code);
  if (pushed.codes.size > 1) violate(story.model, 'a pushed request gave two codes', to.href);
}
