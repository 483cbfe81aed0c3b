// An application's backend for tests of back-channel logout: a real HTTPS server that keeps what it hears, and verifies
// each logout token with `jose` against the key set, as the documentation tells integrators to.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { createAuthority, issueCertificate, type Received, type Sink, startSink } from '../webhooks/sink.ts';

export type LogoutClaims = JWTPayload & { sid?: string; events?: unknown; nonce?: unknown };
export type Heard = { path: string; received: Received; claims: LogoutClaims; typ: unknown };

export type LogoutReceiver = {
  sink: Sink;
  /** For `openSettingsLab` and `startTollgate`: this receiver is allowed, and its authority is known. */
  environment: Record<string, string>;
  /** Where an application hears; each has a path of its own. */
  urlOf(path: string): string;
  /** What has come to a path until now, verified; oldest first. */
  heard(path: string, expected: { issuer: string; audience: string }): Promise<Heard[]>;
  close(): Promise<void>;
};

export async function startLogoutReceiver(): Promise<LogoutReceiver> {
  const authority = await createAuthority();
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-logout-'));
  await writeFile(join(folder, 'ca.pem'), authority.cert);
  const sink = await startSink({ certificate: await issueCertificate({ authority }) });
  return {
    sink,
    environment: { WEBHOOK_ALLOW_LOOPBACK: 'on', WEBHOOK_CA_FILE: join(folder, 'ca.pem') },
    urlOf: (path) => `https://localhost:${sink.port}/${path}`,
    async heard(path, { issuer, audience }) {
      const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
      return Promise.all(
        sink.received
          .filter((received) => pathOf(received) === `/${path}`)
          .map(async (received) => {
            const token = new URLSearchParams(received.body.toString()).get('logout_token') ?? '';
            const verified = await jwtVerify<LogoutClaims>(token, keys, {
              issuer,
              audience,
              typ: 'logout+jwt',
              algorithms: ['RS256'],
              maxTokenAge: '2 minutes',
              clockTolerance: '1 minute',
            });
            const { payload: claims, protectedHeader } = verified;
            return { path, received, claims, typ: protectedHeader.typ };
          }),
      );
    },
    async close() {
      await sink.close();
      await rm(folder, { recursive: true });
    },
  };
}

export function pathOf({ head }: Received): string {
  return head.split(' ')[1] ?? '';
}
