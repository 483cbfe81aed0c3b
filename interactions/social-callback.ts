// {base_url}/social/{provider}/callback: the one address that a social provider knows. It proves nothing
// and changes nothing: Apple posts from its own site, without our cookies. It sends the browser on to the pages that it
// came from, where the cookies say whether it is the same browser (threat 46).
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { readState, type SocialState } from '../src/accounts/social-authorization.ts';
import { TollgateError } from '../src/errors.ts';
import { type FormFields, readForm, readQuery } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { serveRoutes } from '../src/http/routing.ts';
import { type Keys, seal, unseal } from '../src/secrets.ts';
import type { Dependencies } from './visit.ts';

/** What came back, sealed on its way from the callback to the page. */
export type SocialAnswer = { provider: string; state: string; parameters: URLSearchParams };

export function serveSocialCallbacks(
  deps: Pick<Dependencies, 'keys' | 'rateLimiter' | 'social'>,
): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  const receive = async (ctx: Context & { params: Record<string, string> }) => {
    await deps.rateLimiter.consume('sign_in_posts', ipAddressKey(ctx.state.ipAddress));
    const provider = deps.social.find(({ id }) => id === ctx.params.provider);
    if (!provider) throw new TollgateError('not_found', 'There is nothing at this address.');
    const fields = ctx.method === 'POST' ? await readForm(ctx) : readQuery(ctx);
    const state = readState(deps.keys, fields.state ?? '');
    if (state?.provider !== provider.id)
      throw new TollgateError('invalid_request', 'This answer belongs to no sign-in that was started here.');
    seeOther(ctx, `${pageOf(state)}?answer=${sealAnswer(deps.keys, provider.id, fields)}`);
  };
  router.get('/social/:provider/callback', receive);
  router.post('/social/:provider/callback', receive);
  return serveRoutes(router, { below: '/social/' });
}

/** undefined when it was not sealed by us. */
export function openAnswer(keys: Pick<Keys, 'sealing'>, sealed: unknown): SocialAnswer | undefined {
  if (typeof sealed !== 'string') return undefined;
  try {
    const [provider, query] = JSON.parse(unseal(keys, sealed, ANSWER));
    const parameters = new URLSearchParams(query);
    return { provider, state: parameters.get('state') ?? '', parameters };
  } catch {
    return undefined;
  }
}

const ANSWER = 'social answer';
const known = ['code', 'state', 'iss', 'error', 'error_description', 'user'];

function sealAnswer(keys: Pick<Keys, 'sealing'>, provider: string, fields: FormFields): string {
  const parameters = new URLSearchParams();
  for (const name of known) if (fields[name] !== undefined) parameters.set(name, fields[name]);
  return seal(keys, JSON.stringify([provider, parameters.toString()]), ANSWER);
}

function pageOf({ purpose, uid }: SocialState): string {
  return purpose === 'link' ? '/account/social-return' : `/interaction/${uid}/social-return`;
}
