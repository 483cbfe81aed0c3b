// The host and the network address of a request, whatever the client says of them.
import type { Context, Middleware } from 'koa';
import { TollgateError } from '../errors.ts';

/**
 * Every URL that we write is built from {base_url}: what a client says in Host, Forwarded or X-Forwarded-* is
 * replaced before anything reads it, except the address that our own proxies added (threats 9 and 89).
 */
export function pinHost(options: { baseUrl: string; trustProxy: number }): Middleware {
  const { host, protocol } = new URL(options.baseUrl);
  return (ctx, next) => {
    const { headers } = ctx.req;
    ctx.state.ipAddress = ipAddress(ctx, options.trustProxy);
    // An absolute-form request line ("GET http://evil/ HTTP/1.1") names a host as well.
    if (ctx.req.url && !ctx.req.url.startsWith('/'))
      throw new TollgateError('misdirected_request', 'Ask for a path.');
    // Only for who has to refuse other names (interactions/development-inbox.tsx).
    ctx.state.requestedHost = headers.host ?? '';
    headers.host = host;
    headers['x-forwarded-proto'] = protocol.slice(0, -1);
    for (const name of [
      'x-forwarded-host',
      'forwarded',
      'x-forwarded-for',
      'x-original-url',
      'x-rewrite-url',
    ]) {
      delete headers[name];
    }
    return next();
  };
}

/** The last address that a proxy of ours wrote; whatever stands left of it is the client's own invention. */
function ipAddress(ctx: Context, trustProxy: number): string {
  const peer = ctx.req.socket.remoteAddress ?? '';
  if (trustProxy === 0) return peer;
  const header = ctx.req.headers['x-forwarded-for'];
  const hops = (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .map((hop) => hop.trim());
  return hops.at(-trustProxy) || peer;
}
