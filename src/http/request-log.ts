// Gives each request its reference, and one line in the log without a secret in it.
import type { Middleware } from 'koa';
import { newRequestId } from '../id.ts';
import type { Log } from '../log.ts';

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
