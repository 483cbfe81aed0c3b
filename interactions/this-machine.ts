// Pages that are for the person at this machine only: the start page and the development inbox.
import type { Context } from 'koa';
import { TollgateError } from '../src/errors.ts';
import { isLoopbackHost } from '../src/loopback.ts';

/**
 * Loopback keeps other machines out, but not a page in this machine's browser whose own name was led here after it was
 * loaded (DNS rebinding): to the browser that is one site, and it would read the page.
 */
export function refuseForeignHost(ctx: Context, page: string): void {
  const asked = URL.parse(`http://${ctx.state.requestedHost}`);
  if (asked && isLoopbackHost(asked.hostname)) return;
  throw new TollgateError('misdirected_request', `The ${page} answers to names of this machine only.`);
}
