// Deutsch, in der Höflichkeitsform.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
  personNameCharacters,
} from '../../src/limits.ts';
import type { Texts } from './en.ts';

export const de: Texts = {
  languageName: 'Deutsch',

  shared: {
    email: 'E-Mail-Adresse',
    name: 'Ihr Name',
    password: 'Passwort',
    newPassword: 'Neues Passwort',
    optional: 'freiwillig',
    continue: 'Weiter',
    or: 'oder',
    back: 'Zurück',
    cancel: (app) => `Abbrechen und zurück zu ${app}`,
    languages: 'Sprache',
    passwordRules: `Mindestens ${passwordMinimumCharacters} Zeichen. Gut eignen sich einige Wörter ohne Zusammenhang; Sonderzeichen sind nicht nötig.`,
  },

  signIn: {
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
    passwordHint: 'Lassen Sie das Feld leer, um sich mit Codes per E-Mail anzumelden.',
    submit: 'Konto erstellen',
    haveAccount: 'Sie haben schon ein Konto?',
    signIn: 'Anmelden',
  },

  code: {
    heading: 'Sehen Sie in Ihr Postfach',
    lead: `Wir haben einen ${oneTimeCodeDigits}-stelligen Code gesendet an`,
    label: 'Code',
    validFor: (duration) => `Der Code ist noch ${duration} gültig.`,
    attemptsLeft: (count) =>
      count === 1 ? 'Sie haben noch einen Versuch.' : `Sie haben noch ${count} Versuche.`,
    resend: 'Neuen Code senden',
    resendIn: (duration) => `In ${duration} können Sie einen neuen Code anfordern.`,
    otherAddress: 'Andere Adresse verwenden',
    notArrived: 'Nichts angekommen? Sehen Sie im Spam-Ordner nach oder prüfen Sie die Adresse.',
    wrong: 'Dieser Code stimmt nicht.',
    expired: 'Dieser Code ist abgelaufen. Lassen Sie sich einen neuen senden.',
    usedUp: 'Zu viele falsche Codes. Lassen Sie sich einen neuen senden, um fortzufahren.',
    sent: 'Ein neuer Code ist unterwegs. Frühere Codes gelten nicht mehr.',
  },

  newcomer: {
    heading: 'Willkommen',
    lead: 'Ihre Adresse ist bestätigt. Es gibt noch kein Konto dafür:',
    submit: 'Konto erstellen',
  },

  password: {
    heading: 'Passwort eingeben',
    lead: (app) => `um zu ${app} zu gelangen`,
    submit: 'Anmelden',
    useCode: 'Stattdessen Code per E-Mail senden',
    forgot: 'Passwort vergessen?',
    wrong:
      'Adresse und Passwort passen nicht zusammen, oder das Konto hat kein Passwort. Ein Code per E-Mail geht immer.',
    changed: 'Ihr neues Passwort ist gesetzt. Melden Sie sich jetzt damit an.',
  },

  recover: {
    heading: 'Passwort zurücksetzen',
    lead: 'Geben Sie Ihre Adresse ein. Mit einem Code per E-Mail bestätigen Sie, dass sie Ihnen gehört.',
    submit: 'Code per E-Mail senden',
    backToSignIn: 'Zurück zur Anmeldung',
  },

  newPassword: {
    heading: 'Neues Passwort wählen',
    lead: 'Alle anderen Sitzungen dieses Kontos werden beendet.',
    account: 'Konto',
    submit: 'Neues Passwort setzen',
  },

  consent: {
    heading: (app) => `Weiter zu ${app}?`,
    lead: (app) => `${app} erhält folgende Angaben über Sie. Mehr wird nicht weitergegeben.`,
    identifier: 'Eine Kennung für Sie',
    identifierDetail: 'Nur für diese Anwendung. Mit anderen Anwendungen lässt sie sich nicht abgleichen.',
    email: 'Ihre E-Mail-Adresse',
    profile: 'Ihr Name',
    profileEmpty: 'Sie haben uns keinen genannt.',
    offline: 'Zugriff auch in Ihrer Abwesenheit',
    offlineDetail:
      'Die Anwendung bleibt mit Ihrem Konto verbunden, bis Sie sich abmelden oder sie lange nicht genutzt wurde.',
    allow: 'Erlauben',
    deny: 'Abbrechen',
    signedInAs: 'Angemeldet als',
    otherAccount: 'Anderes Konto verwenden',
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
    reference: 'Referenz',
    forDevelopers: 'Für Entwickler',
    backToSignIn: 'Zurück zur Anmeldung',
    expiredHeading: 'Dieser Link ist abgelaufen',
    expired: (duration) =>
      `Anmeldeseiten gelten ${duration}. Gehen Sie zurück zur Anwendung und beginnen Sie neu.`,
    finishedHeading: 'Bereits abgeschlossen',
    finished:
      'Diese Anmeldung wurde abgeschlossen oder abgebrochen, vielleicht in einem anderen Tab. Sie können diese Seite schließen oder in der Anwendung neu beginnen.',
    cookiesHeading: 'Ihr Browser hat unser Cookie nicht gesendet',
    cookies:
      'Die Anmeldung gelingt nur in dem Browser, der sie begonnen hat, und mit Cookies für diese Seite. Erlauben Sie Cookies, gehen Sie zurück zur Anwendung und beginnen Sie neu.',
    tooManyHeading: 'Zu viele Versuche',
    tooMany: (duration) =>
      `Zum Schutz der Konten bitten wir Sie zu warten. Versuchen Sie es in ${duration} erneut.`,
    balanceHeading: 'Die Anmeldung ist gerade nicht möglich',
    balance:
      'Die Anwendung kann im Moment keine Anmeldungen abschließen. Sie haben nichts falsch gemacht; versuchen Sie es später erneut oder wenden Sie sich an die Anwendung.',
    requestHeading: 'Diese Anfrage kann nicht bearbeitet werden',
    request:
      'Die Anwendung hat Sie mit einer Anfrage hierher geschickt, die wir nicht annehmen können. Gehen Sie zurück und versuchen Sie es erneut; geschieht es wieder, melden Sie es der Anwendung.',
    formHeading: 'Dieses Formular ist nicht mehr gültig',
    form: 'Es ist abgelaufen oder wurde in einem anderen Browser geöffnet. Gehen Sie zurück, laden Sie die Seite neu und versuchen Sie es erneut.',
    notFoundHeading: 'Hier gibt es nichts',
    notFound: 'Prüfen Sie die Adresse, oder gehen Sie dorthin zurück, woher Sie kamen.',
    busyHeading: 'Gleich wieder da',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Ihre Angaben sind sicher; versuchen Sie es gleich noch einmal.',
    unknownHeading: 'Etwas ist schiefgegangen',
    unknown:
      'Der Fehler liegt bei uns. Versuchen Sie es erneut; geschieht es wieder, nennen Sie uns die Referenz unten.',
  },

  mail: {
    greeting: 'Guten Tag,',
    codeSubject: (app) => `Ihr Code für ${app}`,
    codeIntro: (app) =>
      `geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben, um zu ${app} zu gelangen:`,
    recoverSubject: (app) => `Passwort zurücksetzen für ${app}`,
    recoverIntro:
      'geben Sie diesen Code auf der Seite ein, auf der Sie ihn angefordert haben, um ein neues Passwort zu wählen:',
    codeValid: (duration) => `Er gilt ${duration} und nur einmal, in dem Browser, der ihn angefordert hat.`,
    codeWarning:
      'Geben Sie ihn nie weiter: Niemand von uns wird danach fragen. Wenn Sie ihn nicht angefordert haben, können Sie diese E-Mail ignorieren.',
    changedSubject: 'Ihr Passwort wurde geändert',
    changedIntro: (email) =>
      `das Passwort des Kontos ${email} wurde soeben geändert. Alle anderen Sitzungen wurden beendet.`,
    changedWarning:
      'Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort: Wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Vielleicht hat jemand Zugang zu Ihrem Postfach; ändern Sie auch dessen Passwort.',
  },
};
