// Deutsch, in der Höflichkeitsform.
import type { AccountTexts } from './en.ts';
import { deWays } from './ways-de.ts';

export const de: AccountTexts = {
  heading: 'Ihr Konto',
  lead: 'Ihr Name, Ihre E-Mail-Adresse und wie Sie sich anmelden.',
  account: 'Konto',
  signedInAs: 'Angemeldet als',
  signOut: 'Abmelden',
  change: 'Ändern',
  save: 'Speichern',

  signedOut: {
    heading: 'Sie sind abgemeldet',
    lead: 'Sie können diese Seite schließen.',
    again: 'Erneut anmelden',
  },
  notSignedIn: {
    heading: 'Sie sind nicht angemeldet',
    cancelled: 'Die Anmeldung wurde abgebrochen.',
    lost: 'Sie haben die Anmeldung in einem anderen Browser oder vor zu langer Zeit begonnen, oder dieser Browser blockiert Cookies für diese Website.',
    refused: 'Diese Anmeldung wurde bereits verwendet oder hat zu lange gedauert. Beginnen Sie noch einmal.',
    again: 'Anmelden',
  },

  profile: {
    heading: 'Name',
    name: 'Name',
    noName: 'Nicht angegeben',
    changeName: 'Namen ändern',
    nameLead: 'Anwendungen, die Ihren Namen sehen dürfen, sehen sofort den neuen.',
  },

  password: {
    heading: 'Passwort',
    isSet: 'Sie können sich mit einem Passwort anmelden.',
    isNotSet:
      'Sie melden sich ohne Passwort an: mit Codes per E-Mail, einem Passkey oder einem verknüpften Konto.',
    set: 'Passwort festlegen',
    change: 'Passwort ändern',
    changeLead: 'Sie werden überall sonst abgemeldet.',
    remove: 'Passwort entfernen',
    removeLead: 'Sie melden sich dann mit Codes per E-Mail, einem Passkey oder einem verknüpften Konto an.',
  },

  ...deWays,

  done: {
    address: 'Ihre E-Mail-Adresse wurde geändert. Wir haben Ihre alte Adresse benachrichtigt.',
    sessionEnded: 'Sitzung beendet.',
    sessionsEnded: 'Alle anderen Sitzungen beendet.',
    accessWithdrawn: 'Zugriff entzogen. Sie sind bei der Anwendung abgemeldet.',
    passkeyAdded: 'Passkey hinzugefügt.',
    passkeyRenamed: 'Passkey umbenannt.',
    passkeyRemoved: 'Passkey entfernt.',
    socialLinked: 'Konto verknüpft. Sie können sich jetzt damit anmelden.',
    socialThere: 'Dieses Konto ist bereits verknüpft.',
    socialUnlinked: 'Verknüpfung aufgehoben. Sie können sich nicht mehr damit anmelden.',
    name: 'Ihr Name wurde geändert.',
    passwordSet: 'Ihr Passwort wurde festgelegt. Überall sonst sind Sie abgemeldet.',
    passwordRemoved: 'Ihr Passwort wurde entfernt. Überall sonst sind Sie abgemeldet.',
  },
  problems: {
    sameAddress: 'Das ist bereits Ihre E-Mail-Adresse.',
    addressTaken: 'Ein Konto verwendet diese Adresse bereits. Wählen Sie eine andere.',
    changeOver: 'Der Code ist abgelaufen, oder die Änderung wurde abgebrochen. Beginnen Sie noch einmal.',
    sessionGone: 'Diese Sitzung ist bereits beendet.',
    passkeyName: 'Geben Sie dem Passkey einen Namen mit höchstens 60 Zeichen.',
    passkeyTooMany: 'Sie haben die Höchstzahl an Passkeys erreicht. Entfernen Sie zuerst einen.',
    passkeyNotMade:
      'Dieser Passkey konnte nicht hinzugefügt werden. Es hat sich nichts geändert. Versuchen Sie es noch einmal.',
    socialCancelled: 'Sie haben abgebrochen. Es wurde nichts verknüpft.',
    socialFailed:
      'Der Anbieter konnte Ihre Identität nicht bestätigen. Es wurde nichts verknüpft. Versuchen Sie es später noch einmal.',
    socialOver:
      'Dieser Link wurde bereits verwendet, ist abgelaufen oder gehört zu einem anderen Browser. Es wurde nichts verknüpft. Beginnen Sie noch einmal.',
    socialTaken:
      'Dieses Konto ist hier bereits mit dem Konto einer anderen Person verknüpft. Es wurde nichts verknüpft. Wenn beide Ihnen gehören, melden Sie sich damit an und heben Sie dort zuerst die Verknüpfung auf.',
    socialSecond:
      'Ein anderes Konto dieses Anbieters ist bereits verknüpft. Heben Sie zuerst diese Verknüpfung auf.',
    deletionAddress: 'Das ist nicht Ihre E-Mail-Adresse. Es wurde nichts gelöscht.',
    deletionOwner:
      'Sie sind die einzige Inhaberin oder der einzige Inhaber einer Firma mit Anwendungen. Übergeben Sie sie zuerst. Es wurde nichts gelöscht.',
    name: 'Geben Sie einen Namen mit höchstens 100 Zeichen ein.',
    tooLate:
      'Seit Ihrer Anmeldung ist zu viel Zeit vergangen. Öffnen Sie die Seite noch einmal und bestätigen Sie, dass Sie es sind. Es hat sich nichts geändert.',
    unknown: 'Das hat nicht funktioniert. Es hat sich nichts geändert.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Ein Passkey wurde entfernt',
      body: (email, what) =>
        `Der Passkey „${what}“ des Kontos ${email} wurde soeben entfernt. Er kann nicht mehr zur Anmeldung verwendet werden.`,
    },
    socialUnlinked: {
      subject: 'Ein verknüpftes Konto wurde entfernt',
      body: (email, what) =>
        `Die Verknüpfung Ihres ${what}-Kontos mit dem Konto ${email} wurde soeben aufgehoben. Sie können sich nicht mehr damit anmelden, aber weiterhin mit einem Code per E-Mail.`,
    },
    accountDeleted: {
      subject: 'Ihr Konto wurde gelöscht',
      body: (email) =>
        `Das Konto ${email} wurde soeben gelöscht, mit allem, was Sie identifiziert, und alle Sitzungen wurden beendet. Dies ist die letzte E-Mail dazu. Anwendungen, die Sie verwendet haben, behalten, was sie selbst gespeichert haben.`,
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
    'Wenn Sie das nicht waren, melden Sie sich jetzt an, beenden Sie auf Ihrer Kontoseite alle anderen Sitzungen, und ändern Sie Ihr E-Mail-Passwort.',
};
