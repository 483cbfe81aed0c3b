// A client that can do more than a plain sign-in, for the prices of each part: assertions and signed requests are made
// before the clock starts, so that what is measured is the service's.
import { randomUUID } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { BenchApplication } from './company.ts';
import type { HttpAnswer, HttpConnection } from './http-connection.ts';
import { headerOf } from './http-connection.ts';

export type Fields = Record<string, string>;
export type ClientKey = { privateKey: CryptoKey; publicKey: JWK };

export async function newClientKey(): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const jwk = await exportJWK(publicKey);
  return { privateKey, publicKey: { ...jwk, kid: 'bench', alg: 'ES256', use: 'sig' } };
}

export function keySetOf({ publicKey }: ClientKey): { keys: Record<string, unknown>[] } {
  return { keys: [{ ...publicKey }] };
}

const seconds = () => Math.floor(Date.now() / 1000);

/** RFC 7523 §2.2. */
export async function assertionFields(
  issuer: string,
  { clientId }: BenchApplication,
  key: ClientKey,
): Promise<Fields> {
  const assertion = await new SignJWT({ jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench' })
    .setIssuer(clientId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setExpirationTime(seconds() + 60)
    .sign(key.privateKey);
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  return { client_id: clientId, client_assertion_type: type, client_assertion: assertion };
}

/** RFC 9101. */
export async function signedRequest(
  issuer: string,
  { clientId }: BenchApplication,
  key: ClientKey,
  fields: Fields,
): Promise<string> {
  return new SignJWT({ ...fields, client_id: clientId, jti: randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'oauth-authz-req+jwt' })
    .setIssuer(clientId)
    .setAudience(issuer)
    .setIssuedAt()
    .setNotBefore(seconds() - 1)
    .setExpirationTime(seconds() + 60)
    .sign(key.privateKey);
}

export async function post(
  connection: HttpConnection,
  path: string,
  fields: Fields,
  headers: Fields = {},
): Promise<HttpAnswer> {
  const body = new URLSearchParams(fields).toString();
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    `Content-Length: ${body.length}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return connection.ask(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** @returns the code, from the callback or from the form of form_post. */
export async function authorize(
  connection: HttpConnection,
  query: Fields,
  { cookie }: { cookie: string },
): Promise<string> {
  const head = [
    `GET /oauth/authorize?${new URLSearchParams(query)} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Cookie: ${cookie}`,
  ];
  const answer = await connection.ask(`${head.join('\r\n')}\r\n\r\n`);
  const inQuery = /[?&]code=([^&]+)/.exec(headerOf(answer.head, 'location') ?? '');
  const code = (inQuery ?? /name="code" value="([^"]+)"/.exec(answer.body))?.[1];
  if (!code) throw new Error(`no code: ${answer.head} ${answer.body.slice(0, 2_000)}`);
  return code;
}
