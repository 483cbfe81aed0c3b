// Introspection and revocation, and what the model knows of each token: which ones are worth nothing to whoever asks, and
// which ones must be worth something.
import { askAs } from './backend.ts';
import { standing, violate } from './model.ts';
import type { Story, Tokens } from './story.ts';
import { checkTokens } from './token-use.ts';
import type { AppName } from './world.ts';

type Question = { kind: 'access' | 'refresh'; isOwn: boolean };

/** Of an application with a secret; near the end nobody knows whose clock is ahead. */
const ACCESS_MILLISECONDS = 3_600_000;
const UNSURE_MILLISECONDS = 10_000;

export async function introspect(story: Story, tokens: Tokens, { kind, isOwn }: Question): Promise<void> {
  const by = isOwn ? tokens.app : otherThan(tokens.app);
  const { status, body } = await askAs(story, by, '/oauth/introspect', { token: tokens[kind] });
  const about = `the ${kind} token of ${tokens.browser}`;
  if (status !== 200) {
    violate(story.model, 'a question about a token was refused', `${status} ${JSON.stringify(body)}`);
    return;
  }
  if (body.active !== true) {
    if (Object.keys(body).length > 1)
      violate(story.model, 'more was said of a token than that it is not active', JSON.stringify(body));
    const why = isOwn && mustLive(story, tokens, kind);
    if (why) violate(story.model, 'a living token was called inactive', `${about}, ${why}`);
    return;
  }
  if (!isOwn) violate(story.model, "another application's token was called active", about);
  if (tokens.ended.has(kind)) violate(story.model, 'a token that was given back was called active', about);
  if (body.client_id !== story.world.applications[tokens.app].clientId || body.sub !== tokens.sub)
    violate(story.model, 'a token was said to be somebody else’s', `${about}: ${JSON.stringify(body)}`);
  if (kind === 'access' && (body.token_type === 'DPoP') !== (tokens.key !== undefined))
    violate(story.model, 'a bound token was not called one', `${about}: ${JSON.stringify(body)}`);
  if (Number(body.exp) * 1000 < story.world.clock.now() - UNSURE_MILLISECONDS)
    violate(story.model, 'a token was called active after its end', about);
  checkTokens(story, tokens, 'introspection called a token active');
}

/** Nobody learns what became of it (RFC 7009 §2.2): what it did is asked afterwards. */
export async function revokeToken(story: Story, tokens: Tokens, { kind, isOwn }: Question): Promise<void> {
  const by = isOwn ? tokens.app : otherThan(tokens.app);
  const { status, body } = await askAs(story, by, '/oauth/revoke', { token: tokens[kind] });
  if (isOwn && status === 200) {
    tokens.ended.add(kind);
    // With a refresh token goes what came with it, and with an access token its refresh token may go (RFC 7009 §2.1).
    endGrant(story, tokens, kind);
  } else if (isOwn)
    violate(story.model, 'a token could not be given back', `${status} ${JSON.stringify(body)}`);
}

function endGrant(story: Story, tokens: Tokens, kind: Question['kind']): void {
  if (kind === 'refresh') tokens.ended.add('access');
  for (const each of story.tokens)
    if (each.app === tokens.app && rootOf(story, each) === rootOf(story, tokens)) each.isUnsure = true;
}

/** @returns why it must be active; undefined: it may have ended by what the model does not follow. */
function mustLive(story: Story, tokens: Tokens, kind: Question['kind']): string | undefined {
  const { model, world } = story;
  const browser = story.browsers.get(tokens.browser);
  if (!browser || tokens.isUnsure || tokens.ended.has(kind) || model.step.isRace) return undefined;
  if (kind === 'access' && world.clock.now() > tokens.accessAt + ACCESS_MILLISECONDS - UNSURE_MILLISECONDS)
    return undefined;
  const proof = browser.proofs.find(({ at, email }) => at === tokens.at && email === tokens.email);
  if (!proof || !model.accounts.has(tokens.email)) return undefined;
  // A session ends with its browser's sign-out, or when somebody else signs in there; copied cookies are the same session.
  const sharers = [...story.browsers.values()].filter((each) => each.root === browser.root);
  const isLeft = sharers.some(
    (each) =>
      each.signedOutAt > 0 ||
      each.twins.length > 0 ||
      each.proofs.some(({ email }) => email !== tokens.email),
  );
  // A new password ends what applications hold in every browser, the one that set it included.
  const isOver = model.revocations.some(
    (each) => each.email === tokens.email && each.kind !== 'end all others' && each.at > tokens.at,
  );
  if (isLeft || isOver || 'why' in standing(model, { ...browser, proofs: [proof] }, tokens.email))
    return undefined;
  return `whose proof of tick ${proof.at} stands`;
}

function rootOf(story: Story, tokens: Tokens): string | undefined {
  return story.browsers.get(tokens.browser)?.root;
}

function otherThan(app: AppName): AppName {
  return app === 'shop' ? 'forum' : 'shop';
}
