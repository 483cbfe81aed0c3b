// Every text of the hosted pages and mails, in English: the shape that all other languages must fill.
// `app` is the application's name; durations arrive ready-made in the language ("9 minutes").
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
} from '../../src/limits/credentials.ts';
import { personNameCharacters } from '../../src/limits/requests.ts';

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
    backTo: (app: string) => `Back to ${app}`,
    languages: 'Language',
    passwordRules: `At least ${passwordMinimumCharacters} characters. A few unrelated words work well; no special characters needed.`,
  },

  signIn: {
    over: 'That sign-in is no longer valid. Sign in again.',
    heading: 'Sign in',
    lead: (app: string) => `to continue to ${app}`,
    hint: 'We’ll email you a code. No password needed.',
    usePassword: 'Use a password',
    newHere: 'New here?',
    createAccount: 'Create an account',
  },

  register: {
    heading: 'Create your account',
    lead: (app: string) => `to continue to ${app}`,
    passwordHint: 'Leave this empty to sign in with emailed codes instead.',
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
      'With a passkey you sign in with your fingerprint, face or screen lock instead of a code. Passkeys can’t be phished.',
    nothingHappened: 'No passkey was chosen. Try again, or sign in another way.',
    notCreated: 'That passkey couldn’t be saved. Try again, or continue without one.',
    refused:
      'That passkey doesn’t work here. Sign in another way. You can manage your passkeys on your account page.',
  },

  social: {
    continueWith: (provider: string) => `Continue with ${provider}`,
    failed: (provider: string) =>
      `${provider} couldn’t confirm who you are. Nothing has changed. Try again, or sign in another way.`,
    cancelled: (provider: string) =>
      `You didn’t finish signing in with ${provider}. Try again, or sign in another way.`,
    over: 'That sign-in link has already been used or has expired. Start again.',
    proofHeading: 'One more step',
    proofKnown: (provider: string) =>
      `An account with this address already exists. Before you can sign in to it with ${provider}, confirm once that it’s yours.`,
    proofUnknown: (provider: string) =>
      `${provider} didn’t confirm your email address. Enter it, and we’ll email you a code.`,
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
    resendIn: (duration: string) => `You can request a new code in ${duration}.`,
    otherAddress: 'Use another address',
    noneSent: 'We can’t send a code to this address right now.',
    locked: (duration: string) => `Too many wrong codes for this address. Codes work again in ${duration}.`,
    notArrived: 'No email? Check your spam folder, or check the address.',
    wrong: 'That code is incorrect.',
    expired: 'That code has expired. Request a new one.',
    usedUp: 'Too many wrong codes. Request a new one to continue.',
    sent: 'A new code is on its way. Earlier codes no longer work.',
  },

  newcomer: {
    heading: 'Nice to meet you',
    lead: 'Your email address is confirmed. Create an account for',
    submit: 'Create account',
  },

  password: {
    heading: 'Enter your password',
    lead: (app: string) => `to continue to ${app}`,
    submit: 'Sign in',
    useCode: 'Email me a code instead',
    forgot: 'Forgot your password?',
    wrong:
      'Wrong email address or password, or the account has no password. You can always sign in with an emailed code.',
  },

  recover: {
    heading: 'Reset your password',
    lead: 'Enter your email address. We’ll email you a code to confirm that it’s yours.',
    submit: 'Email me a code',
    backToSignIn: 'Back to sign-in',
  },

  newPassword: {
    heading: 'Choose a new password',
    lead: 'You will be signed out everywhere else.',
    account: 'Account',
    submit: 'Set new password',
  },

  consent: {
    heading: (app: string) => `Continue to ${app}?`,
    lead: (app: string) => `${app} will see the following about you. Nothing else is shared.`,
    identifier: 'A unique identifier for you',
    identifierDetail: 'Created for this application only. Other applications can’t recognize you by it.',
    email: 'Your email address',
    profile: 'Your name',
    profileEmpty: 'You haven’t added one.',
    offline: 'Access while you are away',
    offlineDetail:
      'It can keep using your account after you leave, until you sign out or it has not been used for a long time.',
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
    lead: 'If nothing happens, press the button.',
  },

  logout: {
    heading: 'Sign out?',
    lead: (app: string | undefined) =>
      app ? `${app} is asking to sign you out.` : 'You will be signed out in this browser.',
    submit: 'Sign out',
    stay: 'Stay signed in',
    doneHeading: 'You are signed out',
    doneLead: 'You can close this page.',
    stayedHeading: 'You are still signed in',
    stayedLead: (app: string | undefined) =>
      app ? `${app} no longer has access to this session.` : 'Nothing has changed.',
  },

  problems: {
    invalidEmail: 'Enter a complete email address, such as name@example.com.',
    missingName: 'Enter your name.',
    longName: `Use at most ${personNameCharacters} characters.`,
    missingPassword: 'Enter your password.',
    passwordTooShort: `Use at least ${passwordMinimumCharacters} characters.`,
    passwordTooLong: `Use at most ${passwordMaximumCharacters} characters.`,
    passwordTooCommon: 'This is one of the most common passwords. Choose another one.',
    passwordTooGuessable:
      'This password is easy to guess. Add a few unrelated words, and leave out your name and email address.',
  },

  errors: {
    reservedHeading: 'This address can’t be used yet',
    reserved:
      'Another account used this address until a few days ago and can still reclaim it. If that account is yours, open the link in the email about the change. Otherwise, try again in seven days.',
    reference: 'Reference',
    forDevelopers: 'For developers',
    expiredHeading: 'This link has expired',
    expired: (duration: string) =>
      `Sign-in pages are valid for ${duration}. Go back to the application and start again.`,
    finishedHeading: 'Already finished',
    finished:
      'This sign-in was already completed or cancelled, perhaps in another tab. Close this page, or go back to the application and start again.',
    cookiesHeading: 'Your browser didn’t send our cookie',
    cookies:
      'Sign-in only works in the browser where you started, with cookies allowed for this site. Allow cookies, go back to the application and start again.',
    tooManyHeading: 'Too many attempts',
    tooMany: (duration: string) => `To keep accounts safe, please wait. Try again in ${duration}.`,
    balanceHeading: 'Sign-in isn’t available right now',
    balance:
      'This application can’t complete sign-ins at the moment. It’s nothing you did. Try again later, or contact the application.',
    requestHeading: 'This request can’t be completed',
    request: (app = 'The application') =>
      `${app} sent you here with a request we can’t accept. Go back and try again. If it keeps happening, contact its support.`,
    formHeading: 'This form is no longer valid',
    form: 'It expired, or it was opened in another browser. Go back, reload the page and try again.',
    toStart: 'Go to the start page',
    toSettings: 'Company settings',
    toAccount: 'Your account',
    notFoundHeading: 'There is nothing here',
    notFound: 'Check the address, or go back to where you came from.',
    busyHeading: 'Back in a moment',
    busy: 'The service is busy or restarting. Your details are safe. Try again shortly.',
    unknownHeading: 'Something went wrong',
    unknown: 'This is our fault, not yours. Try again. If it keeps happening, send us the reference below.',
  },

  mail: {
    greeting: 'Hello,',
    codeSubject: (code: string, app: string) => `${code} is your ${app} code`,
    codeIntro: (app: string) => `Enter this code on the page where you requested it to continue to ${app}:`,
    recoverSubject: (code: string, app: string) => `${code} is your ${app} password reset code`,
    recoverIntro: 'Enter this code on the page where you requested it to choose a new password:',
    codeValid: (duration: string) =>
      `It expires in ${duration} and works once, in the browser where you requested it.`,
    codeWarning:
      'Never share it: we will never ask you for it. If you did not request it, you can ignore this email.',
    passkeyAddedSubject: 'A passkey was added',
    passkeyAddedIntro: (email: string, name: string) =>
      `A passkey (${name}) was just added to the account ${email}. Anyone who can unlock the device can sign in with it.`,
    passkeyAddedWarning:
      'If this wasn’t you, remove it on your account page now, and change your email password.',
    claimedSubject: 'Your address is confirmed',
    claimedIntro: (email: string, provider: string) =>
      `The account ${email} was created with ${provider}, and you just confirmed with a code that the address is yours. To make sure nobody else can use the account, we removed its password, passkeys and linked accounts, and ended all other sessions.`,
    claimedAdvice: (provider: string) =>
      `If you were the one who used ${provider}, choose it again the next time you sign in. One more code links it permanently.`,
    linkedSubject: (provider: string) => `You can now sign in with ${provider}`,
    linkedIntro: (provider: string, email: string) =>
      `Your ${provider} account was just linked to the account ${email}. You can now sign in with it.`,
    linkedWarning:
      'If this wasn’t you, someone may have access to your email. Change your email password, and unlink the account on your account page.',
    changedSubject: 'Your password was changed',
    changedIntro: (email: string) =>
      `The password of the account ${email} was just changed. All other sessions were ended.`,
    changedRemaining: (ways: string[]) =>
      `You can still sign in with: ${ways.join(', ')}. If one of these isn’t yours, remove it on your account page.`,
    changedWarning:
      'If this wasn’t you, set a new password now: choose “Forgot your password?” on the sign-in page. Someone may also have access to your email, so change your email password too.',
  },
};

export type Texts = typeof en;
