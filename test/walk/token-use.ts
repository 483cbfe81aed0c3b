// What an application does with its tokens, and what they stand on. Those that are bound to a key are tried without it, and
// with another one, by whoever may have copied them.
import { createProofKey } from '../crash-harness/proof-key.ts';
import { askWithKey } from './backend.ts';
import { standing, violate } from './model.ts';
import type { Story, Tokens } from './story.ts';

export async function refresh(story: Story, tokens: Tokens): Promise<void> {
  const { clientId, clientSecret = '' } = story.world.applications[tokens.app];
  const { status, body } = await askWithKey(story, '/oauth/token', {
    key: tokens.key,
    form: {
      grant_type: 'refresh_token',
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: tokens.refresh,
    },
  });
  if (status !== 200) return;
  if (tokens.ended.has('refresh'))
    violate(story.model, 'a refresh token worked that was given back', tokens.browser);
  tokens.access = String(body.access_token);
  tokens.accessAt = story.world.clock.now();
  tokens.ended.delete('access');
  if (typeof body.refresh_token === 'string') tokens.refresh = body.refresh_token;
  checkTokens(story, tokens, 'a refresh token worked');
}

export async function userInfo(story: Story, tokens: Tokens): Promise<void> {
  const path = '/oauth/userinfo';
  if (tokens.key) {
    for (const key of [undefined, await createProofKey(story.world)])
      if ((await askWithKey(story, path, { key, token: tokens.access })).status === 200)
        violate(story.model, 'a bound token worked without its key', tokens.browser);
  }
  const { status } = await askWithKey(story, path, { key: tokens.key, token: tokens.access });
  if (status !== 200) return;
  if (tokens.ended.has('access'))
    violate(story.model, 'UserInfo took a token that was given back', tokens.browser);
  checkTokens(story, tokens, 'UserInfo answered');
}

/** Tokens stand on the proof that they were made on, whatever was proven in their browser since. */
export function checkTokens(story: Story, tokens: Tokens, by: string): void {
  const browser = story.browsers.get(tokens.browser);
  if (!browser || tokens.at < 0) return;
  const proof = browser.proofs.find(({ at }) => at === tokens.at);
  if (!proof) return;
  const found = standing(
    story.model,
    { ...browser, proofs: [{ ...proof, resumedAt: Number.POSITIVE_INFINITY }] },
    proof.email,
  );
  if ('why' in found)
    violate(story.model, `${by} ${found.why}`, `tokens of ${tokens.browser} for ${proof.email}`);
}
