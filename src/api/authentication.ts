// Who is calling the customer-data API: one `Authorization: Bearer` header and nothing else.
// Every other presentation gets the same 401, byte for byte, whatever was wrong with it.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import type { ApiKeyScope } from '../applications/api-key.ts';
import type { ApiKey, ReadApiKey } from '../applications/api-key-check.ts';
import { serviceUnavailable, TollgateError } from '../errors.ts';
import { ipAddressKey, type RateLimiter } from '../http/rate-limit.ts';
import { sha256 } from '../secrets.ts';

type Gate = { readApiKey: ReadApiKey; rateLimiter: RateLimiter; scope: ApiKeyScope };

/**
 * @throws TollgateError 401, 403, 429, or 503 when the keys cannot be read (it never lets anyone in then).
 * Failures are counted per network address but never held against a valid key: a neighbour behind the same
 * address cannot shut a customer out, and 256 bits are not guessed at any rate.
 */
export async function authenticate(ctx: Context, { readApiKey, rateLimiter, scope }: Gate): Promise<ApiKey> {
  const presented = bearerToken(ctx.req);
  const counter = sha256(presented ?? '');
  // A key that has used up its minute is refused before it costs a look-up; only valid keys are ever counted here.
  await rateLimiter.check('api_requests', counter);
  const key = presented === undefined ? undefined : await findKey(readApiKey, presented);
  if (!key) {
    await rateLimiter.consume('failed_api_keys', ipAddressKey(String(ctx.state.ipAddress)));
    throw refuseKey(ctx);
  }
  await rateLimiter.consume('api_requests', counter);
  if (!key.scopes.includes(scope)) {
    ctx.set('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
    throw new TollgateError('insufficient_scope', `This needs an API key with the scope ${scope}.`);
  }
  return key;
}

/** For an answer that takes its time: whether the key that was let in would still be. @throws TollgateError 401, 503 */
export async function requireSameKey(ctx: Context, { readApiKey }: Pick<Gate, 'readApiKey'>): Promise<void> {
  const presented = bearerToken(ctx.req);
  if (presented === undefined || !(await findKey(readApiKey, presented))) throw refuseKey(ctx);
}

function refuseKey(ctx: Context): TollgateError {
  ctx.set('WWW-Authenticate', 'Bearer');
  return new TollgateError('invalid_token', 'Send a valid API key in one "Authorization: Bearer" header.');
}

/** Node keeps only the first of two Authorization headers in `headers`; a request with two is refused instead. */
function bearerToken(request: IncomingMessage): string | undefined {
  const [header, ...more] = request.headersDistinct.authorization ?? [];
  if (header === undefined || more.length > 0) return undefined;
  return /^Bearer ([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}

async function findKey(readApiKey: ReadApiKey, presented: string): Promise<ApiKey | undefined> {
  try {
    return await readApiKey(presented);
  } catch (error) {
    throw serviceUnavailable(error);
  }
}
