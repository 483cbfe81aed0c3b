// Why an authorization or token request was refused: for each reason what happened, and what to do about it. The rest of a
// trace's vocabulary is in sign-in-step.ts.

export type Explanation = { what: string; todo: string };

/** The other cure is a switch, and its price is on its page (docs/decisions/0807). */
const orCompatible =
  'If your software cannot, an owner may switch the application to compatible client rules.';

export const requestReasons = {
  callback_not_registered: {
    what: 'redirect_uri is not one of the registered callback addresses, character by character.',
    todo: 'Add it under Addresses, or send exactly what is registered.',
  },
  callback_missing: { what: 'redirect_uri was missing.', todo: 'Send it with every request.' },
  state_missing: {
    what: 'state was missing.',
    todo: `Switch state on in your library, new for each attempt. ${orCompatible}`,
  },
  nonce_missing: {
    what: 'nonce was missing.',
    todo: `Switch nonce on in your library, new for each attempt. ${orCompatible}`,
  },
  scope_missing: { what: 'scope was missing.', todo: 'Send scope=openid and what else you need.' },
  /** Of releases that refused it. */
  scope_unknown: {
    what: 'scope contained something other than openid, email, profile, offline_access.',
    todo: 'Ask for these four only.',
  },
  scope_malformed: {
    what: 'scope contained a character that scopes are not written with.',
    todo: 'Separate scopes by single spaces, without quotes or line breaks.',
  },
  parameters_missing: {
    what: 'Several required parameters were missing.',
    todo: `docs/clients.md names the setting of common libraries. ${orCompatible}`,
  },
  openid_missing: { what: 'scope did not contain openid.', todo: 'Add openid to scope.' },
  challenge_missing: {
    what: 'code_challenge was missing: the request came without PKCE.',
    todo: `Switch PKCE with S256 on in your library. ${orCompatible}`,
  },
  challenge_method_wrong: {
    what: 'code_challenge_method was missing or not S256.',
    todo: 'Set it to S256; plain is not accepted.',
  },
  challenge_malformed: {
    what: 'code_challenge was not the base64url of a SHA-256 (43 characters).',
    todo: 'Hash the verifier with SHA-256 and encode it as base64url without padding.',
  },
  response_type_missing: { what: 'response_type was missing.', todo: 'Send response_type=code.' },
  response_type_unsupported: { what: 'response_type was not code.', todo: 'Send response_type=code.' },
  response_mode_unsupported: {
    what: 'response_mode was neither query nor form_post.',
    todo: 'Leave response_mode out.',
  },
  prompt_invalid: {
    what: 'prompt had a value that does not exist, or none together with another.',
    todo: 'Send none alone, or any of login, consent, select_account and create.',
  },
  max_age_invalid: {
    what: 'max_age was not a whole number of seconds.',
    todo: 'Send digits only, such as max_age=300, or leave it out.',
  },
  claims_invalid: {
    what: 'claims was not what OpenID Connect Core §5.5 describes.',
    todo: 'Send a JSON object with id_token or userinfo, each an object of claims.',
  },
  acr_unmet: {
    what: 'The request required a strength of sign-in (an essential acr) that was not reached.',
    todo: 'Require a value of acr_values_supported, or ask for it by acr_values, which is a wish.',
  },
  hint_invalid: {
    what: 'id_token_hint was not an ID Token of this application.',
    todo: 'Send the last ID Token unchanged, or leave the hint out.',
  },
  request_object: {
    what: 'The request used request, request_uri or registration, which are not offered.',
    todo: 'Send plain parameters.',
  },
  parameter_repeated: { what: 'A parameter was sent twice.', todo: 'Send each parameter once.' },
  somebody_else: {
    what: 'Somebody else signed in than id_token_hint names.',
    todo: 'Ask for a sign-in without the hint if that is welcome.',
  },
  application_disabled: {
    what: 'The application is disabled or deleted.',
    todo: 'Enable it under Overview, or use the Client ID of another one.',
  },
  request_unreadable: {
    what: 'The request could not be read.',
    todo: 'Send the parameters in the query, or as application/x-www-form-urlencoded.',
  },
  request_malformed: {
    what: 'The request was refused for a reason that has no words here yet.',
    todo: 'The line below is what the protocol says about it; compare it with docs/clients.md.',
  },
} satisfies Record<string, Explanation>;

