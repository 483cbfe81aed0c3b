// An authenticator without a browser: one passkey with an ES256 key (WebAuthn Level 3, §6), which answers the forms of
// our pages as their script would have it answered.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { type Form, type Page, unescapeHtml } from '../harness/browserless-browser.ts';

export type Authenticator = {
  /** For the form of a page that offers to create a passkey: its `response`. */
  create(page: Page): string;
  /** For the form of a page that asks for one. */
  use(page: Page): string;
};

type Purpose = 'create' | 'get';

export function createAuthenticator(): Authenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const point = publicKey.export({ format: 'jwk' });
  const coseKey = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytesOf(point.x)],
      [-3, bytesOf(point.y)],
    ]),
  );
  const described = { id: id.toString('base64url'), rawId: id.toString('base64url'), type: 'public-key' };

  return {
    create(page) {
      const { clientData } = ceremonyOf(page, 'create');
      const length = Buffer.from([0, id.length]);
      const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey]);
      const authData = authenticatorData(page, PRESENT | VERIFIED | WITH_KEY, attested);
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ]);
      return JSON.stringify({
        ...described,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
          transports: ['internal'],
        },
      });
    },
    use(page) {
      const { clientData } = ceremonyOf(page, 'get');
      const authData = authenticatorData(page, PRESENT | VERIFIED);
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
      return JSON.stringify({
        ...described,
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      });
    },
  };
}

export function offersPasskey(page: Page): boolean {
  return page.html.includes('data-passkey="create"');
}

/** The form that an authenticator answers: the one with a ticket. */
export function passkeyForm(page: Page): Form {
  const form = page.forms.find(({ fields }) => fields.some(({ name }) => name === 'ticket'));
  if (!form) throw new Error(`no form for a passkey on ${page.url}: ${page.html}`);
  return form;
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_KEY = 0x40;

function authenticatorData(page: Page, flags: number, attested = Buffer.alloc(0)): Buffer {
  const relyingParty = createHash('sha256').update(new URL(page.url).hostname).digest();
  return Buffer.concat([relyingParty, Buffer.from([flags]), Buffer.alloc(4), attested]);
}

function ceremonyOf(page: Page, purpose: Purpose): { clientData: Buffer } {
  const tag = new RegExp(`data-passkey="${purpose}"[^>]*data-options="([^"]*)"`).exec(page.html)?.[1];
  if (!tag) throw new Error(`no ceremony on ${page.url}`);
  const { challenge } = JSON.parse(unescapeHtml(tag)) as { challenge: string };
  const type = `webauthn.${purpose}`;
  const { origin } = new URL(page.url);
  return { clientData: Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })) };
}

function bytesOf(coordinate: string | undefined): Uint8Array {
  return new Uint8Array(Buffer.from(coordinate ?? '', 'base64url'));
}
