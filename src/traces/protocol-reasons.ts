// Why an authorization or token request was refused: for each reason what happened, and what to do about it. The rest of a
// trace's vocabulary is in sign-in-step.ts.

export type Explanation = { what: string; todo: string };

/** The other cure is a switch, and its price is on its page (docs/decisions/0807). */
const orCompatible =
  'If your software cannot, an owner can switch the application to compatible client rules.';

export const requestReasons = {
  callback_not_registered: {
    what: 'redirect_uri does not exactly match a registered callback address.',
    todo: 'Add it under Addresses, or send a registered address exactly.',
  },
  callback_missing: { what: 'redirect_uri was missing.', todo: 'Send it with every request.' },
  state_missing: {
    what: 'state was missing.',
    todo: `Turn on state in your library, with a new value for each attempt. ${orCompatible}`,
  },
  nonce_missing: {
    what: 'nonce was missing.',
    todo: `Turn on nonce in your library, with a new value for each attempt. ${orCompatible}`,
  },
  scope_missing: { what: 'scope was missing.', todo: 'Send scope=openid and anything else you need.' },
  /** Of releases that refused it. */
  scope_unknown: {
    what: 'scope contained something other than openid, email, profile, offline_access.',
    todo: 'Request only these four.',
  },
  scope_malformed: {
    what: 'scope contained a character that is not allowed.',
    todo: 'Separate scopes with single spaces, without quotes or line breaks.',
  },
  resource_unknown: {
    what: 'resource named an API that this application may not ask for, or none that exists.',
    todo: 'Send its identifier exactly, and choose this application on the API’s page under APIs.',
  },
  resource_scope_missing: {
    what: 'resource named an API, but scope contained none of its scopes.',
    todo: 'Add at least one scope of that API to scope, or leave resource out.',
  },
  parameters_missing: {
    what: 'Several required parameters were missing.',
    todo: `docs/clients.md names the setting of common libraries. ${orCompatible}`,
  },
  openid_missing: { what: 'scope did not contain openid.', todo: 'Add openid to scope.' },
  challenge_missing: {
    what: 'code_challenge was missing: the request came without PKCE.',
    todo: `Turn on PKCE with S256 in your library. ${orCompatible}`,
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
    what: 'prompt had an unknown value, or combined none with another value.',
    todo: 'Send none on its own, or any of login, consent, select_account and create.',
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
    what: 'The request required an authentication level (an essential acr) that was not reached.',
    todo: 'Require a value listed in acr_values_supported, or request it with acr_values, which is voluntary.',
  },
  hint_invalid: {
    what: 'id_token_hint was not an ID Token of this application.',
    todo: 'Send the last ID Token unchanged, or leave the hint out.',
  },
  request_object: {
    what: 'The browser carried request, registration or a request_uri that is not ours.',
    todo: 'Send plain parameters, or push the request from your backend and send its request_uri.',
  },
  parameter_repeated: { what: 'A parameter was sent twice.', todo: 'Send each parameter once.' },
  somebody_else: {
    what: 'Someone other than the person in id_token_hint signed in.',
    todo: 'Leave the hint out if anyone may sign in.',
  },
  application_disabled: {
    what: 'The application is disabled or deleted.',
    todo: 'Enable it under Overview, or use another application’s Client ID.',
  },
  devices_off: {
    what: 'The device grant was used, but signing in on devices is off for this application.',
    todo: 'An owner can switch it on under Overview.',
  },
  request_unreadable: {
    what: 'The request could not be read.',
    todo: 'Send the parameters in the query, or as application/x-www-form-urlencoded.',
  },
  request_malformed: {
    what: 'The request was refused for a reason we do not explain here yet.',
    todo: 'The line below is the protocol’s own error. Compare it with docs/clients.md.',
  },
} satisfies Record<string, Explanation>;

