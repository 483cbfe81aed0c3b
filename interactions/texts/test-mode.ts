// What pages of an application in test mode say beside everything else (docs/decisions/1101), in every language.
const en = {
  mark: 'Test mode',
  about: 'This application is being tried out. Nothing here is charged.',
  mailed: 'Codes are only emailed to its team and its listed testers.',
  fullHeading: 'No room for more testers',
  full: (app: string) =>
    `${app} is in test mode and already has as many accounts as it can have. Ask the people who run it to go live.`,
  sent: 'redirect_uri that was sent',
  registered: 'Registered callbacks',
};

export type TestModeTexts = typeof en;

export const testModeTexts: Record<'en' | 'de' | 'fr' | 'es', TestModeTexts> = {
  en,
  de: {
    mark: 'Testmodus',
    about: 'Diese Anwendung wird gerade ausprobiert. Hier wird nichts berechnet.',
    mailed: 'Codes gehen per E-Mail nur an ihr Team und an eingetragene Testpersonen.',
    fullHeading: 'Kein Platz für weitere Testpersonen',
    full: (app) =>
      `${app} ist im Testmodus und hat bereits die Höchstzahl an Konten. Bitten Sie die Betreiber, sie live zu schalten.`,
    sent: 'Gesendete redirect_uri',
    registered: 'Eingetragene Callbacks',
  },
  fr: {
    mark: 'Mode test',
    about: 'Cette application est en cours d’essai. Rien n’est facturé ici.',
    mailed: 'Les codes ne sont envoyés qu’à son équipe et aux testeurs enregistrés.',
    fullHeading: 'Plus de place pour d’autres testeurs',
    full: (app) =>
      `${app} est en mode test et a atteint le nombre maximal de comptes. Demandez à ses responsables de passer en production.`,
    sent: 'redirect_uri envoyée',
    registered: 'Callbacks enregistrés',
  },
  es: {
    mark: 'Modo de prueba',
    about: 'Esta aplicación está en pruebas. Aquí no se cobra nada.',
    mailed: 'Los códigos solo se envían a su equipo y a las personas de prueba registradas.',
    fullHeading: 'No hay plazas para más personas de prueba',
    full: (app) =>
      `${app} está en modo de prueba y ya tiene el máximo de cuentas. Pida a sus responsables que la pasen a producción.`,
    sent: 'redirect_uri enviada',
    registered: 'Callbacks registrados',
  },
};
