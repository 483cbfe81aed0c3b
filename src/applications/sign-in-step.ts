// The closed vocabulary of a sign-in trace: every step that an attempt can take, and every reason why one failed, each
// with what the company reads and what to do about it (section 7: the client gets only the plain OAuth error).

export const stepTexts = {
  page_opened: 'The sign-in page was opened',
  registration_opened: 'The registration page was opened',
  code_mailed: 'A one-time code was mailed',
  code_not_mailed: 'No code was mailed',
  code_refused: 'A one-time code was refused',
  password_refused: 'A password was refused',
  passkey_refused: 'A passkey was refused',
  signed_in_by_code: 'Signed in with a one-time code',
  signed_in_by_password: 'Signed in with a password',
  signed_in_by_passkey: 'Signed in with a passkey',
  signed_in_by_provider: 'Signed in with a social account',
  consent_asked: 'Consent was asked for',
  consent_given: 'Consent was given',
  consent_denied: 'Consent was denied',
  cancelled: 'The sign-in was cancelled',
  request_refused: 'The authorization request was refused',
  token_refused: 'The token request was refused',
  recording_cut: 'Further steps were not recorded',
} as const;

export type SignInStep = keyof typeof stepTexts;

type Explanation = { what: string; todo: string };

const tryAgain = 'Nothing to change: a new attempt works.';
const checkRequest = 'Compare the authorization request of your client with docs/clients.md.';

const pageReasons = {
  wrong_code: { what: 'The code was not the one in the mail.', todo: 'Nothing: the person may try again.' },
  late_code: {
    what: 'The code from the mail had expired.',
    todo: 'Nothing: the person may ask for a new one. If it happens often, look at how long your mail takes.',
  },
  spent_code: {
    what: 'The code from the mail had been used, or tried too often.',
    todo: 'Nothing: the person may ask for a new one.',
  },
  too_many_codes: {
    what: 'Too many wrong codes for this address; it rests for a while.',
    todo: 'If the person did not do this, somebody is guessing; the codes are protected.',
  },
  too_many_mails: {
    what: 'It was too soon for another code, or the address had got as many as it may.',
    todo: 'Nothing: the person waits, as the page says.',
  },
  wrong_password: {
    what: 'Address and password did not belong together.',
    todo: 'Nothing: the page offers a code by mail instead.',
  },
  too_many_passwords: {
    what: 'Too many wrong passwords; the password rests for a while.',
    todo: 'Nothing: a code by mail still works.',
  },
  passkey_unreadable: {
    what: 'The browser sent no readable answer of a passkey.',
    todo: 'Nothing: the page offers a code by mail instead.',
  },
  passkey_expired: {
    what: 'The page with the passkey was too old, or its answer was sent twice.',
    todo: 'Nothing: the person may try again.',
  },
  passkey_unknown: {
    what: 'The passkey belongs to no account; it was removed, perhaps.',
    todo: 'Nothing: the page offers a code by mail instead.',
  },
  passkey_wrong: {
    what: 'The passkey’s signature was not right for this page.',
    todo: 'Nothing: the page offers a code by mail instead.',
  },
  passkey_cloned: {
    what: 'The passkey’s counter went back: a copy of it may exist.',
    todo: 'Ask the person to remove that passkey on their account page.',
  },
  person_cancelled: { what: 'The person pressed “Cancel”.', todo: 'Show your own page to access_denied.' },
  person_denied: {
    what: 'The person did not agree to show your application what it asked for.',
    todo: 'Ask for fewer scopes if this happens often.',
  },
} satisfies Record<string, Explanation>;

const requestReasons = {
  callback_not_registered: {
    what: 'redirect_uri is not one of the registered callback addresses, character by character.',
    todo: 'Add it under Addresses, or send exactly what is registered.',
  },
  callback_missing: { what: 'redirect_uri was missing.', todo: 'Send it with every request.' },
  state_missing: {
    what: 'state was missing.',
    todo: 'Send a new random state with each attempt, and compare it.',
  },
  nonce_missing: {
    what: 'nonce was missing.',
    todo: 'Send a new random nonce with each attempt, and compare it.',
  },
  scope_missing: { what: 'scope was missing.', todo: 'Send scope=openid and what else you need.' },
  scope_unknown: {
    what: 'scope contained something other than openid, email, profile, offline_access.',
    todo: 'Ask for these four only.',
  },
  openid_missing: { what: 'scope did not contain openid.', todo: 'Add openid to scope.' },
  challenge_missing: {
    what: 'code_challenge was missing: the request came without PKCE.',
    todo: 'Switch PKCE with S256 on in your client library.',
  },
  challenge_method_wrong: {
    what: 'code_challenge_method was missing or not S256.',
    todo: 'Set it to S256; plain is not accepted.',
  },
  challenge_malformed: {
    what: 'code_challenge was not the base64url of a SHA-256 (43 characters).',
    todo: 'Hash the verifier with SHA-256 and encode it as base64url without padding.',
  },
  response_type_unsupported: { what: 'response_type was not code.', todo: 'Send response_type=code.' },
  response_mode_unsupported: { what: 'response_mode was not query.', todo: 'Leave response_mode out.' },
  prompt_invalid: {
    what: 'prompt had a value that does not exist, or none together with another.',
    todo: checkRequest,
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
  request_malformed: { what: 'The request was not valid.', todo: checkRequest },
} satisfies Record<string, Explanation>;

const tokenReasons = {
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
  token_request_malformed: { what: 'The token request was not valid.', todo: tryAgain },
} satisfies Record<string, Explanation>;

const cut = {
  too_many_steps: {
    what: 'More steps happened in this minute than are kept for one application.',
    todo: 'The sign-ins themselves were not touched; counts of failures are too low for this time.',
  },
} satisfies Record<string, Explanation>;

export const reasonTexts = { ...pageReasons, ...requestReasons, ...tokenReasons, ...cut };
export type SignInReason = keyof typeof reasonTexts;

export function isReason(text: string): text is SignInReason {
  return Object.hasOwn(reasonTexts, text);
}

export function isStep(text: string): text is SignInStep {
  return Object.hasOwn(stepTexts, text);
}
