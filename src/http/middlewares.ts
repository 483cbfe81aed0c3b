// The middlewares that every request passes first, in the order in which src/tollgate.ts lists them: reference
// id and log line, error writer, pinned host, security headers, rate limits of the protocol's endpoints.
import type { Context, Middleware } from 'koa';
import { asServiceUnavailable, isUnstorableText } from '../database/sql-state.ts';
import { TollgateError } from '../errors.ts';
import { newRequestId } from '../id.ts';
import type { Log } from '../log.ts';
import { ipAddressKey, type RateLimiter } from './rate-limit.ts';
import { about } from './routing.ts';

/** Gives the request its reference and leaves one line in the log: never a query string, body, cookie or header. */
export function logRequests(log: Log): Middleware {
  // Every field of the line is named below, and none can be a secret: looking for them would be half of the cost.
  const lines = log.child({}, { redact: [] });
  return async (ctx, next) => {
    const startedAt = performance.now();
    ctx.state.requestId = newRequestId();
    ctx.set('X-Request-Id', ctx.state.requestId);
    try {
      await next();
    } finally {
      const line = {
        request: ctx.state.requestId,
        method: ctx.method,
        path: withoutSecrets(ctx.path),
        status: ctx.status,
        ms: Math.round(performance.now() - startedAt),
        ...(ctx.state.telemetryTraceId && { trace: ctx.state.telemetryTraceId }),
      };
      lines.info(line, 'request');
    }
  };
}

/**
 * The uid of an interaction is half of a person's session at that moment; the token of a link in a mail is a way in. No
 * address that we answer needs to be known for that: whatever is as long as a secret, and is no id of ours, is one.
 */
function withoutSecrets(path: string): string {
  return path
    .split('/')
    .map((part) => (part.length < SHORTEST_SECRET || OWN_ID.test(part) ? part : '…'))
    .join('/')
    .replace(
      /^(\/+(?:interaction|device|oauth\/+authorize|settings\/+invitations|account\/+address\/+cancel)\/+)[^/]+/i,
      '$1…',
    )
    .slice(0, 200);
}

/** 128 bits as base64url have 22 characters. */
const SHORTEST_SECRET = 20;
/** src/id.ts; no secret has this form. */
const OWN_ID = /^[a-z]{2,6}_[0-9a-f]{32}$/;

export type ErrorPage = (ctx: Context, error: TollgateError) => void;

/** Whatever is thrown below becomes one JSON object for machines or a page for people; the cause goes to the log. */
export function writeErrors(options: { log: Log; page: ErrorPage }): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        throw new TollgateError('not_found', 'There is nothing at this address.');
    } catch (thrown) {
      const error = hasHungUp(ctx) ? hungUp(thrown) : publicError(thrown);
      const line = { err: thrown, request: ctx.state.requestId, error: error.code };
      if (error.status >= 500) options.log.error(line, 'request failed');
      else options.log.debug(line, 'request refused');
      writeError(ctx, error, options.page);
    }
  };
}

function writeError(ctx: Context, error: TollgateError, page: ErrorPage): void {
  ctx.status = error.status;
  ctx.state.refusal = error.code;
  ctx.set('Cache-Control', 'no-store');
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
  if (wantsPage(ctx)) {
    page(ctx, error);
    return;
  }
  ctx.type = 'application/json';
  ctx.body = JSON.stringify({ error: error.code, error_description: error.description });
}

/** A browser's navigation says text/html outright; everything else, `*` included, is a program. */
function wantsPage(ctx: Context): boolean {
  return ctx.get('accept').includes('text/html');
}

/**
 * Before we had read the whole request: a second click, a reload. Node reports it as a broken connection, like a database's.
 * A form that is here but unread is lost with its connection as well; what has no body (GET) is never read to its end.
 */
function hasHungUp({ req }: Context): boolean {
  if (!req.destroyed) return false;
  return !req.complete || (req.readableAborted && (req.headers['content-length'] ?? '0') !== '0');
}

/** For the log and the metrics; nobody reads the answer. */
function hungUp(cause: unknown): TollgateError {
  return new TollgateError('invalid_request', 'The request ended before it was complete.', { cause });
}

/** Koa and the engine throw errors with a status of their own; anything unknown is our fault and says nothing. */
function publicError(thrown: unknown): TollgateError {
  const error = asServiceUnavailable(thrown);
  if (error instanceof TollgateError) return error;
  if (isUnstorableText(error)) return unreadable(error);
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413)
    return new TollgateError('payload_too_large', 'The request is too large.', { cause: error });
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return unreadable(error);
  }
  return new TollgateError('server_error', 'Something went wrong on our side.', { cause: error });
}

function unreadable(cause: unknown): TollgateError {
  return new TollgateError('invalid_request', 'The request could not be understood.', { cause });
}

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

/**
 * Pages that end in a redirect to a client add its origin in `ctx.state.cspFormAction`; pages with a
 * script of ours (src/page/scripts.ts) set `ctx.state.cspScript`.
 */
export function securityHeaders(options: { isSecure: boolean }): Middleware {
  const strictPolicy = contentSecurityPolicy({});
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('X-Frame-Options', 'DENY');
    if (options.isSecure) ctx.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
    // Before next(): the engine adds to a policy that it finds, and an error page needs one as well.
    ctx.set('Content-Security-Policy', strictPolicy);
    await next();
    if (ctx.response.type !== 'text/html') return;
    const { cspFormAction: formAction, cspScript, cspFrames, cspBlobImages } = ctx.state;
    if (formAction || cspScript) {
      ctx.set(
        'Content-Security-Policy',
        contentSecurityPolicy({
          formAction: ["'self'", ...(formAction ?? [])],
          ...(cspScript === true && { scripts: "'self'" }),
          ...(cspFrames === true && { frames: "'self'" }),
          ...(cspBlobImages === true && { images: "'self' blob:" }),
        }),
      );
    }
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store');
  };
}

/** `scripts`: which may run; `frames`: what may be shown in one; none when absent. `images`: ours when absent. */
type Policy = { formAction?: string[]; scripts?: string; frames?: string; images?: string };

export function contentSecurityPolicy({
  formAction = ["'self'"],
  scripts,
  frames,
  images = "'self'",
}: Policy): string {
  return [
    "default-src 'none'",
    ...(scripts ? [`script-src ${scripts}`] : []),
    ...(frames ? [`frame-src ${frames}`] : []),
    "style-src 'self'",
    `img-src ${images}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Chromium applies form-action to every redirect that follows the post, the client's callback included.
    `form-action ${formAction.join(' ')}`,
  ].join('; ');
}

/** Counts what can be guessed or flooded by network address; the finer limits stand beside what they protect. */
export function limitRequests(rateLimiter: RateLimiter): Middleware {
  return about(['/oauth/authorize'], async (ctx, next) => {
    await rateLimiter.consume('authorize', ipAddressKey(ctx.state.ipAddress));
    await next();
  });
}
