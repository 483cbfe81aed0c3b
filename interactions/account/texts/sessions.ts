// What the pages about sessions and connected applications say, in every language.
import type { Language } from '../../languages.ts';

const en = {
  sessions: {
    heading: 'Sessions',
    lead: 'Where you are signed in, and the way to end it.',
    show: 'Look at sessions',
    browsers: 'Signed-in browsers',
    browsersLead:
      'Ending one signs it out, together with every application that was opened there with your account.',
    noBrowsers: 'No browser is signed in besides the pages below.',
    pages: 'Pages of this service',
    pagesLead: 'This page and company settings have shorter sessions of their own.',
    account: 'Account page',
    settings: 'Company settings',
    here: 'this browser',
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'Unknown device',
    lastUsed: 'Last used',
    signedIn: 'Signed in',
    end: 'End',
    endOthers: 'End all others',
  },
  applications: {
    heading: 'Connected applications',
    lead: 'Where you sign in with this account, and what they may see.',
    show: 'Look at applications',
    none: 'You have not signed in to any application yet.',
    sees: 'May see',
    noneSeen: 'Nothing any more. What it received earlier, it may still have.',
    since: 'Since',
    lastSignIn: 'Last sign-in',
    withdraw: 'Withdraw access',
    keeps:
      'An application whose access you withdraw is signed out at once and must ask you again. What it received earlier it keeps, and its account for you there is not deleted: for that, turn to the application itself.',
    openid: 'an identifier made for it alone',
    email: 'your email address',
    profile: 'your name',
    offline: 'access while you are away',
  },
};

export type SessionTexts = typeof en;

const de: SessionTexts = {
  sessions: {
    heading: 'Sitzungen',
    lead: 'Wo Sie angemeldet sind, und wie Sie das beenden.',
    show: 'Sitzungen ansehen',
    browsers: 'Angemeldete Browser',
    browsersLead:
      'Wenn Sie einen beenden, wird er abgemeldet, zusammen mit allen Anwendungen, die dort mit Ihrem Konto geöffnet wurden.',
    noBrowsers: 'Außer den Seiten unten ist kein Browser angemeldet.',
    pages: 'Seiten dieses Dienstes',
    pagesLead: 'Diese Seite und die Firmeneinstellungen haben eigene, kürzere Sitzungen.',
    account: 'Kontoseite',
    settings: 'Firmeneinstellungen',
    here: 'dieser Browser',
    on: (browser, system) => `${browser} auf ${system}`,
    unknown: 'Unbekanntes Gerät',
    lastUsed: 'Zuletzt benutzt',
    signedIn: 'Angemeldet',
    end: 'Beenden',
    endOthers: 'Alle anderen beenden',
  },
  applications: {
    heading: 'Verbundene Anwendungen',
    lead: 'Wo Sie sich mit diesem Konto anmelden, und was dort zu sehen ist.',
    show: 'Anwendungen ansehen',
    none: 'Sie haben sich noch bei keiner Anwendung angemeldet.',
    sees: 'Darf sehen',
    noneSeen: 'Nichts mehr. Was sie früher bekommen hat, hat sie vielleicht noch.',
    since: 'Seit',
    lastSignIn: 'Letzte Anmeldung',
    withdraw: 'Zugriff entziehen',
    keeps:
      'Eine Anwendung, der Sie den Zugriff entziehen, wird sofort abgemeldet und muss Sie neu fragen. Was sie früher bekommen hat, behält sie, und Ihr Konto dort wird nicht gelöscht: Wenden Sie sich dafür an die Anwendung selbst.',
    openid: 'eine Kennung nur für sie',
    email: 'Ihre E-Mail-Adresse',
    profile: 'Ihren Namen',
    offline: 'Zugriff, während Sie weg sind',
  },
};

