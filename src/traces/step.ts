// The closed vocabulary of a sign-in trace: every step that an attempt can take, and every reason why one failed, each
// with what the company reads and what to do about it. The client gets only the plain OAuth error.

import { type Explanation, requestReasons, tokenReasons } from './protocol-reasons.ts';

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
  account_asked: 'The person was asked which account to use',
  account_kept: 'The person went on with the account they are signed in to',
  consent_asked: 'Consent was asked for',
  consent_given: 'Consent was given',
  consent_denied: 'Consent was denied',
  cancelled: 'The sign-in was cancelled',
  scopes_ignored: 'Scopes that do not exist were left out',
  request_refused: 'The authorization request was refused',
  token_refused: 'The token request was refused',
  recording_cut: 'Further steps were not recorded',
} as const;

export type SignInStep = keyof typeof stepTexts;

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
