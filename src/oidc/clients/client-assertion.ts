// `private_key_jwt` (RFC 7523 §3): what the engine does not ask of the assertion by which a backend authenticates. That
// each is used once is decided where the engine remembers them (adapters/used-proofs.ts).
import { type Configuration, errors } from 'oidc-provider';
import { clientAssertionSeconds, signedParameterBytes } from '../../limits/assurance.ts';
import { parameter } from '../engine/engine-context.ts';
import { isFapi2 } from './client.ts';

type Check = NonNullable<Configuration['assertJwtClientAuthClaimsAndHeader']>;

export const requireShortAssertion: Check = ({ oidc }, claims, header, client) => {
  if (Buffer.byteLength(parameter(oidc, 'client_assertion') ?? '') > signedParameterBytes)
    throw refusal(`client_assertion is longer than ${signedParameterBytes} bytes`);
  const latest = Date.now() / 1000 + clientAssertionSeconds;
  if (typeof claims.exp !== 'number' || claims.exp > latest)
    throw refusal(`client_assertion must end within ${clientAssertionSeconds} seconds (exp)`);
  if (!isFapi2(client)) return;
  // FAPI 2.0 Security Profile §5.3.2.1: the issuer alone, as a string. FAPI 2.0 §5.4.1: no RSASSA-PKCS1-v1_5.
  if (claims.aud !== oidc.issuer)
    throw refusal('client_assertion must have the issuer as its only audience (aud)');
  if (header.alg === 'RS256') throw refusal('client_assertion must not be signed with RS256');
};

/** The description of this error is told to nobody but the company: it says whether the client exists. */
function refusal(detail: string): errors.InvalidClientAuth {
  return new errors.InvalidClientAuth(detail);
}
