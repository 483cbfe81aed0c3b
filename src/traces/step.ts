// The closed vocabulary of a sign-in trace: every step that an attempt can take, and every reason why one failed, each
// with what the company reads and what to do about it. The client gets only the plain OAuth error.

import { assuranceReasons } from './assurance-reasons.ts';
import { type Explanation, requestReasons, tokenReasons } from './protocol-reasons.ts';

export const stepTexts = {
  device_code_issued: 'A device asked for a code',
  page_opened: 'The sign-in page was opened',
  registration_opened: 'The registration page was opened',
  code_mailed: 'A one-time code was emailed',
  code_not_mailed: 'No code was emailed',
  code_refused: 'A one-time code was refused',
  password_refused: 'A password was refused',
  passkey_refused: 'A passkey was refused',
  signed_in_by_code: 'Signed in with a one-time code',
  signed_in_by_password: 'Signed in with a password',
  signed_in_by_passkey: 'Signed in with a passkey',
  signed_in_by_provider: 'Signed in with a social account',
  account_asked: 'The person was asked which account to use',
  account_kept: 'The person continued with the account they are signed in to',
  turned_away: 'The person was turned away',
  consent_asked: 'Consent was requested',
  consent_given: 'Consent was given',
  consent_denied: 'Consent was denied',
  device_asked: 'The person was asked whether a device may sign in',
  device_confirmed: 'The person let the device sign in',
  device_refused: 'The person refused the device',
  cancelled: 'The sign-in was cancelled',
  scopes_ignored: 'Unknown scopes were ignored',
  request_refused: 'The authorization request was refused',
  token_refused: 'The token request was refused',
  recording_cut: 'Further steps were not recorded',
} as const;

export type SignInStep = keyof typeof stepTexts;

const pageReasons = {
  wrong_code: { what: 'The code was not the one in the email.', todo: 'Nothing. The person can try again.' },
  late_code: {
    what: 'The emailed code had expired.',
    todo: 'Nothing. The person can request a new one. If this happens often, check how long your email takes to arrive.',
  },
  spent_code: {
    what: 'The emailed code had already been used, or was tried too often.',
    todo: 'Nothing. The person can request a new one.',
  },
  too_many_codes: {
    what: 'Too many wrong codes for this address. Codes are blocked for a while.',
    todo: 'If it wasn’t the person, someone is guessing codes. The account is protected.',
  },
  too_many_mails: {
    what: 'It was too soon for another code, or the address had reached its limit of emails.',
    todo: 'Nothing. The page tells the person how long to wait.',
  },
  not_a_test_address: {
    what: 'In test mode, codes are only emailed to members of the workspace and to test addresses. This was neither.',
    todo: 'Add the address under Test mode on the application’s page, or go live.',
  },
  wrong_password: {
    what: 'The email address or password was wrong.',
    todo: 'Nothing. The page offers an emailed code instead.',
  },
  too_many_passwords: {
    what: 'Too many wrong passwords. Password sign-in is blocked for a while.',
    todo: 'Nothing. An emailed code still works.',
  },
  passkey_unreadable: {
    what: 'The browser’s passkey response could not be read.',
    todo: 'Nothing. The page offers an emailed code instead.',
  },
  passkey_expired: {
    what: 'The passkey page had expired, or its response was sent twice.',
    todo: 'Nothing. The person can try again.',
  },
  passkey_unknown: {
    what: 'The passkey belongs to no account. It may have been removed.',
    todo: 'Nothing. The page offers an emailed code instead.',
  },
  passkey_wrong: {
    what: 'The passkey’s signature was invalid.',
    todo: 'Nothing. The page offers an emailed code instead.',
  },
  passkey_cloned: {
    what: 'The passkey’s counter went backwards. It may have been cloned.',
    todo: 'Ask the person to remove that passkey on their account page.',
  },
  person_cancelled: {
    what: 'The person chose “Cancel”.',
    todo: 'Handle access_denied in your callback with a page of your own.',
  },
  person_denied: {
    what: 'The person did not agree to share what your application asked for.',
    todo: 'Ask for fewer scopes if this happens often.',
  },
  device_denied: {
    what: 'The person did not let the device sign in. Its next request gets access_denied.',
    todo: 'Show that on the device, and offer to begin again.',
  },
} satisfies Record<string, Explanation>;

const cut = {
  too_many_steps: {
    what: 'More steps happened in this minute than we keep for one application.',
    todo: 'Sign-ins are not affected, but failure counts are too low for this period.',
  },
} satisfies Record<string, Explanation>;

export const reasonTexts = {
  ...pageReasons,
  ...requestReasons,
  ...assuranceReasons,
  ...tokenReasons,
  ...cut,
};
export type SignInReason = keyof typeof reasonTexts;

export function isReason(text: string): text is SignInReason {
  return Object.hasOwn(reasonTexts, text);
}

export function isStep(text: string): text is SignInStep {
  return Object.hasOwn(stepTexts, text);
}
