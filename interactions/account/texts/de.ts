// Deutsch, in der Höflichkeitsform.
import type { AccountTexts } from './en.ts';
import { deWays } from './ways-de.ts';

export const de: AccountTexts = {
  heading: 'Ihr Konto',
  lead: 'Ihr Name, Ihre Adresse und die Wege hinein.',
  account: 'Konto',
  signedInAs: 'Angemeldet als',
  signOut: 'Abmelden',
  change: 'Ändern',
  save: 'Speichern',

  signedOut: {
    heading: 'Sie sind abgemeldet',
    lead: 'Sie können diese Seite schließen.',
    again: 'Wieder anmelden',
  },
  notSignedIn: {
    heading: 'Sie sind nicht angemeldet',
    cancelled: 'Die Anmeldung wurde abgebrochen.',
    lost: 'Sie wurde in einem anderen Browser oder vor zu langer Zeit begonnen, oder dieser Browser behält keine Cookies dieser Seite.',
    refused: 'Sie wurde schon benutzt oder hat zu lange gedauert. Bitte beginnen Sie noch einmal.',
    again: 'Anmelden',
  },

  profile: {
    heading: 'Name',
    name: 'Name',
    noName: 'Sie haben uns keinen genannt',
    changeName: 'Namen ändern',
    nameLead: 'Anwendungen, die Ihren Namen sehen dürfen, sehen sofort den neuen.',
  },

  password: {
    heading: 'Passwort',
    isSet: 'Sie können sich mit einem Passwort anmelden.',
    isNotSet:
      'Sie melden sich ohne Passwort an: mit Codes per E-Mail, einem Passkey oder einem verbundenen Konto.',
    set: 'Passwort festlegen',
    change: 'Passwort ändern',
    changeLead: 'Meldet alle anderen Browser und Anwendungen ab.',
    remove: 'Passwort entfernen',
    removeLead: 'Sie melden sich dann mit Codes per E-Mail, einem Passkey oder einem verbundenen Konto an.',
  },

  ...deWays,

  done: {
    address: 'Ihre Adresse ist geändert. Die alte wurde benachrichtigt.',
    sessionEnded: 'Die Sitzung ist beendet.',
    sessionsEnded: 'Alle anderen Sitzungen sind beendet.',
    accessWithdrawn: 'Der Zugriff ist entzogen. Die Anwendung wurde abgemeldet.',
    passkeyAdded: 'Der Passkey ist hinzugefügt.',
    passkeyRenamed: 'Der Passkey hat seinen neuen Namen.',
    passkeyRemoved: 'Der Passkey ist entfernt.',
    socialLinked: 'Das Konto ist verbunden: Ab jetzt können Sie sich damit anmelden.',
    socialThere: 'Dieses Konto war schon verbunden.',
    socialUnlinked: 'Die Verbindung ist getrennt: Anmelden können Sie sich damit nicht mehr.',
    name: 'Ihr Name ist geändert.',
    passwordSet: 'Ihr Passwort ist festgelegt. Alle anderen Sitzungen sind beendet.',
    passwordRemoved: 'Ihr Passwort ist entfernt. Alle anderen Sitzungen sind beendet.',
  },
  problems: {
    sameAddress: 'Das ist schon die Adresse Ihres Kontos.',
    addressTaken: 'Diese Adresse gehört schon zu einem Konto. Wählen Sie eine andere.',
    changeOver: 'Der Code ist abgelaufen, oder die Änderung wurde beendet. Beginnen Sie noch einmal.',
    sessionGone: 'Diese Sitzung gibt es nicht mehr.',
    passkeyName: 'Geben Sie dem Passkey einen Namen mit höchstens 60 Zeichen.',
    passkeyTooMany: 'Sie haben so viele Passkeys, wie ein Konto haben kann. Entfernen Sie zuerst einen.',
    passkeyNotMade:
      'Dieser Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal; es hat sich nichts geändert.',
    socialCancelled: 'Nichts wurde verbunden: Sie haben es dort abgebrochen.',
    socialFailed:
      'Der Anbieter hat uns nicht gesagt, wer Sie sind. Nichts wurde verbunden; versuchen Sie es später noch einmal.',
    socialOver:
      'Dieser Rückweg wurde schon benutzt, hat zu lange gedauert oder wurde in einem anderen Browser begonnen. Nichts wurde verbunden; beginnen Sie noch einmal.',
    socialTaken:
      'Mit diesem Konto meldet sich hier schon jemand anderes an. Nichts wurde verbunden. Wenn beide Ihnen gehören, melden Sie sich damit an und trennen Sie es dort zuerst.',
    socialSecond: 'Ein anderes Konto dieses Anbieters ist schon verbunden. Trennen Sie es zuerst.',
    deletionAddress: 'Das ist nicht die Adresse dieses Kontos. Nichts wurde gelöscht.',
    deletionOwner:
      'Eine Firma mit Anwendungen hat nur Sie als Inhaberin oder Inhaber. Übergeben Sie sie zuerst; nichts wurde gelöscht.',
    name: 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
    tooLate:
      'Seit Ihrer Anmeldung ist zu viel Zeit vergangen. Öffnen Sie die Seite noch einmal und bestätigen Sie, dass Sie es sind; es hat sich nichts geändert.',
    unknown: 'Das hat nicht funktioniert. Es hat sich nichts geändert.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Ein Passkey wurde entfernt',
      body: (email, what) =>
        `Der Passkey „${what}“ des Kontos ${email} wurde soeben entfernt. Mit ihm kann man sich nicht mehr anmelden.`,
    },
    socialUnlinked: {
      subject: 'Ein verbundenes Konto wurde getrennt',
      body: (email, what) =>
        `Ihr Konto bei ${what} wurde soeben vom Konto ${email} getrennt. Anmelden können Sie sich damit nicht mehr; mit einem Code per E-Mail weiterhin.`,
    },
    accountDeleted: {
      subject: 'Ihr Konto wurde gelöscht',
      body: (email) =>
        `Das Konto ${email} wurde soeben gelöscht, mit allem, was Sie nennt, und jede Sitzung wurde beendet. Dies ist die letzte E-Mail dazu. Anwendungen, die Sie benutzt haben, behalten, was sie selbst gespeichert haben.`,
    },
    passwordSet: {
      subject: 'Ihr Passwort wurde festgelegt',
      body: (email) =>
        `Das Passwort des Kontos ${email} wurde soeben festgelegt. Alle anderen Sitzungen wurden beendet.`,
    },
    passwordRemoved: {
      subject: 'Ihr Passwort wurde entfernt',
      body: (email) =>
        `Das Passwort des Kontos ${email} wurde soeben entfernt. Alle anderen Sitzungen wurden beendet.`,
    },
  },
  noticeWarning:
    'Wenn Sie das nicht waren, melden Sie sich jetzt an, beenden Sie auf Ihrer Kontoseite alle anderen Sitzungen, und ändern Sie das Passwort Ihres Postfachs.',
};
