// Every text of the account page in English: the shape that all other languages must fill.
import { enWays } from './ways-en.ts';

export const en = {
  heading: 'Your account',
  lead: 'Your name, your email address, and how you sign in.',
  account: 'Account',
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  change: 'Change',
  save: 'Save',

  signedOut: { heading: 'You are signed out', lead: 'You can close this page now.', again: 'Sign in again' },
  notSignedIn: {
    heading: 'You are not signed in',
    cancelled: 'The sign-in was cancelled.',
    lost: 'You started in another browser or too long ago, or this browser blocks cookies for this site.',
    refused: 'This sign-in was already used or took too long. Start again.',
    again: 'Sign in',
  },

  profile: {
    heading: 'Name',
    name: 'Name',
    noName: 'Not set',
    changeName: 'Change your name',
    nameLead: 'Applications that can see your name see the new one right away.',
  },

  password: {
    heading: 'Password',
    isSet: 'You can sign in with a password.',
    isNotSet: 'You sign in without a password: with emailed codes, a passkey or a linked account.',
    set: 'Set a password',
    change: 'Change your password',
    changeLead: 'This signs you out everywhere else.',
    remove: 'Remove your password',
    removeLead: 'You’ll sign in with emailed codes, a passkey or a linked account instead.',
  },

  ...enWays,

  done: {
    address: 'Your email address has been changed. We let your old address know.',
    sessionEnded: 'Session ended.',
    sessionsEnded: 'All other sessions ended.',
    accessWithdrawn: 'Access removed. You are signed out of the application.',
    passkeyAdded: 'Passkey added.',
    passkeyRenamed: 'Passkey renamed.',
    passkeyRemoved: 'Passkey removed.',
    socialLinked: 'Account linked. You can now sign in with it.',
    socialThere: 'That account is already linked.',
    socialUnlinked: 'Account unlinked. You can no longer sign in with it.',
    name: 'Your name has been changed.',
    passwordSet: 'Your password has been set. You are signed out everywhere else.',
    passwordRemoved: 'Your password has been removed. You are signed out everywhere else.',
  },
  problems: {
    sameAddress: 'This is already your email address.',
    addressTaken: 'An account already uses this address. Choose another one.',
    changeOver: 'The code has expired, or the change was cancelled. Start again.',
    sessionGone: 'That session has already ended.',
    passkeyName: 'Give the passkey a name of at most 60 characters.',
    passkeyTooMany: 'You have reached the limit of passkeys. Remove one first.',
    passkeyNotMade: 'That passkey couldn’t be added. Nothing has changed. Try again.',
    socialCancelled: 'You cancelled. Nothing was linked.',
    socialFailed: 'The provider couldn’t confirm who you are. Nothing was linked. Try again later.',
    socialOver:
      'That link was already used, has expired, or belongs to another browser. Nothing was linked. Start again.',
    socialTaken:
      'That account is linked to someone else’s account here. Nothing was linked. If both are yours, sign in with it and unlink it there first.',
    socialSecond: 'Another account of that provider is linked already. Unlink it first.',
    deletionAddress: 'That is not your email address. Nothing was deleted.',
    deletionOwner:
      'You are the only owner of a company that has applications. Hand it over first. Nothing was deleted.',
    name: 'Enter a name of at most 100 characters.',
    tooLate:
      'It has been too long since you signed in. Open the page again and confirm it’s you. Nothing has changed.',
    unknown: 'That didn’t work. Nothing has changed.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'A passkey was removed',
      body: (email: string, what: string) =>
        `The passkey “${what}” was just removed from the account ${email}. It can no longer be used to sign in.`,
    },
    socialUnlinked: {
      subject: 'A linked account was removed',
      body: (email: string, what: string) =>
        `Your ${what} account was just unlinked from the account ${email}. You can no longer sign in with it, but you can still sign in with an emailed code.`,
    },
    accountDeleted: {
      subject: 'Your account was deleted',
      body: (email: string) =>
        `The account ${email} was just deleted, along with everything that identifies you, and every session was ended. This is the last email about it. Applications you used keep whatever they stored themselves.`,
    },
    passwordSet: {
      subject: 'Your password was set',
      body: (email: string) =>
        `The password of the account ${email} was just set. All other sessions were ended.`,
    },
    passwordRemoved: {
      subject: 'Your password was removed',
      body: (email: string) =>
        `The password of the account ${email} was just removed. All other sessions were ended.`,
    },
  },
  noticeWarning:
    'If this wasn’t you, sign in now, end all other sessions on your account page, and change your email password.',
};

export type AccountTexts = typeof en;
