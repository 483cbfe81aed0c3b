// The session of the request that the engine is answering, for what it saves under that session, and for its end.
import Provider from 'oidc-provider';
import { sha256 } from '../src/secrets.ts';
import type { EndedGrant } from '../src/webhooks/logout-notice.ts';

/** `sessions.uid_hash`; undefined outside of a browser's request. */
export function currentSessionHash(): string | undefined {
  const uid = Provider.ctx?.oidc?.session?.uid;
  return uid && sha256(uid);
}

export type LoggingOut = { uidHash: string; accountId: string; grants: EndedGrant[] };

/** The session that is logged out by the destruction of its record; one that only gets another id is none. */
export function sessionLoggingOut(id: string): LoggingOut | undefined {
  const { route, session } = Provider.ctx?.oidc ?? {};
  if (route !== 'end_session_confirm' || !session?.accountId || session.jti !== id) return undefined;
  const grants = Object.entries(session.authorizations ?? {}).flatMap(([clientId, { grantId }]) =>
    grantId ? [{ clientId, grantId }] : [],
  );
  return { uidHash: sha256(session.uid), accountId: session.accountId, grants };
}
