// Why the engine refused a request, in the words of src/traces/step.ts. The client gets the plain OAuth
// error; the engine's own reason is in the error's detail, or in its description where that says enough.

import { TollgateError } from '../../errors.ts';
import type { SignInReason } from '../../traces/step.ts';

export type Refusal = {
  error: string;
  error_description?: string | undefined;
  error_detail?: string | undefined;
};

type Rule = [match: RegExp, reason: SignInReason];

const byRequestError: Partial<Record<string, SignInReason>> = {
  invalid_redirect_uri: 'callback_not_registered',
  invalid_client: 'application_disabled',
  invalid_scope: 'scope_malformed',
  unmet_authentication_requirements: 'acr_unmet',
  unsupported_response_type: 'response_type_unsupported',
  unsupported_response_mode: 'response_mode_unsupported',
  invalid_request_uri: 'pushed_request_over',
  invalid_request_object: 'signed_request_invalid',
  invalid_dpop_proof: 'proof_invalid',
  unauthorized_client: 'pushed_by_public',
  request_not_supported: 'request_object',
  request_uri_not_supported: 'request_object',
  invalid_target: 'resource_unknown',
  registration_not_supported: 'request_object',
};

const requestRules: Rule[] = [
  [/Pushed Authorization Request must be used/, 'push_required'],
  [/Request Object must be used/, 'signature_required'],
  [/DPoP proof/, 'proof_invalid'],
  [/request and request_uri parameters/, 'request_object'],
  [/missing required parameters? .*\bredirect_uri/, 'callback_missing'],
  [/missing required parameter state/, 'state_missing'],
  [/missing required parameter nonce/, 'nonce_missing'],
  [/missing required parameter scope/, 'scope_missing'],
  [/missing required parameters? .*\bresponse_type/, 'response_type_missing'],
  // The engine asks for a mode that goes with the type, and finds none.
  [/response_mode is not allowed/, 'response_type_missing'],
  [/scope openid is required|openid scope must be requested/, 'openid_missing'],
  [/code_challenge_method must be provided|value of code_challenge_method/, 'challenge_method_wrong'],
  [/code_challenge must be provided|requires PKCE/, 'challenge_missing'],
  [/^code_challenge (must|contains)/m, 'challenge_malformed'],
  [/^(unsupported )?prompt/m, 'prompt_invalid'],
  [/id_token_hint/, 'hint_invalid'],
  [/must not be provided twice/, 'parameter_repeated'],
  [/scope names none of/, 'resource_scope_missing'],
  [/somebody else signed in/, 'somebody_else'],
  [/max_age/, 'max_age_invalid'],
  [/\bclaims\b/, 'claims_invalid'],
  [/device_code is not allowed for this client/, 'devices_off'],
  [/request body|content-type bodies/, 'request_unreadable'],
];

/** Answers that the protocol foresees (`prompt=none` without a session, the person said no) are no refusals. */
const expected = [
  'login_required',
  'consent_required',
  'interaction_required',
  'access_denied',
  'use_dpop_nonce',
];

export function reasonOfRequestRefusal(refusal: Refusal): SignInReason | undefined {
  const found = firstMatch(requestRules, refusal);
  if (found) return found;
  if (expected.includes(refusal.error)) return undefined;
  return byRequestError[refusal.error] ?? 'request_malformed';
}

const tokenRules: Rule[] = [
  [/DPoP proof JWT not provided|missing DPoP proof/, 'proof_missing'],
  [/DPoP|dpop_jkt|jkt verification/, 'proof_invalid'],
  [/client_assertion|client assertion|alg mismatch|audience \(aud\)|iss \(JWT issuer\)/, 'assertion_invalid'],
  [/code_verifier does not match/, 'verifier_mismatch'],
  [/code_verifier must be provided/, 'verifier_missing'],
  [/^code_verifier (must|contains)/m, 'verifier_malformed'],
  [/authorization code is expired/, 'code_expired'],
  [/device code is expired/, 'device_code_expired'],
  [/device code not found/, 'device_code_unknown'],
  [/refresh token already used|RefreshToken already consumed/, 'refresh_token_used'],
  [/already consumed|charged before/, 'code_used'],
  [/authorization code not found/, 'code_unknown'],
  [/redirect_uri mismatch/, 'callback_differs'],
  [/invalid secret provided/, 'secret_wrong'],
  [/must only be provided using one mechanism/, 'secret_twice'],
  [/missing required parameter/, 'parameter_missing'],
  [/grant not found|grant is expired/, 'sign_in_ended'],
  [/referenced account not found|accountId mismatch/, 'account_gone'],
  [/refresh token (not found|is expired)/, 'refresh_token_unknown'],
  [/balance of .* too low/, 'balance_too_low'],
  [/test mode full/, 'test_mode_full'],
  [/application went live/, 'went_live'],
  [/client gone/, 'connection_closed'],
  [/must not be provided twice/, 'parameter_repeated'],
  [/client not found/, 'application_disabled'],
  [/authorization header|client_secret must be provided in the Auth/, 'secret_unreadable'],
  [/client_id mismatch/, 'client_differs'],
  [/no client authentication mechanism/, 'client_missing'],
  [/unsupported code_challenge_method/, 'verifier_unexpected'],
  [/grant type is not allowed/, 'grant_type_unsupported'],
  [/contains invalid characters/, 'scope_malformed'],
  [/request body|content-type bodies/, 'token_request_unreadable'],
];

/** @returns undefined for what is no refusal of ours: a store that does not answer, a rate limit. */
export function reasonOfTokenRefusal(
  refusal: Refusal,
  { isPublic, isRefresh }: { isPublic: boolean; isRefresh: boolean },
): SignInReason | undefined {
  const text = textOf(refusal);
  if (/mechanism does not match/.test(text)) return isPublic ? 'secret_unexpected' : 'secret_missing';
  if (/^origin .* not allowed for client/m.test(text))
    return isPublic ? 'origin_not_registered' : 'origin_of_backend';
  if (/client mismatch/.test(text)) return isRefresh ? 'refresh_token_unknown' : 'code_of_other_application';
  const found = firstMatch(tokenRules, refusal);
  if (found) return found;
  if (refusal.error === 'use_dpop_nonce') return undefined;
  if (refusal.error === 'invalid_dpop_proof') return 'proof_invalid';
  // The engine says no more of an assertion that it could not read or verify.
  if (refusal.error === 'invalid_client') return 'assertion_invalid';
  if (refusal.error === 'unsupported_grant_type') return 'grant_type_unsupported';
  if (refusal.error === 'invalid_target') return 'resource_unknown';
  if (refusal.error === 'invalid_scope') return 'scope_wider';
  if (refusal.error === 'invalid_grant') return 'account_gone';
  return refusal.error === 'invalid_request' ? 'token_request_malformed' : undefined;
}

/** A refusal of our own, thrown after the engine had issued the tokens. */
export function refusalOf(thrown: unknown): Refusal | undefined {
  if (!(thrown instanceof TollgateError)) return undefined;
  return { error: thrown.code, error_description: thrown.description, error_detail: thrown.detail ?? '' };
}

function firstMatch(rules: Rule[], refusal: Refusal): SignInReason | undefined {
  return rules.find(([match]) => match.test(textOf(refusal)))?.[1];
}

function textOf({ error_detail: detail, error_description: description }: Refusal): string {
  return `${detail ?? ''}\n${description ?? ''}`;
}
