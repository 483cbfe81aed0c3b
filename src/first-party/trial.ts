// A member tries the sign-in of their own application (docs/decisions/0501): through the real hosted
// pages, under the application's name and logo, to a callback of ours. To the engine it is a client of its own, whose
// code the token endpoint refuses, so a trial is never charged, counts as no customer and sends no webhook.

const PREFIX = 'trial-';

export function trialClientId(clientId: string): string {
  return PREFIX + clientId;
}

/** The Client ID of the application that is tried; undefined for every other client. */
export function triedClientId(clientId: string): string | undefined {
  return clientId.startsWith(PREFIX) ? clientId.slice(PREFIX.length) : undefined;
}

/** The one callback of a trial. */
export function trialCallbackPath({ id, workspaceId }: { id: string; workspaceId: string }): string {
  return `/settings/${workspaceId}/applications/${id}/try/callback`;
}

export type TrialCode = {
  /** Of the application itself. */
  clientId: string;
  applicationId: string;
  code: string;
  redirectUri: string;
  verifier: string;
  nonce: string;
};

/** What only the engine's door can do. @returns the claims that the application would receive; undefined: no such code */
export type RedeemTrial = (trial: TrialCode) => Promise<Record<string, unknown> | undefined>;
