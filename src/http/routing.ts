// Who among the house's middlewares sees a request: a router what it knows, and refuses what it knows by another
// method; a rule the addresses that it is about. Everything else goes on to the next one.
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { TollgateError } from '../errors.ts';

/** `below`: where all of its addresses begin. Every sign-in passes here, and need not be compared with each of them. */
export function serveRoutes(router: Router, { below }: { below: string }): Middleware {
  const routes = router.routes();
  return (ctx, next) => {
    if (!ctx.path.startsWith(below)) return next();
    const { path, pathAndMethod, route } = router.match(ctx.path, ctx.method);
    // For metrics and traces: the pattern, never the path.
    ctx.state.route = (pathAndMethod.at(-1) ?? path[0])?.path;
    if (path.length > 0 && !route) {
      throw new TollgateError('method_not_allowed', 'This address does not take that method.');
    }
    if (!route) return next();
    return routes(Object.assign(ctx, { params: {}, router }), next);
  };
}

/** A rule about some addresses: requests to others do not wait for it. A sign-in would pass two dozen otherwise. */
export function about(paths: readonly string[], rule: Middleware): Middleware {
  const known = new Set(paths);
  return (ctx, next) => {
    if (!known.has(ctx.path)) return next();
    ctx.state.route = ctx.path;
    return rule(ctx, next);
  };
}
