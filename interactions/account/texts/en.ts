// Every text of the account page in English: the shape that all other languages must fill.
import { enWays } from './ways-en.ts';

export const en = {
  heading: 'Your account',
  lead: 'Your name, your address, and the ways in.',
  account: 'Account',
  signedInAs: 'Signed in as',
  signOut: 'Sign out',
  change: 'Change',
  save: 'Save',

  signedOut: { heading: 'You are signed out', lead: 'You can close this page now.', again: 'Sign in again' },
  notSignedIn: {
    heading: 'You are not signed in',
    cancelled: 'The sign-in was cancelled.',
    lost: 'It was begun in another browser, too long ago, or this browser keeps no cookies of this site.',
    refused: 'It was used before or took too long. Please begin again.',
    again: 'Sign in',
  },

  profile: {
    heading: 'Name',
    name: 'Name',
    noName: 'You have not told us one',
    changeName: 'Change your name',
    nameLead: 'Applications that may see your name see the new one at once.',
  },

  password: {
    heading: 'Password',
    isSet: 'You can sign in with a password.',
    isNotSet: 'You sign in without a password: with codes by email, a passkey or a linked account.',
    set: 'Set a password',
    change: 'Change your password',
    changeLead: 'Signs out every other browser and application.',
    remove: 'Remove the password',
    removeLead: 'You then sign in with codes by email, a passkey or a linked account.',
  },

  ...enWays,

  done: {
    address: 'Your address is changed. The old one was told.',
    sessionEnded: 'The session has ended.',
    sessionsEnded: 'All other sessions have ended.',
    accessWithdrawn: 'Access is withdrawn. The application was signed out.',
    passkeyAdded: 'The passkey is added.',
    passkeyRenamed: 'The passkey has its new name.',
    passkeyRemoved: 'The passkey is removed.',
    socialLinked: 'The account is linked: from now on it can sign you in.',
    socialThere: 'That account was linked already.',
    socialUnlinked: 'The account is unlinked: it cannot sign you in any more.',
    name: 'Your name is changed.',
    passwordSet: 'Your password is set. Every other session has ended.',
    passwordRemoved: 'Your password is removed. Every other session has ended.',
  },
  problems: {
    sameAddress: 'This is the address of your account already.',
    addressTaken: 'This address belongs to an account already. Choose another one.',
    changeOver: 'The code has expired, or the change was ended. Begin again.',
    sessionGone: 'There is no such session any more.',
    passkeyName: 'Give the passkey a name of at most 60 characters.',
    passkeyTooMany: 'You have as many passkeys as an account can have. Remove one first.',
    passkeyNotMade: 'That passkey could not be added. Please try again; nothing has changed.',
    socialCancelled: 'Nothing was linked: you cancelled it there.',
    socialFailed: 'The provider did not tell us who you are. Nothing was linked; please try again later.',
    socialOver:
      'That way back was used before, took too long, or was begun in another browser. Nothing was linked; please begin again.',
    socialTaken:
      'That account already signs somebody else in here. Nothing was linked. If both are yours, sign in with it and unlink it there first.',
    socialSecond: 'Another account of that provider is linked already. Unlink it first.',
    deletionAddress: 'That is not the address of this account. Nothing was deleted.',
    deletionOwner:
      'You are the only owner of a company that has applications. Hand it over first; nothing was deleted.',
    name: 'Enter a name of at most 100 characters.',
    tooLate:
      'Too much time has passed since you signed in. Open the page again and confirm that it is you; nothing has changed.',
    unknown: 'That did not work. Nothing has changed.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'A passkey was removed',
      body: (email: string, what: string) =>
        `The passkey “${what}” was just removed from the account ${email}. It cannot sign in any more.`,
    },
    socialUnlinked: {
      subject: 'A linked account was removed',
      body: (email: string, what: string) =>
        `Your ${what} account was just unlinked from the account ${email}. It cannot sign you in any more; a code by mail still can.`,
    },
    accountDeleted: {
      subject: 'Your account was deleted',
      body: (email: string) =>
        `The account ${email} was just deleted, with everything that names you, and every session was ended. This is the last mail about it. Applications that you used keep what they stored themselves.`,
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
    'If this was not you, sign in now, end all other sessions on your account page, and change the password of your mailbox.',
};

export type AccountTexts = typeof en;
