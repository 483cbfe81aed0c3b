// Whatever a middleware below throws becomes an answer: JSON for programs, a page for people, and a line in the log.
import type { Context, Middleware } from 'koa';
import { asServiceUnavailable, isUnstorableText } from '../database/sql-state.ts';
import { TollgateError } from '../errors.ts';
import type { Log } from '../log.ts';

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
