// What the pages about sessions and connected applications say, in every language.
import type { Language } from '../../languages.ts';

const en = {
  sessions: {
    lead: 'The browsers in which you are signed in. Sign out the ones you don’t recognize.',
    browsers: 'Signed-in browsers',
    browsersLead:
      'Ending a session signs that browser out, along with every application you signed in to there and every device you connected from it.',
    account: 'Account page',
    settings: 'Company settings',
    here: 'This device',
    address: 'Network address',
    lastUsed: 'Last seen',
    signedIn: 'First seen',
    end: 'End',
    endOthers: 'End all other sessions',
  },
  applications: {
    lead: 'Applications you sign in to with this account, and what they can see.',
    none: 'You haven’t signed in to any applications yet.',
    sees: 'Can see',
    noneSeen: 'Nothing any more. It may still have what it received earlier.',
    since: 'Since',
    lastSignIn: 'Last sign-in',
    withdraw: 'Remove access',
    keeps:
      'When you remove an application’s access, you are signed out of it right away and it has to ask you again. It keeps what it received earlier, and your account there is not deleted. To delete it, contact the application.',
    openid: 'a unique identifier',
    email: 'your email address',
    profile: 'your name',
    offline: 'access while you are away',
  },
};

export type SessionTexts = typeof en;

const de: SessionTexts = {
  sessions: {
    lead: 'Die Browser, in denen Sie angemeldet sind. Melden Sie ab, was Sie nicht erkennen.',
    browsers: 'Angemeldete Browser',
    browsersLead:
      'Wenn Sie eine Sitzung beenden, wird der Browser abgemeldet, ebenso alle Anwendungen, bei denen Sie sich dort angemeldet haben, und alle Geräte, die Sie von dort aus verbunden haben.',
    account: 'Kontoseite',
    settings: 'Firmeneinstellungen',
    here: 'Dieses Gerät',
    address: 'Netzwerkadresse',
    lastUsed: 'Zuletzt gesehen',
    signedIn: 'Zuerst gesehen',
    end: 'Beenden',
    endOthers: 'Alle anderen Sitzungen beenden',
  },
  applications: {
    lead: 'Anwendungen, bei denen Sie sich mit diesem Konto anmelden, und was sie sehen dürfen.',
    none: 'Sie haben sich noch bei keiner Anwendung angemeldet.',
    sees: 'Darf sehen',
    noneSeen: 'Nichts mehr. Früher erhaltene Daten hat sie möglicherweise noch.',
    since: 'Seit',
    lastSignIn: 'Letzte Anmeldung',
    withdraw: 'Zugriff entziehen',
    keeps:
      'Wenn Sie einer Anwendung den Zugriff entziehen, werden Sie dort sofort abgemeldet, und sie muss Sie erneut fragen. Früher erhaltene Daten behält sie, und Ihr Konto dort wird nicht gelöscht. Wenden Sie sich dafür an die Anwendung.',
    openid: 'eine eindeutige Kennung',
    email: 'Ihre E-Mail-Adresse',
    profile: 'Ihren Namen',
    offline: 'Zugriff in Ihrer Abwesenheit',
  },
};

const fr: SessionTexts = {
  sessions: {
    lead: 'Les navigateurs où vous êtes connecté. Déconnectez ceux que vous ne reconnaissez pas.',
    browsers: 'Navigateurs connectés',
    browsersLead:
      'Fermer une session déconnecte ce navigateur, les applications auxquelles vous vous y êtes connecté et les appareils que vous avez connectés depuis ce navigateur.',
    account: 'Page du compte',
    settings: 'Paramètres d’entreprise',
    here: 'Cet appareil',
    address: 'Adresse réseau',
    lastUsed: 'Dernière activité',
    signedIn: 'Première connexion',
    end: 'Fermer',
    endOthers: 'Fermer toutes les autres sessions',
  },
  applications: {
    lead: 'Les applications auxquelles vous vous connectez avec ce compte, et ce qu’elles peuvent voir.',
    none: 'Vous ne vous êtes encore connecté à aucune application.',
    sees: 'Peut voir',
    noneSeen: 'Plus rien. Elle conserve peut-être ce qu’elle a déjà reçu.',
    since: 'Depuis',
    lastSignIn: 'Dernière connexion',
    withdraw: 'Retirer l’accès',
    keeps:
      'Lorsque vous retirez l’accès à une application, vous y êtes aussitôt déconnecté et elle devra vous le redemander. Elle conserve ce qu’elle a déjà reçu, et votre compte chez elle n’est pas supprimé. Pour cela, contactez l’application.',
    openid: 'un identifiant unique',
    email: 'votre adresse e-mail',
    profile: 'votre nom',
    offline: 'un accès en votre absence',
  },
};

const es: SessionTexts = {
  sessions: {
    lead: 'Los navegadores en los que tiene la sesión iniciada. Cierre la sesión en los que no reconozca.',
    browsers: 'Navegadores con sesión iniciada',
    browsersLead:
      'Al cerrar una sesión, se cierra también en todas las aplicaciones en las que la inició desde ese navegador y en los dispositivos que conectó desde él.',
    account: 'Página de la cuenta',
    settings: 'Ajustes de empresa',
    here: 'Este dispositivo',
    address: 'Dirección de red',
    lastUsed: 'Última actividad',
    signedIn: 'Primer inicio de sesión',
    end: 'Cerrar',
    endOthers: 'Cerrar todas las demás sesiones',
  },
  applications: {
    lead: 'Las aplicaciones en las que inicia sesión con esta cuenta y lo que pueden ver.',
    none: 'Todavía no ha iniciado sesión en ninguna aplicación.',
    sees: 'Puede ver',
    noneSeen: 'Ya nada. Es posible que conserve lo que recibió antes.',
    since: 'Desde',
    lastSignIn: 'Último inicio de sesión',
    withdraw: 'Retirar el acceso',
    keeps:
      'Si retira el acceso a una aplicación, su sesión allí se cierra de inmediato y la aplicación tendrá que volver a pedirle permiso. Conserva lo que recibió antes, y su cuenta allí no se elimina. Para eso, contacte con la aplicación.',
    openid: 'un identificador único',
    email: 'su dirección de correo',
    profile: 'su nombre',
    offline: 'acceso en su ausencia',
  },
};

export const sessionTexts: Record<Language, SessionTexts> = { en, de, fr, es };
