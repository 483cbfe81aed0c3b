// Every text of the hosted pages and mails, in English: the shape that all other languages must fill.
// `app` is the application's name; durations arrive ready-made in the language ("9 minutes").
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
  personNameCharacters,
} from '../../src/limits/protocol.ts';

export const en = {
  languageName: 'English',

  shared: {
    email: 'Email address',
    name: 'Your name',
    password: 'Password',
    newPassword: 'New password',
    optional: 'optional',
    continue: 'Continue',
    or: 'or',
    back: 'Back',
    cancel: (app: string) => `Cancel and return to ${app}`,
    languages: 'Language',
    passwordRules: `At least ${passwordMinimumCharacters} characters. A few unrelated words work well; no special characters needed.`,
  },

  signIn: {
    over: 'That sign-in is no longer valid. Please sign in again.',
    heading: 'Sign in',
    lead: (app: string) => `to continue to ${app}`,
    hint: 'We will email you a code. No password needed.',
    usePassword: 'Use a password',
    newHere: 'New here?',
    createAccount: 'Create an account',
  },

  register: {
    heading: 'Create your account',
    lead: (app: string) => `to continue to ${app}`,
    passwordHint: 'Leave it empty to sign in with codes by email.',
    submit: 'Create account',
    haveAccount: 'Already have an account?',
    signIn: 'Sign in',
  },

  passkey: {
    use: 'Use a passkey',
    create: 'Create a passkey',
    later: 'Not now',
    offerHeading: 'Faster next time?',
    offerLead:
      'With a passkey you sign in by fingerprint, face or screen lock instead of a code. It stays with you, and nobody can trick you out of it.',
    nothingHappened: 'Nothing was chosen. Try again, or go on in another way.',
    notCreated: 'That passkey could not be saved. Try again, or go on without one.',
    refused:
      'That passkey does not work here. Sign in another way; on your account page you can look after your passkeys.',
  },

  social: {
    continueWith: (provider: string) => `Continue with ${provider}`,
    failed: (provider: string) =>
      `${provider} could not tell us who you are. Nothing has changed. Try again, or sign in another way.`,
    cancelled: (provider: string) => `You did not finish at ${provider}. Try again, or sign in another way.`,
    over: 'That way back was used before, or it took too long. Please start again.',
    proofHeading: 'One more step',
    proofKnown: (provider: string) =>
      `There is an account with this address already. Before ${provider} can open it, confirm once that it is yours.`,
    proofUnknown: (provider: string) =>
      `${provider} did not confirm an email address. Tell us yours, and we will email you a code.`,
    sendCode: 'Email me a code',
    otherWay: 'Sign in another way',
  },

  code: {
    heading: 'Check your email',
    lead: `We sent a ${oneTimeCodeDigits}-digit code to`,
    label: 'Code',
    validFor: (duration: string) => `The code is valid for another ${duration}.`,
    attemptsLeft: (count: number) =>
      count === 1 ? 'You have one attempt left.' : `You have ${count} attempts left.`,
    resend: 'Send a new code',
    resendIn: (duration: string) => `You can ask for a new code in ${duration}.`,
    otherAddress: 'Use another address',
    notArrived: 'Nothing there? Look in the spam folder, or check the address.',
    wrong: 'That code is not right.',
    expired: 'That code has expired. Send yourself a new one.',
    usedUp: 'Too many wrong codes. Send yourself a new one to go on.',
    sent: 'A new code is on its way. Earlier codes no longer work.',
  },

  newcomer: {
    heading: 'Nice to meet you',
    lead: 'Your address is confirmed. There is no account for it yet:',
    submit: 'Create account',
  },

  password: {
    heading: 'Enter your password',
    lead: (app: string) => `to continue to ${app}`,
    submit: 'Sign in',
    useCode: 'Email me a code instead',
    forgot: 'Forgot your password?',
    wrong:
      'The address and password do not match, or the account has no password. A code by email always works.',
    changed: 'Your new password is set. Sign in with it now.',
  },

  recover: {
    heading: 'Reset your password',
    lead: 'Enter your address. We will email you a code to confirm that it is yours.',
    submit: 'Email me a code',
    backToSignIn: 'Back to sign-in',
  },

  newPassword: {
    heading: 'Choose a new password',
    lead: 'All other sessions of this account will end.',
    account: 'Account',
    submit: 'Set new password',
  },

  consent: {
    heading: (app: string) => `Continue to ${app}?`,
    lead: (app: string) => `${app} will see the following about you. Nothing else is shared.`,
    identifier: 'An identifier for you',
    identifierDetail: 'Made for this application only. It cannot be matched with other applications.',
    email: 'Your email address',
    profile: 'Your name',
    profileEmpty: 'You have not told us one.',
    offline: 'Access while you are away',
    offlineDetail:
      'It stays signed in to your account until you sign out or it has not been used for a long time.',
    allow: 'Allow',
    deny: 'Cancel',
    signedInAs: 'Signed in as',
    otherAccount: 'Use another account',
  },

  choice: {
    heading: 'Which account?',
    keep: (email: string) => `Continue as ${email}`,
  },

  postedAnswer: {
    heading: (app: string) => `Back to ${app}`,
    lead: 'If nothing happens, press the button.',
  },

  logout: {
    heading: 'Sign out?',
    lead: (app: string | undefined) =>
      app ? `${app} asks to end your session.` : 'This ends your session in this browser.',
    submit: 'Sign out',
    stay: 'Stay signed in',
    doneHeading: 'You are signed out',
    doneLead: 'You can close this page now.',
    stayedHeading: 'You are still signed in',
    stayedLead: (app: string | undefined) =>
      app ? `${app} no longer has access to this session.` : 'Nothing has changed.',
  },

  problems: {
    invalidEmail: 'Enter a complete email address, such as name@example.com.',
    missingName: 'Enter your name.',
    longName: `A name has at most ${personNameCharacters} characters.`,
    missingPassword: 'Enter your password.',
    passwordTooShort: `Use at least ${passwordMinimumCharacters} characters.`,
    passwordTooLong: `Use at most ${passwordMaximumCharacters} characters.`,
    passwordTooCommon: 'This password is on lists of common passwords. Choose another one.',
    passwordTooGuessable:
      'This password is easy to guess. Add a few unrelated words, and leave out your name and address.',
  },

  errors: {
    reservedHeading: 'This address cannot be used yet',
    reserved:
      'An account had this address until a few days ago and can still take it back. If that account is yours, open the link in the mail about the change; otherwise try again in seven days.',
    reference: 'Reference',
    forDevelopers: 'For developers',
    backToSignIn: 'Back to sign-in',
    expiredHeading: 'This link has expired',
    expired: (duration: string) =>
      `Sign-in pages are valid for ${duration}. Go back to the application and start again.`,
    finishedHeading: 'Already finished',
    finished:
      'This sign-in was completed or cancelled, perhaps in another tab. You can close this page, or go back to the application and start again.',
    cookiesHeading: 'Your browser did not send our cookie',
    cookies:
      'Sign-in only works in the browser that started it, with cookies allowed for this site. Allow them, go back to the application and start again.',
    tooManyHeading: 'Too many attempts',
    tooMany: (duration: string) => `To protect accounts we ask you to wait. Try again in ${duration}.`,
    balanceHeading: 'Sign-in is not available right now',
    balance:
      'The application cannot complete sign-ins at the moment. You have done nothing wrong; please try again later or contact the application.',
    requestHeading: 'This request cannot be completed',
    request:
      'The application sent you here with a request that we cannot accept. Please go back and try again; if it happens again, tell the application.',
    formHeading: 'This form is no longer valid',
    form: 'It expired, or it was opened in another browser. Go back, reload the page and try again.',
    toStart: 'Go to the start page',
    toSettings: 'Company settings',
    toAccount: 'Your account',
    notFoundHeading: 'There is nothing here',
    notFound: 'Check the address, or go back to where you came from.',
    busyHeading: 'Back in a moment',
    busy: 'The service is busy or restarting. Your details are safe; please try again shortly.',
    unknownHeading: 'Something went wrong',
    unknown: 'The fault is on our side. Please try again; if it happens again, tell us the reference below.',
  },

  mail: {
    greeting: 'Hello,',
    codeSubject: (app: string) => `Your code for ${app}`,
    codeIntro: (app: string) => `Enter this code on the page where you asked for it to continue to ${app}:`,
    recoverSubject: (app: string) => `Reset your password for ${app}`,
    recoverIntro: 'Enter this code on the page where you asked for it to choose a new password:',
    codeValid: (duration: string) =>
      `It is valid for ${duration} and works once, in the browser that asked for it.`,
    codeWarning:
      'Never pass it on: nobody of ours will ask for it. If you did not ask for it, you can ignore this mail.',
    passkeyAddedSubject: 'A passkey was added',
    passkeyAddedIntro: (email: string, name: string) =>
      `A passkey (${name}) was just added to the account ${email}. Whoever has the device and can unlock it can sign in.`,
    passkeyAddedWarning:
      'If this was not you, remove it on your account page now, and change the password of your mailbox.',
    claimedSubject: 'Your address is confirmed',
    claimedIntro: (email: string, provider: string) =>
      `The account ${email} was made with ${provider}, and you have just proven with a code that the address is yours. To be sure that nobody else was there before you, we removed every password, passkey and linked account, and ended all other sessions.`,
    claimedAdvice: (provider: string) =>
      `If it was you who used ${provider}, choose it again at your next sign-in: one more code links it for good.`,
    linkedSubject: (provider: string) => `${provider} can now sign you in`,
    linkedIntro: (provider: string, email: string) =>
      `Your ${provider} account was just connected with the account ${email}. From now on you can sign in with it.`,
    linkedWarning:
      'If this was not you, somebody else may read your mailbox. Change its password, and disconnect it on your account page.',
    changedSubject: 'Your password was changed',
    changedIntro: (email: string) =>
      `The password of the account ${email} was just changed. All other sessions were ended.`,
    changedRemaining: (ways: string[]) =>
      `These other ways to sign in are still there: ${ways.join(', ')}. If one of them is not yours, remove it on your account page.`,
    changedWarning:
      'If this was not you, set a new password now: choose "Forgot your password?" on the sign-in page. Your mailbox may be known to somebody else; change its password as well.',
  },
};

export type Texts = typeof en;
