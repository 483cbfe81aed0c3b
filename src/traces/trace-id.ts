// One name for one attempt to sign in, the same on every page, at the token endpoint, in the usage event and for the
// company that looks for it. Its first part follows from client and nonce, so that whoever has logged the nonce finds
// the attempt; its second part is ours, because some clients repeat their nonce.
import { createHash, randomBytes } from 'node:crypto';

const NONCE_CHARACTERS = 22;
const OWN_BYTES = 6;

/** Of an attempt that begins now. Without a nonce there is nothing that the client could look it up by. */
export function newTraceId(clientId: string, nonce: string | undefined): string {
  const first = nonce === undefined ? randomBytes(18).toString('base64url') : digest(clientId, nonce);
  return `trc_${first.slice(0, NONCE_CHARACTERS)}${randomBytes(OWN_BYTES).toString('base64url')}`;
}

/** What the names of all attempts with this nonce begin with; a name by itself for what is no attempt. */
export function traceIdOf(clientId: string, nonce: string): string {
  return `trc_${digest(clientId, nonce)}`;
}

/** Such a beginning, as against a whole name. */
export function isBeginning(name: string): boolean {
  return name.length === 'trc_'.length + NONCE_CHARACTERS;
}

function digest(clientId: string, nonce: string): string {
  return createHash('sha256').update(`${clientId} ${nonce}`).digest('base64url').slice(0, NONCE_CHARACTERS);
}
