// Texts of the account page about passkeys, linked accounts, data and deletion, in English: the shape that all other languages must fill.

export const enWays = {
  passkeys: {
    heading: 'Passkeys',
    lead: 'Sign in with your fingerprint, face or screen lock. Passkeys stay on your devices and can’t be phished.',
    count: (count: number) => (count === 1 ? 'You have one passkey.' : `You have ${count} passkeys.`),
    none: 'You have no passkeys.',
    manage: 'Manage',
    yours: 'Your passkeys',
    created: 'Created',
    lastUsed: 'Last used',
    never: 'never',
    addHeading: 'Add a passkey',
    addLead: 'On this device, on a nearby phone, or on a security key.',
    add: 'Add a passkey',
    name: 'Name',
    nameHint: 'A name that helps you recognize it later.',
    nothing: 'No passkey was created. You can try again.',
    needsScript: 'To add a passkey, you need JavaScript and a browser that supports passkeys.',
    rename: 'Name of this passkey',
    remove: 'Remove this passkey',
    removeLead:
      'You can no longer sign in with it. Browsers that are signed in stay signed in. Delete it on your device too, or the device will keep offering it.',
    removeButton: 'Remove',
  },

  social: {
    heading: 'Linked accounts',
    lead: 'Sign in with an account you have elsewhere.',
    always: (email: string) => `You can always sign in with a code sent to ${email}, whatever you unlink.`,
    none: 'No accounts are linked.',
    some: (names: string) => `Linked: ${names}.`,
    manage: 'Manage',
    notLinked: 'Not linked',
    address: 'Email address there',
    linked: 'Linked',
    lastUsed: 'Last used',
    never: 'never',
    link: (provider: string) => `Link ${provider}`,
    unlink: (provider: string) => `Unlink ${provider}`,
  },

  data: {
    heading: 'Your data',
    lead: 'Download a copy, or delete your account.',
    download: 'Download my data',
    downloadLead:
      'Everything we store about you, as one JSON file: account, passkeys (without keys), linked accounts, sessions, memberships and applications.',
    show: 'Show',
    delete: 'Delete my account',
    deleteLead: 'Permanent, and immediate.',
  },

  deletion: {
    heading: 'Delete your account',
    lead: 'This cannot be undone. If you ever come back, you get a new, empty account.',
    gone: 'What is deleted',
    goneItems: [
      'Your name, email address, password, passkeys and linked accounts',
      'Every session in every browser, and what applications can read about you here',
      'Your memberships in companies on this service, and invitations sent to your address',
    ],
    kept: 'What remains',
    keptApplications:
      'The applications you used keep what they stored about you themselves: your email address, name, orders, messages. To have that deleted, ask each application.',
    keptLedger:
      'Our billing records keep that somebody signed in there, under a number that can no longer be traced to you.',
    yourApplications: 'You used:',
    handOver: 'Hand over your company first',
    handOverLead:
      'You are the only owner of these companies, and people sign in to their applications. Make someone else an owner, or delete the applications:',
    confirm: 'Your email address, to confirm',
    confirmHint: (email: string) => `Type ${email}`,
    button: 'Permanently delete my account',
  },
  deleted: {
    heading: 'Your account is deleted',
    lead: 'You are signed out everywhere. We’ve sent you a last email to confirm it.',
    again: 'Create a new account',
  },
};

export type WaysTexts = typeof enWays;
