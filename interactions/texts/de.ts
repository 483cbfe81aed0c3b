// Deutsch, in der Höflichkeitsform.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
  personNameCharacters,
} from '../../src/limits/protocol.ts';
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
    over: 'Diese Anmeldung gilt nicht mehr. Bitte melden Sie sich erneut an.',
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

  passkey: {
    use: 'Passkey verwenden',
    create: 'Passkey erstellen',
    later: 'Jetzt nicht',
    offerHeading: 'Nächstes Mal schneller?',
    offerLead:
      'Mit einem Passkey melden Sie sich per Fingerabdruck, Gesicht oder Displaysperre an statt mit einem Code. Er bleibt bei Ihnen, und niemand kann ihn Ihnen abschwatzen.',
    nothingHappened:
      'Es wurde nichts ausgewählt. Versuchen Sie es noch einmal, oder gehen Sie einen anderen Weg.',
    notCreated:
      'Dieser Passkey konnte nicht gespeichert werden. Versuchen Sie es noch einmal, oder machen Sie ohne weiter.',
    refused:
      'Dieser Passkey funktioniert hier nicht. Melden Sie sich anders an; auf Ihrer Kontoseite verwalten Sie Ihre Passkeys.',
  },

  social: {
    continueWith: (provider) => `Weiter mit ${provider}`,
    failed: (provider) =>
      `${provider} konnte uns nicht sagen, wer Sie sind. Es hat sich nichts geändert. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
    cancelled: (provider) =>
      `Sie haben die Anmeldung bei ${provider} nicht beendet. Versuchen Sie es noch einmal, oder melden Sie sich anders an.`,
    over: 'Dieser Rückweg wurde schon benutzt, oder es hat zu lange gedauert. Bitte beginnen Sie noch einmal.',
    proofHeading: 'Noch ein Schritt',
    proofKnown: (provider) =>
      `Zu dieser Adresse gibt es schon ein Konto. Bevor ${provider} es öffnen kann, bestätigen Sie einmal, dass es Ihres ist.`,
    proofUnknown: (provider) =>
      `${provider} hat keine E-Mail-Adresse bestätigt. Nennen Sie uns Ihre, und wir senden Ihnen einen Code.`,
    sendCode: 'Code per E-Mail senden',
    otherWay: 'Anders anmelden',
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

  choice: {
    heading: 'Welches Konto?',
    keep: (email: string) => `Weiter als ${email}`,
  },

  postedAnswer: {
    heading: (app: string) => `Zurück zu ${app}`,
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
    reservedHeading: 'Diese Adresse kann noch nicht benutzt werden',
    reserved:
      'Ein Konto hatte diese Adresse bis vor wenigen Tagen und kann sie noch zurückholen. Wenn es Ihr Konto ist, öffnen Sie den Link in der Nachricht über die Änderung; sonst versuchen Sie es in sieben Tagen noch einmal.',
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
    toStart: 'Zur Startseite',
    toSettings: 'Unternehmenseinstellungen',
    toAccount: 'Ihr Konto',
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
    passkeyAddedSubject: 'Ein Passkey wurde hinzugefügt',
    passkeyAddedIntro: (email, name) =>
      `Zum Konto ${email} wurde soeben ein Passkey (${name}) hinzugefügt. Wer das Gerät hat und entsperren kann, kann sich damit anmelden.`,
    passkeyAddedWarning:
      'Wenn Sie das nicht waren, entfernen Sie ihn jetzt auf Ihrer Kontoseite, und ändern Sie das Passwort Ihres Postfachs.',
    claimedSubject: 'Ihre Adresse ist bestätigt',
    claimedIntro: (email, provider) =>
      `Das Konto ${email} wurde mit ${provider} angelegt, und Sie haben soeben mit einem Code bewiesen, dass die Adresse Ihnen gehört. Damit niemand anderes, der vielleicht vor Ihnen da war, noch hineinkommt, haben wir Passwort, Passkeys und verbundene Konten entfernt und alle anderen Sitzungen beendet.`,
    claimedAdvice: (provider) =>
      `Wenn Sie selbst ${provider} benutzt haben, wählen Sie es bei der nächsten Anmeldung wieder: Nach einem weiteren Code ist es dauerhaft verbunden.`,
    linkedSubject: (provider) => `Sie können sich jetzt mit ${provider} anmelden`,
    linkedIntro: (provider, email) =>
      `Ihr Konto bei ${provider} wurde soeben mit dem Konto ${email} verbunden. Ab jetzt können Sie sich damit anmelden.`,
    linkedWarning:
      'Wenn Sie das nicht waren, liest vielleicht jemand Ihre E-Mails mit. Ändern Sie das Passwort Ihres Postfachs, und trennen Sie die Verbindung auf Ihrer Kontoseite.',
    changedSubject: 'Ihr Passwort wurde geändert',
    changedIntro: (email) =>
      `das Passwort des Kontos ${email} wurde soeben geändert. Alle anderen Sitzungen wurden beendet.`,
    changedRemaining: (ways) =>
      `Diese anderen Anmeldewege bestehen weiter: ${ways.join(', ')}. Wenn einer davon nicht Ihrer ist, entfernen Sie ihn auf Ihrer Kontoseite.`,
    changedWarning:
      'Wenn Sie das nicht waren, setzen Sie jetzt ein neues Passwort: Wählen Sie auf der Anmeldeseite „Passwort vergessen?“. Vielleicht hat jemand Zugang zu Ihrem Postfach; ändern Sie auch dessen Passwort.',
  },
};
