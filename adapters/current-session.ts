// The session of the request that the engine is answering, for what it saves under that session.
import Provider from 'oidc-provider';
import { sha256 } from '../src/secrets.ts';

/** `sessions.uid_hash`; undefined outside of a browser's request. */
export function currentSessionHash(): string | undefined {
  const uid = Provider.ctx?.oidc?.session?.uid;
  return uid && sha256(uid);
}
