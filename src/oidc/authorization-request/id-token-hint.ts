// ID Tokens that come back as `id_token_hint`: one from before its application chose another algorithm still says who is
// meant, for as long as its key is published (signing-keys.ts).
import { decodeProtectedHeader } from 'jose';
import type Provider from 'oidc-provider';
import { isSigningAlgorithm } from '../../applications/signing-algorithm.ts';

/**
 * The engine takes the application's present algorithm alone. The method is in the engine's types but not in its
 * documentation; test/standards/signing-algorithms.test.ts notices if a release stops calling it.
 */
export function takeHintsOfAnyAlgorithm(provider: Provider): void {
  const { IdToken } = provider;
  const validate = IdToken.validate.bind(IdToken);
  IdToken.validate = async (jwt, client) => {
    const { alg } = decodeProtectedHeader(jwt);
    if (!isSigningAlgorithm(alg)) throw new Error('an ID Token of ours is signed with another algorithm');
    return validate(jwt, Object.create(client, { idTokenSignedResponseAlg: { value: alg } }));
  };
}
