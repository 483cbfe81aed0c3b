// What an application is to the engine beyond the standard's metadata, and how its secret is compared: several may
// be valid at once, and only their hashes are kept.
import Provider, { type Client, type KoaContextWithOIDC } from 'oidc-provider';
import { constantTimeEqual, sha256 } from '../../secrets.ts';

/** Properties that the look-up of applications adds to the standard's metadata. */
export const extraClientProperties = [
  'applicationId',
  'workspaceId',
  'allowedOrigins',
  'secretHashes',
  'isCompatible',
  'isTest',
  'namesSession',
  'allowsDevices',
  'isFapi2',
];

export function applicationIdOf(client: Client): string {
  const { applicationId } = client;
  if (typeof applicationId !== 'string') throw new Error('a client without an application');
  return applicationId;
}

/** Our own pages belong to no company. */
export function workspaceIdOf({ workspaceId }: Client): string | undefined {
  return typeof workspaceId === 'string' ? workspaceId : undefined;
}

export function isPublic(client: Client): boolean {
  return client.clientAuthMethod === 'none';
}

/** Its company has switched it to compatible client rules (docs/decisions/0807). */
export function isCompatible(client: Client): boolean {
  return client.isCompatible === true;
}

/** docs/decisions/1206 */
export function isFapi2(client: Client): boolean {
  return client.isFapi2 === true;
}

/** docs/decisions/1101 */
export function isInTestMode(client: Client): boolean {
  return client.isTest === true;
}

/** Browsers may read an answer only for a single-page application, and only where it is at home or has said so. */
export function isAllowedOrigin(_ctx: KoaContextWithOIDC, origin: string, client: Client): boolean {
  return stringsOf(client.allowedOrigins).includes(origin);
}

/**
 * The engine's own comparison knows one secret in plain text. The prototype is the documented place to replace it;
 * test/spec/authentication.test.ts notices if a release stops calling it.
 */
export function compareSecretHashes(provider: Provider): void {
  provider.Client.prototype.compareClientSecret = function compareClientSecret(presented: string): boolean {
    const presentedHash = sha256(presented);
    // Every hash is compared, so the time says nothing about which one matched.
    const isValid = stringsOf(this.secretHashes)
      .map((hash) => constantTimeEqual(hash, presentedHash))
      .includes(true);
    // For secret-use.ts. The client itself is shared by all requests, so it is no place to keep this.
    if (isValid && Provider.ctx) Provider.ctx.state.clientSecretHash = presentedHash;
    return isValid;
  };
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
