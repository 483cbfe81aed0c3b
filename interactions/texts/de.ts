// Deutsch, in der Höflichkeitsform.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
} from '../../src/limits/credentials.ts';
import { personNameCharacters } from '../../src/limits/requests.ts';
import type { Texts } from './en.ts';
import { deMail } from './mail-de.ts';

export const de: Texts = {
  languageName: 'Deutsch',

  shared: {
    email: 'E-Mail-Adresse',
    name: 'Ihr Name',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    optional: 'optional',
    continue: 'Weiter',
    or: 'oder',
    back: 'Zurück',
    cancel: (app) => `Abbrechen und zurück zu ${app}`,
    backTo: (app) => `Zurück zu ${app}`,
    languages: 'Sprache',
    passwordRules: `Mindestens ${passwordMinimumCharacters} Zeichen. Gut eignen sich einige Wörter ohne Zusammenhang; Sonderzeichen sind nicht nötig.`,
  },

  signIn: {
    over: 'Diese Anmeldung ist nicht mehr gültig. Melden Sie sich erneut an.',
    heading: 'Anmelden',
    lead: (app) => `um zu ${app} zu gelangen`,
    hint: 'Wir senden Ihnen einen Code per E-Mail. Ein Passwort ist nicht nötig.',
    usePassword: 'Mit Passwort anmelden',
    newHere: 'Neu hier?',
    createAccount: 'Konto erstellen',
  },

  register: {
    heading: 'Konto erstellen',
    lead: (app) => `um zu ${app} zu gelangen`,
    passwordHint: 'Leer lassen, um sich stattdessen mit Codes per E-Mail anzumelden.',
    submit: 'Konto erstellen',
    haveAccount: 'Sie haben schon ein Konto?',
    signIn: 'Anmelden',
  },

  passkey: {
    use: 'Passkey verwenden',
    create: 'Passkey erstellen',
    later: 'Jetzt nicht',
    offerHeading: 'Nächstes Mal schneller?',
    offerLead:
      'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Displaysperre statt mit einem Code an. Passkeys schützen vor Phishing.',
    nothingHappened:
      'Es wurde kein Passkey ausgewählt. Versuchen Sie es noch einmal, oder melden Sie sich anders an.',
    notCreated:
      'Dieser Passkey konnte nicht gespeichert werden. Versuchen Sie es noch einmal, oder fahren Sie ohne fort.',
    refused:
      'Dieser Passkey funktioniert hier nicht. Melden Sie sich anders an. Ihre Passkeys verwalten Sie auf Ihrer Kontoseite.',
  },

  social: {
    continueWith: (provider) => `Weiter mit ${provider}`,
    failed: (provider) =>
      `${provider} konnte Ihre Identität nicht bestätigen. Es hat sich nichts geändert. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
    cancelled: (provider) =>
      `Sie haben die Anmeldung mit ${provider} nicht abgeschlossen. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
    over: 'Dieser Anmeldelink wurde bereits verwendet oder ist abgelaufen. Beginnen Sie noch einmal.',
    proofHeading: 'Noch ein Schritt',
    proofKnown: (provider) =>
      `Mit dieser Adresse gibt es bereits ein Konto. Bevor Sie sich mit ${provider} anmelden können, bestätigen Sie einmal, dass es Ihnen gehört.`,
    proofUnknown: (provider) =>
      `${provider} hat Ihre E-Mail-Adresse nicht bestätigt. Geben Sie sie ein, und wir senden Ihnen einen Code.`,
    sendCode: 'Code per E-Mail senden',
    otherWay: 'Anders anmelden',
  },

  code: {
    heading: 'Prüfen Sie Ihr Postfach',
    lead: `Wir haben einen ${oneTimeCodeDigits}-stelligen Code gesendet an`,
    label: 'Code',
    validFor: (duration) => `Der Code ist noch ${duration} gültig.`,
    attemptsLeft: (count) =>
      count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`,
    resend: 'Neuen Code senden',
    resendIn: (duration) => `In ${duration} können Sie einen neuen Code anfordern.`,
    otherAddress: 'Andere Adresse verwenden',
    noneSent: 'Wir können gerade keinen Code an diese Adresse senden.',
    locked: (duration) => `Zu viele falsche Codes. Versuchen Sie es in ${duration} erneut.`,
    notArrived: 'Keine E-Mail erhalten? Sehen Sie im Spam-Ordner nach, oder prüfen Sie die Adresse.',
    wrong: 'Dieser Code ist falsch.',
    expired: 'Dieser Code ist abgelaufen. Fordern Sie einen neuen an.',
    usedUp: 'Zu viele falsche Codes. Fordern Sie einen neuen an, um fortzufahren.',
    sent: 'Ein neuer Code ist unterwegs. Frühere Codes gelten nicht mehr.',
  },

  newcomer: {
    heading: 'Willkommen',
    lead: 'Ihre E-Mail-Adresse ist bestätigt. Erstellen Sie ein Konto für',
    submit: 'Konto erstellen',
  },

  password: {
    heading: 'Passwort eingeben',
    lead: (app) => `um zu ${app} zu gelangen`,
    submit: 'Anmelden',
    useCode: 'Stattdessen Code per E-Mail senden',
    forgot: 'Passwort vergessen?',
    wrong:
      'E-Mail-Adresse oder Passwort ist falsch, oder das Konto hat kein Passwort. Mit einem Code per E-Mail können Sie sich immer anmelden.',
  },

  recover: {
    heading: 'Passwort zurücksetzen',
    lead: 'Geben Sie Ihre E-Mail-Adresse ein. Wir senden Ihnen einen Code, mit dem Sie bestätigen, dass sie Ihnen gehört.',
    submit: 'Code per E-Mail senden',
    backToSignIn: 'Zurück zur Anmeldung',
  },

  newPassword: {
    heading: 'Neues Passwort wählen',
    lead: 'Auf allen anderen Geräten werden Sie abgemeldet.',
    account: 'Konto',
    submit: 'Neues Passwort festlegen',
  },

  consent: {
    heading: (app) => `Weiter zu ${app}?`,
    lead: (app) => `${app} erhält folgende Angaben über Sie. Mehr wird nicht weitergegeben.`,
    identifier: 'Eine eindeutige Kennung',
    identifierDetail: 'Nur für diese Anwendung erstellt. Andere Anwendungen können Sie daran nicht erkennen.',
    email: 'Ihre E-Mail-Adresse',
    profile: 'Ihr Name',
    profileEmpty: 'Sie haben keinen angegeben.',
    offline: 'Zugriff auch in Ihrer Abwesenheit',
    offlineDetail:
      'Die Anwendung kann Ihr Konto weiter nutzen, bis Sie sich abmelden oder sie lange nicht verwendet wurde.',
    allow: 'Erlauben',
    deny: 'Abbrechen',
    signedInAs: 'Angemeldet als',
    otherAccount: 'Anderes Konto verwenden',
  },

  choice: {
    heading: 'Welches Konto?',
    keep: (email: string) => `Weiter als ${email}`,
  },

  postedAnswer: {
    lead: 'Wenn nichts geschieht, klicken Sie auf die Schaltfläche.',
  },

  logout: {
    heading: 'Abmelden?',
    lead: (app) =>
      app ? `${app} möchte Ihre Sitzung beenden.` : 'Damit endet Ihre Sitzung in diesem Browser.',
    submit: 'Abmelden',
    stay: 'Angemeldet bleiben',
    doneHeading: 'Sie sind abgemeldet',
    doneLead: 'Sie können diese Seite jetzt schließen.',
    stayedHeading: 'Sie sind weiterhin angemeldet',
    stayedLead: (app) =>
      app ? `${app} hat keinen Zugriff mehr auf diese Sitzung.` : 'Es hat sich nichts geändert.',
  },

  problems: {
    invalidEmail: 'Geben Sie eine vollständige E-Mail-Adresse ein, zum Beispiel name@example.com.',
    missingName: 'Geben Sie Ihren Namen ein.',
    longName: `Ein Name hat höchstens ${personNameCharacters} Zeichen.`,
    missingPassword: 'Geben Sie Ihr Passwort ein.',
    passwordTooShort: `Verwenden Sie mindestens ${passwordMinimumCharacters} Zeichen.`,
    passwordTooLong: `Verwenden Sie höchstens ${passwordMaximumCharacters} Zeichen.`,
    passwordTooCommon: 'Dieses Passwort steht auf Listen häufiger Passwörter. Wählen Sie ein anderes.',
    passwordTooGuessable:
      'Dieses Passwort ist leicht zu erraten. Ergänzen Sie einige Wörter ohne Zusammenhang, und verwenden Sie weder Ihren Namen noch Ihre Adresse.',
  },

  errors: {
    reservedHeading: 'Diese Adresse kann noch nicht verwendet werden',
    reserved:
      'Ein anderes Konto hat diese Adresse bis vor wenigen Tagen verwendet und kann sie noch zurückholen. Wenn es Ihr Konto ist, öffnen Sie den Link in der E-Mail über die Änderung. Andernfalls versuchen Sie es in sieben Tagen noch einmal.',
    reference: 'Referenz',
    forDevelopers: 'Für Entwickler',
    expiredHeading: 'Dieser Link ist abgelaufen',
    expired: (duration) =>
      `Anmeldeseiten gelten ${duration}. Gehen Sie zurück zur Anwendung und beginnen Sie neu.`,
    finishedHeading: 'Bereits abgeschlossen',
    finished:
      'Diese Anmeldung wurde bereits abgeschlossen oder abgebrochen, vielleicht in einem anderen Tab. Sie können diese Seite schließen oder in der Anwendung neu beginnen.',
    cookiesHeading: 'Ihr Browser hat unser Cookie nicht gesendet',
    cookies:
      'Die Anmeldung funktioniert nur in dem Browser, in dem Sie sie begonnen haben, und mit Cookies für diese Website. Erlauben Sie Cookies, gehen Sie zurück zur Anwendung und beginnen Sie neu.',
    tooManyHeading: 'Zu viele Versuche',
    tooMany: (duration) =>
      `Zum Schutz der Konten müssen Sie etwas warten. Versuchen Sie es in ${duration} erneut.`,
    balanceHeading: 'Die Anmeldung ist gerade nicht möglich',
    balance:
      'Diese Anwendung kann im Moment keine Anmeldungen abschließen. Es liegt nicht an Ihnen. Versuchen Sie es später erneut, oder wenden Sie sich an die Anwendung.',
    requestHeading: 'Diese Anfrage kann nicht bearbeitet werden',
    request: (app = 'Die Anwendung') =>
      `${app} hat Sie mit einer Anfrage hierher geschickt, die wir nicht annehmen können. Gehen Sie zurück und versuchen Sie es erneut. Tritt das Problem weiter auf, wenden Sie sich dort an den Support.`,
    formHeading: 'Dieses Formular ist nicht mehr gültig',
    form: 'Es ist abgelaufen oder wurde in einem anderen Browser geöffnet. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.',
    toStart: 'Zur Startseite',
    toSettings: 'Unternehmenseinstellungen',
    toAccount: 'Ihr Konto',
    notFoundHeading: 'Hier gibt es nichts',
    notFound: 'Prüfen Sie die Adresse, oder gehen Sie dorthin zurück, woher Sie kamen.',
    busyHeading: 'Gleich wieder da',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Ihre Angaben sind sicher. Versuchen Sie es gleich noch einmal.',
    unknownHeading: 'Etwas ist schiefgegangen',
    unknown:
      'Der Fehler liegt bei uns, nicht bei Ihnen. Versuchen Sie es erneut. Tritt das Problem weiter auf, nennen Sie uns die Referenz unten.',
  },

  mail: deMail,
};
