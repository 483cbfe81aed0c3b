// `response_mode=form_post` (OAuth 2.0 Form Post Response Mode): the answer goes to the callback in a form of a page of
// ours. The engine's own page has a script that we would not let into any page.
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { clientOf } from '../engine/engine-context.ts';

/** The engine keeps `form_post` for its own page; clients never see this name. */
export const POSTED_ANSWER = 'form_post.page';

/** Under the engine's name; undefined for what is not offered. Only the query, and a form of ours. */
export function offeredResponseMode(mode: string): string | undefined {
  if (mode === 'query') return mode;
  // A request that begins anew on our pages comes with the name that it had here.
  return mode === 'form_post' || mode === POSTED_ANSWER ? POSTED_ANSWER : undefined;
}

export type PostedAnswer = {
  clientId: string;
  /** The registered callback. */
  action: string;
  fields: [name: string, value: string][];
};

export type AnswerPage = (ctx: KoaContextWithOIDC, answer: PostedAnswer) => Promise<void>;

export function postAnswers(provider: Provider, page: AnswerPage): void {
  provider.registerResponseMode(POSTED_ANSWER, async (ctx, action, payload) => {
    const told =
      typeof ctx.state.explanation === 'string' ? { error_description: ctx.state.explanation } : {};
    const fields = Object.entries({ ...payload, ...told }).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    // Whatever it says: a browser has to show the page.
    ctx.status = 200;
    await page(ctx, { clientId: clientOf(ctx.oidc).clientId, action, fields });
  });
}
