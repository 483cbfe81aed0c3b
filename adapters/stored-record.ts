// What a record of the engine looks like at rest, in every store alike: without the values that would let a reader of
// the store act as somebody.
import type { AdapterPayload } from 'oidc-provider';

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

const ISSUED_UNDER_A_GRANT = ['AuthorizationCode', 'AccessToken', 'RefreshToken'];

/** What ends with a grant. An interaction also names one, but goes on when that is revoked. */
export function grantIdOf(model: string, id: string, payload: AdapterPayload): string | undefined {
  if (model === 'Grant') return id;
  return ISSUED_UNDER_A_GRANT.includes(model) ? payload.grantId : undefined;
}
