// Signed authorization requests (RFC 9101), in pushed requests only: what the engine does not ask of them. What was pushed
// in plain is kept by the engine as an unsigned object, and comes by here a second time.
import { type Client, type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import { requestObjectSeconds, signedParameterBytes } from '../../limits/assurance.ts';
import { isFapi2 } from '../clients/client.ts';
import { isDeviceRequest } from '../devices/device-request.ts';
import { PUSHED_ROUTE } from '../engine/engine-context.ts';
import { keepRequestObject } from './sent-request.ts';

type Feature = NonNullable<NonNullable<Configuration['features']>['requestObjects']>;
type Json = Record<string, unknown>;

/** RFC 9101 §10.8: a type of its own; libraries from before it write `JWT`, or none. */
const TYPES = ['oauth-authz-req+jwt', 'jwt', undefined];

export const requestObjects: Feature = {
  enabled: true,
  assertJwtClaimsAndHeader(ctx, claims, header, client) {
    refuseOfDevice(ctx);
    keepRequestObject(ctx, claims);
    if (ctx.oidc.route === PUSHED_ROUTE) requireSound(ctx, { claims, header, client });
  },
};

/** The engine would read one at the device authorization endpoint as well. */
function refuseOfDevice(ctx: KoaContextWithOIDC): void {
  if (isDeviceRequest(ctx))
    throw new errors.RequestNotSupported('request is taken in pushed authorization requests only');
}

function requireSound(
  { oidc }: KoaContextWithOIDC,
  { claims, header, client }: { claims: Json; header: Json; client: Client },
): void {
  if (Buffer.byteLength(String(oidc.params?.request)) > signedParameterBytes)
    throw refusal(`request is longer than ${signedParameterBytes} bytes`);
  const type = typeof header.typ === 'string' ? header.typ.toLowerCase() : undefined;
  if (!TYPES.includes(type)) throw refusal('request must have the typ oauth-authz-req+jwt');
  // RFC 9101 §10.8: an assertion that authenticates the client has it, and must not pass for a request.
  if (claims.sub === client.clientId) throw refusal('request must not contain sub with the client_id');
  if (isFapi2(client) && header.alg === 'RS256') throw refusal('request must not be signed with RS256');
  requireShortLife(claims);
}

/** FAPI 2.0 Message Signing §5.3.1: both ends are said, and they are at most an hour apart. */
function requireShortLife({ exp, nbf }: Json): void {
  if (typeof exp !== 'number') throw refusal('request must contain exp');
  if (typeof nbf !== 'number') throw refusal('request must contain nbf');
  if (exp - nbf > requestObjectSeconds)
    throw refusal(`request must be valid for at most ${requestObjectSeconds} seconds (exp, nbf)`);
}

function refusal(description: string): errors.InvalidRequestObject {
  return new errors.InvalidRequestObject(description);
}
