// What a record of the engine looks like at rest, in every store alike: without the values that would let a reader of
// the store act as somebody.
import type { AdapterPayload } from 'oidc-provider';
import { sha256 } from '../src/secrets.ts';

/** Stands where an interaction's address contains its own id. */
const OWN_ID = '{id}';

/** Neither the record's own id nor the cookie value of the session that it belongs to reaches the disk. */
export function withoutSecrets(id: string, payload: AdapterPayload): Record<string, unknown> {
  const { jti: _id, session, returnTo, ...rest } = payload;
  const { cookie: _cookie, ...storedSession } = session ?? {};
  return {
    ...rest,
    ...(session ? { session: storedSession } : {}),
    ...(returnTo ? { returnTo: returnTo.replaceAll(id, OWN_ID) } : {}),
  };
}

export function withSecrets(id: string, payload: AdapterPayload): AdapterPayload {
  const { returnTo } = payload;
  return { ...payload, jti: id, ...(returnTo ? { returnTo: returnTo.replaceAll(OWN_ID, id) } : {}) };
}

const ISSUED_UNDER_A_GRANT = ['AuthorizationCode', 'DeviceCode', 'AccessToken', 'RefreshToken'];

/** What ends with a grant. An interaction also names one, but goes on when that is revoked. */
export function grantIdOf(model: string, id: string, payload: AdapterPayload): string | undefined {
  if (model === 'Grant') return id;
  return ISSUED_UNDER_A_GRANT.includes(model) ? payload.grantId : undefined;
}

const BY_HASH = 'hash:';

/** A device code that was found by what a person typed is known by its hash alone: the code itself stays with the device. */
export function idHashOf(model: string, id: string): string {
  return model === 'DeviceCode' && isByHash(id) ? id.slice(BY_HASH.length) : sha256(id);
}

/** Stands in the place of its id. No code of the engine has a colon. */
export function idByHash(idHash: string): string {
  return BY_HASH + idHash;
}

export function isByHash(id: string): boolean {
  return id.startsWith(BY_HASH);
}

/** What else a record is found by: a session by its uid, a device code by what a person types. */
export function secondNameOf({ uid, userCode }: AdapterPayload): string | undefined {
  return uid ?? userCode;
}
