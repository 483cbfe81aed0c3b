// A passkey in software: an ES256 key with attestation `none`, which answers what a page of ours asks of an
// authenticator (WebAuthn Level 3, §6.1 and §6.5).
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

export type SoftwareKey = { id: string; userHandle: string; privateKey: KeyObject; rpId: string };

type Ceremony = { challenge: string; origin: string };

/** Present, verified, and on creation with attested data. */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

/** The page's `data-options` for a new passkey, answered. */
export function createKey(
  options: { challenge: string; rp: { id: string }; user: { id: string } },
  origin: string,
): { key: SoftwareKey; response: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(24);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    Buffer.from(x, 'base64url'),
    Buffer.from([0x22, 0x58, 0x20]),
    Buffer.from(y, 'base64url'),
  ]);
  const data = Buffer.concat([
    authenticatorData(options.rp.id, USER_PRESENT | USER_VERIFIED | ATTESTED),
    Buffer.alloc(16),
    Buffer.from([0, id.length]),
    id,
    cose,
  ]);
  const attestation = Buffer.concat([
    Buffer.from([0xa3]),
    cborText('fmt'),
    cborText('none'),
    cborText('attStmt'),
    Buffer.from([0xa0]),
    cborText('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ]);
  const name = id.toString('base64url');
  return {
    key: { id: name, userHandle: options.user.id, privateKey, rpId: options.rp.id },
    response: answer(name, {
      clientDataJSON: clientData('webauthn.create', { challenge: options.challenge, origin }).toString(
        'base64url',
      ),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    }),
  };
}

/** The page's `data-options` for a sign-in, answered. */
export function useKey(key: SoftwareKey, ceremony: Ceremony): string {
  const client = clientData('webauthn.get', ceremony);
  const data = authenticatorData(key.rpId, USER_PRESENT | USER_VERIFIED);
  const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
  return answer(key.id, {
    clientDataJSON: client.toString('base64url'),
    authenticatorData: data.toString('base64url'),
    signature: sign('sha256', signed, key.privateKey).toString('base64url'),
    userHandle: key.userHandle,
  });
}

function answer(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
}

function clientData(type: string, { challenge, origin }: Ceremony): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** The counter stays at zero, as that of most passkeys. */
function authenticatorData(rpId: string, flags: number): Buffer {
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags, 0, 0, 0, 0])]);
}

function cborText(text: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)]);
}