const fr: SessionTexts = {
  sessions: {
    heading: 'Sessions',
    lead: 'Où vous êtes connecté, et comment y mettre fin.',
    show: 'Voir les sessions',
    browsers: 'Navigateurs connectés',
    browsersLead:
      'Terminer une session déconnecte le navigateur, ainsi que toutes les applications ouvertes là avec votre compte.',
    noBrowsers: 'Aucun navigateur n’est connecté en dehors des pages ci-dessous.',
    pages: 'Pages de ce service',
    pagesLead: 'Cette page et les paramètres d’entreprise ont leurs propres sessions, plus courtes.',
    account: 'Page du compte',
    settings: 'Paramètres d’entreprise',
    here: 'ce navigateur',
    on: (browser, system) => `${browser} sur ${system}`,
    unknown: 'Appareil inconnu',
    lastUsed: 'Dernière utilisation',
    signedIn: 'Connexion',
    end: 'Terminer',
    endOthers: 'Terminer toutes les autres',
  },
  applications: {
    heading: 'Applications connectées',
    lead: 'Où vous vous connectez avec ce compte, et ce qu’elles peuvent voir.',
    show: 'Voir les applications',
    none: 'Vous ne vous êtes encore connecté à aucune application.',
    sees: 'Peut voir',
    noneSeen: 'Plus rien. Ce qu’elle a reçu auparavant, elle l’a peut-être encore.',
    since: 'Depuis',
    lastSignIn: 'Dernière connexion',
    withdraw: 'Retirer l’accès',
    keeps:
      'Une application à laquelle vous retirez l’accès est déconnectée aussitôt et devra vous le redemander. Elle garde ce qu’elle a reçu auparavant, et votre compte chez elle n’est pas supprimé : pour cela, adressez-vous à l’application elle-même.',
    openid: 'un identifiant créé pour elle seule',
    email: 'votre adresse e-mail',
    profile: 'votre nom',
    offline: 'un accès en votre absence',
  },
};

const es: SessionTexts = {
  sessions: {
    heading: 'Sesiones',
    lead: 'Dónde tiene la sesión iniciada y cómo terminarla.',
    show: 'Ver las sesiones',
    browsers: 'Navegadores con sesión',
    browsersLead:
      'Al terminar una, se cierra la sesión del navegador y la de todas las aplicaciones abiertas allí con su cuenta.',
    noBrowsers: 'Ningún navegador tiene la sesión iniciada aparte de las páginas de abajo.',
    pages: 'Páginas de este servicio',
    pagesLead: 'Esta página y los ajustes de empresa tienen sesiones propias, más cortas.',
    account: 'Página de la cuenta',
    settings: 'Ajustes de empresa',
    here: 'este navegador',
    on: (browser, system) => `${browser} en ${system}`,
    unknown: 'Dispositivo desconocido',
    lastUsed: 'Último uso',
    signedIn: 'Inicio de sesión',
    end: 'Terminar',
    endOthers: 'Terminar todas las demás',
  },
  applications: {
    heading: 'Aplicaciones conectadas',
    lead: 'Dónde inicia sesión con esta cuenta y qué pueden ver.',
    show: 'Ver las aplicaciones',
    none: 'Todavía no ha iniciado sesión en ninguna aplicación.',
    sees: 'Puede ver',
    noneSeen: 'Ya nada. Lo que recibió antes quizá aún lo tenga.',
    since: 'Desde',
    lastSignIn: 'Último inicio de sesión',
    withdraw: 'Retirar el acceso',
    keeps:
      'Si retira el acceso a una aplicación, su sesión allí se cierra enseguida y tendrá que volver a preguntarle. Lo que recibió antes lo conserva, y su cuenta allí no se borra: para eso, diríjase a la propia aplicación.',
    openid: 'un identificador creado solo para ella',
    email: 'su dirección de correo',
    profile: 'su nombre',
    offline: 'acceso mientras no está',
  },
};

export const sessionTexts: Record<Language, SessionTexts> = { en, de, fr, es };
