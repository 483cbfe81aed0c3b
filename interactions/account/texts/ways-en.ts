// Texts of the account page about the ways in (passkeys, linked accounts) and the way out (data, deletion), in English: the
// shape that all other languages must fill.

export const enWays = {
  passkeys: {
    heading: 'Passkeys',
    lead: 'A passkey is kept by your device and used with your fingerprint, face or screen lock. Nobody can trick it out of you.',
    count: (count: number) => (count === 1 ? 'You have one passkey.' : `You have ${count} passkeys.`),
    none: 'You have no passkey.',
    manage: 'Manage',
    yours: 'Your passkeys',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    addHeading: 'Add a passkey',
    addLead: 'On this device, on a phone near it, or on a security key.',
    add: 'Add a passkey',
    name: 'Name',
    nameHint: 'So that you know later which one it is.',
    nothing: 'No passkey was made. You can try again.',
    needsScript: 'To add a passkey, this page needs JavaScript and a browser that knows passkeys.',
    rename: 'Name of this passkey',
    remove: 'Remove this passkey',
    removeLead:
      'It cannot sign you in any more. Browsers that are signed in stay signed in. Delete it on your device as well, or the device will still offer it.',
    removeButton: 'Remove',
  },

  social: {
    heading: 'Linked accounts',
    lead: 'Sign in with an account that you have elsewhere.',
    always: (email: string) => `Whatever you unlink: a code sent to ${email} always remains a way in.`,
    none: 'No account is linked.',
    some: (names: string) => `Linked: ${names}.`,
    manage: 'Manage',
    notLinked: 'Not linked',
    address: 'Address there',
    linked: 'Linked',
    lastUsed: 'Last used',
    never: 'never',
    link: (provider: string) => `Link ${provider}`,
    unlink: (provider: string) => `Unlink ${provider}`,
  },

  data: {
    heading: 'Your data',
    lead: 'Take a copy with you, or delete the account.',
    download: 'Download my data',
    downloadLead:
      'Everything that is stored about you, as one JSON file: account, passkeys (without keys), linked accounts, sessions, memberships, applications.',
    show: 'Show',
    delete: 'Delete my account',
    deleteLead: 'For good, and at once.',
  },

  deletion: {
    heading: 'Delete your account',
    lead: 'This cannot be taken back. You get a new, empty account if you ever come back.',
    gone: 'What is deleted',
    goneItems: [
      'Your name, your address, your password, passkeys and linked accounts',
      'Every session, here and in every browser, and what applications may read from us about you',
      'Your memberships of companies on this service, and invitations to your address',
    ],
    kept: 'What remains',
    keptApplications:
      'The applications you used keep what they stored about you themselves: your address, your name, orders, messages. Ask each of them if you want that deleted as well.',
    keptLedger: 'Our books keep that somebody signed in there, under a number that leads to nobody any more.',
    yourApplications: 'You used:',
    handOver: 'First hand over your company',
    handOverLead:
      'You are the only owner of these companies, and they have applications that people sign in to. Make somebody else an owner, or delete the applications:',
    confirm: 'Your address, to confirm',
    confirmHint: (email: string) => `Type ${email}`,
    button: 'Delete my account for good',
  },
  deleted: {
    heading: 'Your account is deleted',
    lead: 'You are signed out everywhere. A last mail confirms it.',
    again: 'Make a new account',
  },
};

export type WaysTexts = typeof enWays;
