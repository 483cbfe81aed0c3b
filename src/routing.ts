// Lets a router stand among the house's middlewares: what it knows by another method is refused, what it does not
// know goes on to the next one.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { TollgateError } from './errors.ts';

export function serveRoutes(router: Router): Middleware {
  const routes = router.routes();
  return (ctx, next) => {
    const { path, route } = router.match(ctx.path, ctx.method);
    if (path.length > 0 && !route) {
      throw new TollgateError('method_not_allowed', 'This address does not take that method.');
    }
    return routes(Object.assign(ctx, { params: {}, router }), next);
  };
}