export const tokenReasons = {
  verifier_mismatch: {
    what: 'The verifier did not match the challenge.',
    todo: 'Keep the verifier of each attempt with its state; two tabs or two servers may have overwritten it.',
  },
  verifier_missing: {
    what: 'code_verifier was missing.',
    todo: 'Send the verifier that you made for this attempt.',
  },
  verifier_malformed: {
    what: 'code_verifier did not have 43 to 128 of the allowed characters.',
    todo: 'Use 32 random bytes as base64url.',
  },
  code_expired: {
    what: 'The code had expired: it lives for 60 seconds.',
    todo: 'Exchange it as soon as your callback is called, and look at what delays that.',
  },
  code_used: {
    what: 'The code had been used before.',
    todo: 'Exchange each code once; never retry an exchange, and look for a callback that is loaded twice.',
  },
  code_unknown: {
    what: 'The code is not one that was issued, or it is gone for long.',
    todo: 'Pass the code on exactly as it arrived. Somebody may also be calling your callback with made-up codes.',
  },
  code_of_other_application: {
    what: 'The code was issued to another Client ID.',
    todo: 'Use one Client ID in both requests of an attempt.',
  },
  callback_differs: {
    what: 'redirect_uri differs from the one in the authorization request.',
    todo: 'Send the same address in both requests.',
  },
  secret_wrong: {
    what: 'The Client Secret was wrong.',
    todo: 'Compare its first characters with those under Credentials; it may have been rotated or expired.',
  },
  secret_missing: {
    what: 'The request came without a Client Secret.',
    todo: 'Send client_secret in the form, or Basic authentication.',
  },
  secret_unexpected: {
    what: 'A Client Secret was sent for a public client, which has none.',
    todo: 'Switch client authentication off (method “none”) in your library.',
  },
  secret_unreadable: {
    what: 'The Authorization header was not Basic with Client ID and Client Secret.',
    todo: 'Encode both as a form would, join them by a colon, and encode that as base64; or send the secret in the form.',
  },
  client_differs: {
    what: 'client_id in the form is not the one in the Authorization header.',
    todo: 'Send the same Client ID in both, or in one of them only.',
  },
  client_missing: {
    what: 'The token request named no client.',
    todo: 'Send client_id, and client_secret unless the application is public.',
  },
  origin_not_registered: {
    what: 'A page on an origin that is not registered called the token endpoint. Its script can read nothing of the answer.',
    todo: 'Register the origin, if it is yours.',
  },
  origin_of_backend: {
    what: 'A browser called the token endpoint for a confidential application, or its backend sent an Origin header.',
    todo: 'Exchange the code on your server without an Origin header, or create a public application for pages that exchange it themselves.',
  },
  verifier_unexpected: {
    what: 'code_verifier was sent, but the authorization request had no code_challenge.',
    todo: 'Send code_challenge with the authorization request, or no verifier.',
  },
  secret_twice: {
    what: 'The client proved itself in two ways at once.',
    todo: 'Send the secret in the form or in the header, not in both.',
  },
  parameter_missing: {
    what: 'The token request lacked a parameter.',
    todo: 'It needs grant_type, code, redirect_uri, client_id and code_verifier.',
  },
  grant_type_unsupported: {
    what: 'grant_type was not authorization_code or refresh_token.',
    todo: 'Use one of these two.',
  },
  balance_too_low: {
    what: 'The balance of the application was too low.',
    todo: 'Top it up; the person then signs in anew.',
  },
  sign_in_ended: {
    what: 'The sign-in had been ended: signed out, a new password, or its sessions were ended.',
    todo: 'Start a new sign-in.',
  },
  account_gone: { what: 'The account had been deleted.', todo: 'Start a new sign-in.' },
  refresh_token_unknown: {
    what: 'The refresh token is not valid any more, or never was.',
    todo: 'Start a new sign-in when a refresh fails.',
  },
  refresh_token_used: {
    what: 'The refresh token had been used before, so all tokens of this sign-in were ended.',
    todo: 'Keep the refresh token of each answer; two tabs must not share one.',
  },
  scope_wider: {
    what: 'The refresh asked for more scopes than the sign-in had.',
    todo: 'Ask for the same or fewer.',
  },
  connection_closed: {
    what: 'Your side closed the connection before the tokens were sent; the charge was taken back.',
    todo: 'Give the token request at least ten seconds.',
  },
  token_request_unreadable: {
    what: 'The token request could not be read.',
    todo: 'Send its parameters in the body as application/x-www-form-urlencoded.',
  },
  token_request_malformed: {
    what: 'The token request was refused for a reason that has no words here yet.',
    todo: 'The line below is what the protocol says about it; compare it with docs/clients.md.',
  },
} satisfies Record<string, Explanation>;
