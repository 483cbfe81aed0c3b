// The algorithms that tokens for applications are signed with; each application has one of them.

export const signingAlgorithms = ['RS256', 'ES256', 'EdDSA'] as const;
export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** OpenID Connect Core §15.1: every library has to know it. */
export const defaultSigningAlgorithm: SigningAlgorithm = 'RS256';

export function isSigningAlgorithm(text: unknown): text is SigningAlgorithm {
  return signingAlgorithms.some((algorithm) => algorithm === text);
}
