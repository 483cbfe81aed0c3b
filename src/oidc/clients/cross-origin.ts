// Which answers a script of another site may read: discovery and key set always, tokens only for
// a single-page application on its registered origins, UserInfo likewise; nothing without an Origin header.
import type { Context, Middleware } from 'koa';
import { CLIENT_ENDPOINTS } from '../engine/endpoints.ts';
import { engineContext, TRACE_HEADER } from '../engine/engine-context.ts';
import { isPublic } from './client.ts';

/** The engine checks the origin once it knows the client; until then, and without an Origin, it allows everyone. */
export const keepAnswersFromOtherOrigins: Middleware = async (ctx, next) => {
  const hide = () => {
    ctx.remove('Access-Control-Allow-Origin');
    ctx.remove('Access-Control-Expose-Headers');
  };
  try {
    await next();
  } finally {
    const client = engineContext(ctx)?.client;
    const isTokenAnswer = CLIENT_ENDPOINTS.includes(ctx.path) && ctx.method === 'POST';
    if (isTokenAnswer && !(client && isPublic(client))) hide();
    // A 401 of UserInfo stays readable: a single-page application must learn that its token has expired.
    if ((isTokenAnswer || ctx.path === '/oauth/userinfo') && ctx.get('origin') === '') hide();
    exposeTrace(ctx);
  }
};

/** Who may read the answer may read under which name its refusal is explained. */
function exposeTrace(ctx: Context): void {
  if (ctx.path !== '/oauth/token') return;
  if (!ctx.response.get('Access-Control-Allow-Origin')) {
    ctx.remove('Access-Control-Expose-Headers');
    return;
  }
  const exposed = ctx.response.get('Access-Control-Expose-Headers');
  ctx.set('Access-Control-Expose-Headers', [exposed, TRACE_HEADER].filter(Boolean).join(', '));
}
