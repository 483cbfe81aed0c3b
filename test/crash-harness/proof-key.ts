// A client's key that its tokens are bound to (RFC 9449), with the nonce that the service said last.
import { createHash, randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Answer, answerOf, type Service } from '../harness/client.ts';

export type ProofKey = {
  /** @param token the access token that goes along. */
  prove(method: string, path: string, token?: string): Promise<string>;
  hear(answer: Pick<Answer, 'headers'>): void;
};

export async function createProofKey({ url }: Pick<Service, 'url'>): Promise<ProofKey> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  let nonce: string | undefined;
  return {
    prove(method, path, token) {
      const ath = token && createHash('sha256').update(token).digest('base64url');
      return (
        new SignJWT({ htm: method, htu: url + path, jti: randomUUID(), nonce, ath })
          // The walker's clock is not the one that a new date has.
          .setIssuedAt(Math.floor(Date.now() / 1000))
          .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk })
          .sign(privateKey)
      );
    },
    hear({ headers }) {
      nonce = headers.get('dpop-nonce') ?? nonce;
    },
  };
}

/** GET {base_url}/oauth/userinfo, with a proof where the token is bound. */
export async function profile(service: Service, accessToken: string, key?: ProofKey): Promise<Answer> {
  const path = '/oauth/userinfo';
  const headers = key
    ? { authorization: `DPoP ${accessToken}`, dpop: await key.prove('GET', path, accessToken) }
    : { authorization: `Bearer ${accessToken}` };
  const answer = await answerOf(await fetch(service.url + path, { headers }));
  key?.hear(answer);
  return answer;
}
