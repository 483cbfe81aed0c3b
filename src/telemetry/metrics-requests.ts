// Counts each request under its route pattern, so that the number of series stays fixed whatever clients ask for.
import type { Context, Middleware } from 'koa';
import type { Metrics } from './metrics.ts';

/** What no router of ours answers (src/http/routing.ts). First match wins; what matches none is `other`. */
const patterns: [RegExp, string][] = [
  [
    /^\/oauth\/(authorize|par|token|userinfo|jwks|logout|revoke|introspect|device_authorization|logout\/confirm|logout\/success)$/,
    '',
  ],
  [/^\/oauth\/authorize\/[^/]+$/, '/oauth/authorize/:uid'],
  [/^\/device\/[^/]+$/, '/device/:uid'],
  [/^\/\.well-known\/(openid-configuration|oauth-authorization-server)$/, ''],
  [/^(\/v1)?\/applications\/[^/]+\/(customers|events)$/, '/v1/applications/:id/:list'],
  [/^(\/v1)?\/webhook-events$/, '/v1/webhook-events'],
  [/^(\/v1)?\/(openapi\.json|docs)$/, '/v1/docs'],
  [/^\/dev\/inbox(\.json|\/.*)?$/, '/dev/inbox'],
  [/^\/dev\/styles$/, '/dev/styles'],
  [/^\/assets\//, '/assets/:file'],
  [/^\/$/, ''],
];

/** Known once the request was answered: a router of ours has left its pattern in the state. */
export function routeOf({ state, path }: Pick<Context, 'state' | 'path'>): string {
  if (typeof state.route === 'string') return state.route;
  const [, name] = patterns.find(([pattern]) => pattern.test(path)) ?? [];
  if (name === undefined) return 'other';
  return name === '' ? path : name;
}

/** Outermost of all: what it counts is what was really answered. */
export function measureRequests(
  metrics: Pick<Metrics, 'requests' | 'signIns' | 'refusals' | 'charges'>,
): Middleware {
  return async (ctx, next) => {
    const startedAt = performance.now();
    try {
      await next();
    } finally {
      const route = routeOf(ctx);
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.requests.observe({ method: methodOf(ctx), route, status: ctx.status }, seconds);
      countRefusal(metrics, ctx, route);
      countCharge(metrics, ctx);
    }
  };
}

function methodOf(ctx: Context): string {
  return ['GET', 'HEAD', 'POST', 'OPTIONS'].includes(ctx.method) ? ctx.method : 'other';
}

/** Whoever refuses leaves its reason in the request's state: an error code, or the name of a page's sentence. */
function countRefusal(metrics: Pick<Metrics, 'refusals'>, ctx: Context, route: string): void {
  const reason: unknown = ctx.state.refusal;
  if (typeof reason === 'string' && /^[A-Za-z_]{3,40}$/.test(reason)) metrics.refusals.inc({ route, reason });
}

function countCharge(metrics: Pick<Metrics, 'signIns' | 'charges'>, ctx: Context): void {
  const charge: { kind: string; seconds: number } | undefined = ctx.state.charge;
  if (!charge) return;
  metrics.signIns.inc({ kind: charge.kind });
  metrics.charges.observe(charge.seconds);
}
