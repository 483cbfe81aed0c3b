// What every form of a signed-in person goes through first: a limit, its size, and the proof that it came from our own
// page at this very address.
import type { Context } from 'koa';
import { type FormGuard, readForm } from './form.ts';
import { readUpload, type Upload } from './form-upload.ts';
import { ipAddressOf } from './ip-address.ts';
import { ipAddressKey, type RateLimiter, type RateLimitName } from './rate-limit.ts';

/** What a request without a form brings. */
export const NOTHING_SENT: Upload = { fields: {}, files: {} };

/** @throws TollgateError too_many_requests, forbidden, or for a form that cannot be read */
export async function readGuardedForm(
  ctx: Context,
  { rateLimiter, formGuard }: { rateLimiter: RateLimiter; formGuard: FormGuard },
  { limit, upload = false }: { limit: RateLimitName; upload?: boolean | undefined },
): Promise<Upload> {
  await rateLimiter.consume(limit, ipAddressKey(ipAddressOf(ctx)));
  const sent = upload ? await readUpload(ctx) : { fields: await readForm(ctx), files: {} };
  formGuard.verify(ctx, ctx.path, sent.fields);
  return sent;
}
