// Deutsch: Passkeys, verknüpfte Konten, Daten und Löschung.
import type { WaysTexts } from './ways-en.ts';

export const deWays: WaysTexts = {
  passkeys: {
    heading: 'Passkeys',
    lead: 'Melden Sie sich mit Fingerabdruck, Gesicht oder Displaysperre an. Passkeys bleiben auf Ihren Geräten und schützen vor Phishing.',
    count: (count) => (count === 1 ? 'Sie haben einen Passkey.' : `Sie haben ${count} Passkeys.`),
    none: 'Sie haben keine Passkeys.',
    manage: 'Verwalten',
    yours: 'Ihre Passkeys',
    created: 'Erstellt',
    lastUsed: 'Zuletzt verwendet',
    never: 'nie',
    addHeading: 'Passkey hinzufügen',
    addLead: 'Auf diesem Gerät, einem Smartphone in der Nähe oder einem Sicherheitsschlüssel.',
    add: 'Passkey hinzufügen',
    name: 'Name',
    nameHint: 'Ein Name, an dem Sie ihn später wiedererkennen.',
    nothing: 'Es wurde kein Passkey erstellt. Sie können es noch einmal versuchen.',
    needsScript:
      'Um einen Passkey hinzuzufügen, benötigen Sie JavaScript und einen Browser, der Passkeys unterstützt.',
    rename: 'Name dieses Passkeys',
    remove: 'Diesen Passkey entfernen',
    removeLead:
      'Sie können sich dann nicht mehr damit anmelden. Angemeldete Browser bleiben angemeldet. Löschen Sie ihn auch auf Ihrem Gerät, sonst bietet es ihn weiter an.',
    removeButton: 'Entfernen',
  },

  social: {
    heading: 'Verknüpfte Konten',
    lead: 'Melden Sie sich mit einem Konto an, das Sie anderswo haben.',
    always: (email) =>
      `Mit einem Code an ${email} können Sie sich immer anmelden, auch ohne verknüpfte Konten.`,
    none: 'Keine Konten verknüpft.',
    some: (names) => `Verknüpft: ${names}.`,
    manage: 'Verwalten',
    notLinked: 'Nicht verknüpft',
    address: 'E-Mail-Adresse dort',
    linked: 'Verknüpft seit',
    lastUsed: 'Zuletzt verwendet',
    never: 'nie',
    link: (provider) => `${provider} verknüpfen`,
    unlink: (provider) => `Verknüpfung mit ${provider} aufheben`,
  },

  data: {
    heading: 'Ihre Daten',
    lead: 'Laden Sie eine Kopie herunter, oder löschen Sie Ihr Konto.',
    download: 'Meine Daten herunterladen',
    downloadLead:
      'Alles, was wir über Sie gespeichert haben, als eine JSON-Datei: Konto, Passkeys (ohne Schlüssel), verknüpfte Konten, Sitzungen, Mitgliedschaften und Anwendungen.',
    show: 'Anzeigen',
    delete: 'Mein Konto löschen',
    deleteLead: 'Endgültig und sofort.',
  },

  deletion: {
    heading: 'Konto löschen',
    lead: 'Das lässt sich nicht rückgängig machen. Wenn Sie wiederkommen, erhalten Sie ein neues, leeres Konto.',
    gone: 'Was gelöscht wird',
    goneItems: [
      'Ihr Name, Ihre E-Mail-Adresse, Ihr Passwort, Passkeys und verknüpfte Konten',
      'Alle Sitzungen in allen Browsern, und was Anwendungen hier über Sie lesen dürfen',
      'Ihre Mitgliedschaften in Firmen bei diesem Dienst und Einladungen an Ihre Adresse',
    ],
    kept: 'Was bleibt',
    keptApplications:
      'Die Anwendungen, die Sie verwendet haben, behalten, was sie selbst über Sie gespeichert haben: E-Mail-Adresse, Name, Bestellungen, Nachrichten. Wenn auch das gelöscht werden soll, wenden Sie sich an die jeweilige Anwendung.',
    keptLedger:
      'In unserer Abrechnung bleibt vermerkt, dass sich dort jemand angemeldet hat, unter einer Nummer, die sich Ihnen nicht mehr zuordnen lässt.',
    yourApplications: 'Sie haben verwendet:',
    handOver: 'Übergeben Sie zuerst Ihre Firma',
    handOverLead:
      'Nur Ihnen gehören diese Firmen, und bei ihren Anwendungen melden sich Menschen an. Machen Sie eine andere Person zur Inhaberin, oder löschen Sie die Anwendungen:',
    confirm: 'Ihre E-Mail-Adresse, zur Bestätigung',
    confirmHint: (email) => `Geben Sie ${email} ein`,
    button: 'Mein Konto endgültig löschen',
  },
  deleted: {
    heading: 'Ihr Konto wurde gelöscht',
    lead: 'Sie sind überall abgemeldet. Wir haben Ihnen zur Bestätigung eine letzte E-Mail gesendet.',
    again: 'Neues Konto erstellen',
  },
};
