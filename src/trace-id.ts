// One name for one attempt to sign in, the same on every page, at the token endpoint, in the usage event and for the
// company that looks for it (section 7: what went wrong, and for whom). Nothing has to be stored or handed on for it:
// client and nonce are there at every step, and section 4.2 makes the nonce new for each attempt.
import { createHash } from 'node:crypto';

const TRACE_CHARACTERS = 22;

export function traceIdOf(clientId: string, nonce: string): string {
  const digest = createHash('sha256').update(`${clientId} ${nonce}`).digest('base64url');
  return `trc_${digest.slice(0, TRACE_CHARACTERS)}`;
}
