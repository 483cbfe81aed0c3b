// Deutsch: Wege hinein (Passkeys, verbundene Konten) und hinaus (Daten, Löschung).
import type { WaysTexts } from './ways-en.ts';

export const deWays: WaysTexts = {
  passkeys: {
    heading: 'Passkeys',
    lead: 'Einen Passkey bewahrt Ihr Gerät auf; Sie benutzen ihn mit Fingerabdruck, Gesicht oder Bildschirmsperre. Niemand kann ihn Ihnen ablisten.',
    count: (count) => (count === 1 ? 'Sie haben einen Passkey.' : `Sie haben ${count} Passkeys.`),
    none: 'Sie haben keinen Passkey.',
    manage: 'Verwalten',
    yours: 'Ihre Passkeys',
    created: 'Angelegt',
    lastUsed: 'Zuletzt benutzt',
    never: 'nie',
    addHeading: 'Passkey hinzufügen',
    addLead: 'Auf diesem Gerät, auf einem Telefon in der Nähe oder auf einem Sicherheitsschlüssel.',
    add: 'Passkey hinzufügen',
    name: 'Name',
    nameHint: 'Damit Sie später wissen, welcher es ist.',
    nothing: 'Es wurde kein Passkey angelegt. Sie können es noch einmal versuchen.',
    needsScript:
      'Um einen Passkey hinzuzufügen, braucht diese Seite JavaScript und einen Browser, der Passkeys kennt.',
    rename: 'Name dieses Passkeys',
    remove: 'Diesen Passkey entfernen',
    removeLead:
      'Mit ihm kann man sich dann nicht mehr anmelden. Angemeldete Browser bleiben angemeldet. Löschen Sie ihn auch auf Ihrem Gerät, sonst bietet es ihn weiter an.',
    removeButton: 'Entfernen',
  },

  social: {
    heading: 'Verbundene Konten',
    lead: 'Melden Sie sich mit einem Konto an, das Sie anderswo haben.',
    always: (email) => `Was immer Sie trennen: Ein Code an ${email} bleibt in jedem Fall ein Weg hinein.`,
    none: 'Kein Konto ist verbunden.',
    some: (names) => `Verbunden: ${names}.`,
    manage: 'Verwalten',
    notLinked: 'Nicht verbunden',
    address: 'Adresse dort',
    linked: 'Verbunden seit',
    lastUsed: 'Zuletzt benutzt',
    never: 'nie',
    link: (provider) => `Mit ${provider} verbinden`,
    unlink: (provider) => `Von ${provider} trennen`,
  },

  data: {
    heading: 'Ihre Daten',
    lead: 'Nehmen Sie eine Kopie mit, oder löschen Sie das Konto.',
    download: 'Meine Daten herunterladen',
    downloadLead:
      'Alles, was über Sie gespeichert ist, als eine JSON-Datei: Konto, Passkeys (ohne Schlüssel), verbundene Konten, Sitzungen, Mitgliedschaften, Anwendungen.',
    show: 'Anzeigen',
    delete: 'Mein Konto löschen',
    deleteLead: 'Endgültig und sofort.',
  },

  deletion: {
    heading: 'Konto löschen',
    lead: 'Das lässt sich nicht rückgängig machen. Wenn Sie wiederkommen, bekommen Sie ein neues, leeres Konto.',
    gone: 'Was gelöscht wird',
    goneItems: [
      'Ihr Name, Ihre Adresse, Ihr Passwort, Passkeys und verbundene Konten',
      'Jede Sitzung, hier und in jedem Browser, und was Anwendungen bei uns über Sie lesen dürfen',
      'Ihre Mitgliedschaften in Firmen bei diesem Dienst und Einladungen an Ihre Adresse',
    ],
    kept: 'Was bleibt',
    keptApplications:
      'Die Anwendungen, die Sie benutzt haben, behalten, was sie selbst über Sie gespeichert haben: Adresse, Name, Bestellungen, Nachrichten. Fragen Sie jede einzelne, wenn auch das gelöscht werden soll.',
    keptLedger:
      'Unsere Bücher behalten, dass sich dort jemand angemeldet hat, unter einer Nummer, die zu niemandem mehr führt.',
    yourApplications: 'Sie haben benutzt:',
    handOver: 'Übergeben Sie zuerst Ihre Firma',
    handOverLead:
      'Diese Firmen haben nur Sie als Inhaberin oder Inhaber und Anwendungen, bei denen sich Menschen anmelden. Machen Sie jemand anderen dazu, oder löschen Sie die Anwendungen:',
    confirm: 'Ihre Adresse, zur Bestätigung',
    confirmHint: (email) => `Tippen Sie ${email}`,
    button: 'Mein Konto endgültig löschen',
  },
  deleted: {
    heading: 'Ihr Konto ist gelöscht',
    lead: 'Sie sind überall abgemeldet. Eine letzte E-Mail bestätigt es.',
    again: 'Neues Konto anlegen',
  },
};