export const tokenReasons = {
  verifier_mismatch: {
    what: 'The verifier did not match the challenge.',
    todo: 'Store each attempt’s verifier with its state. Two tabs or two servers may have overwritten it.',
  },
  verifier_missing: {
    what: 'code_verifier was missing.',
    todo: 'Send the verifier you created for this attempt.',
  },
  verifier_malformed: {
    what: 'code_verifier did not have 43 to 128 of the allowed characters.',
    todo: 'Use 32 random bytes, encoded as base64url.',
  },
  code_expired: {
    what: 'The code had expired. Codes are valid for 60 seconds.',
    todo: 'Exchange it as soon as your callback is called, and check what delays that.',
  },
  code_used: {
    what: 'The code had already been used.',
    todo: 'Exchange each code once, never retry an exchange, and check whether your callback is loaded twice.',
  },
  code_unknown: {
    what: 'The code was never issued, or it expired long ago.',
    todo: 'Send the code exactly as you received it. Someone may also be calling your callback with made-up codes.',
  },
  device_code_expired: {
    what: 'Nobody let the device sign in before its code expired after 15 minutes.',
    todo: 'Let the device begin again, and show how long a code is valid.',
  },
  device_code_unknown: {
    what: 'The device code was never issued, or it expired long ago.',
    todo: 'Stop asking after expires_in, and send device_code exactly as you received it.',
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
    todo: 'Compare it with those under Credentials. It may have been rotated or have expired.',
  },
  secret_missing: {
    what: 'The request had no Client Secret.',
    todo: 'Send client_secret in the form, or use HTTP Basic authentication.',
  },
  secret_unexpected: {
    what: 'A Client Secret was sent for a public client, which has none.',
    todo: 'Turn off client authentication (method “none”) in your library.',
  },
  secret_unreadable: {
    what: 'The Authorization header was not Basic with Client ID and Client Secret.',
    todo: 'Form-encode both, join them with a colon and encode the result as base64. Or send the secret in the form.',
  },
  client_differs: {
    what: 'client_id in the form is not the one in the Authorization header.',
    todo: 'Send the same Client ID in both, or in only one of them.',
  },
  client_missing: {
    what: 'The token request named no client.',
    todo: 'Send client_id, and client_secret unless the application is public.',
  },
  origin_not_registered: {
    what: 'A page on an origin that is not registered called the token endpoint. Its script cannot read the response.',
    todo: 'If the origin is yours, register it.',
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
    what: 'The client authenticated in two ways at once.',
    todo: 'Send the secret in the form or the header, not both.',
  },
  parameter_missing: {
    what: 'The token request was missing a parameter.',
    todo: 'It needs grant_type, code, redirect_uri, client_id and code_verifier.',
  },
  grant_type_unsupported: {
    what: 'grant_type was not authorization_code or refresh_token, or was the device grant, which is off.',
    todo: 'Use one of these two. An owner can switch on signing in on devices under Overview. client_credentials is for services.',
  },
  balance_too_low: {
    what: 'The balance of the application was too low.',
    todo: 'Top it up. The person can then sign in again.',
  },
  test_mode_full: {
    what: 'The application is in test mode, which has room for 100 customers, and this would have been one more.',
    todo: 'Go live: open the application in settings.',
  },
  went_live: {
    what: 'The application went live while the person was signing in.',
    todo: 'Start a new sign-in.',
  },
  sign_in_ended: {
    what: 'The sign-in had ended: the person signed out, set a new password or ended their sessions.',
    todo: 'Start a new sign-in.',
  },
  account_gone: { what: 'The account had been deleted.', todo: 'Start a new sign-in.' },
  refresh_token_unknown: {
    what: 'The refresh token is no longer valid, or never was.',
    todo: 'Start a new sign-in when a refresh fails.',
  },
  refresh_token_used: {
    what: 'The refresh token had already been used, so all tokens of this sign-in were revoked.',
    todo: 'Store the refresh token from each response. Two tabs must not share one.',
  },
  scope_wider: {
    what: 'The refresh requested more scopes than the sign-in had.',
    todo: 'Request the same scopes or fewer.',
  },
  connection_closed: {
    what: 'Your side closed the connection before the tokens were sent. The charge was reversed.',
    todo: 'Set a timeout of at least ten seconds for the token request.',
  },
  token_request_unreadable: {
    what: 'The token request could not be read.',
    todo: 'Send its parameters in the body as application/x-www-form-urlencoded.',
  },
  token_request_malformed: {
    what: 'The token request was refused for a reason that has no words here yet.',
    todo: 'The line below is the protocol’s own error. Compare it with docs/clients.md.',
  },
} satisfies Record<string, Explanation>;
