// Certificates that this machine does not trust, wherever one is met: how such an error is told from others, and what the
// operator does about it.

/** OpenSSL's names, and its words for them: some libraries put a code of their own in place of the name. */
const SIGNS: [code: string, words: string][] = [
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unable to get local issuer certificate'],
];

export function isUnknownAuthority(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown };
  // Node puts advice behind the words.
  const isOne = SIGNS.some(([name, words]) => code === name || String(message).startsWith(words));
  return isOne || isUnknownAuthority(cause);
}

/** Node reads the variable when it starts, before any file of settings. */
export const NAME_THE_AUTHORITY =
  'Its certificate is signed by an authority that this machine does not know: start with NODE_EXTRA_CA_CERTS=/path/to/authority.pem in the environment, not in .env.';
