// The sections of the account page, what their first pages say, and the page that asks for a newer sign-in, in every
// language.
import type { Language } from '../../languages.ts';

const en = {
  skip: 'Skip to the content',
  navigation: 'Account',
  overview: 'Overview',
  profile: 'Profile & email',
  profileLead: 'What applications may see of you, if you let them.',
  signIn: 'Ways to sign in',
  signInLead: 'Each of these opens your account. Keep the ones you use, and remove the rest.',
  sessions: 'Sessions & devices',
  applications: 'Applications with access',
  data: 'Your data',

  code: 'Emailed code',
  codeAlways: (email: string) => `Always possible, with a code sent to ${email}.`,
  passwordSet: 'Set',
  notSet: 'Not set',
  otherDevices: (count: number) =>
    count === 0 ? 'No other device is signed in.' : `${count} other ${count === 1 ? 'device' : 'devices'}`,
  noApplications: 'None yet.',
  applicationCount: (count: number) => (count === 1 ? 'One application' : `${count} applications`),
  manage: 'Manage',

  confirm: {
    heading: 'Confirm it’s you',
    lead: (purpose: string) => `${purpose} needs a sign-in from the last five minutes.`,
    purposes: {
      address: 'Changing your email address',
      password: 'Changing your password',
      passkeys: 'Managing your passkeys',
      social: 'Managing your linked accounts',
      data: 'Downloading or deleting your data',
      deletion: 'Deleting your account',
    },
    afterwards: 'You’ll come back here afterwards.',
    go: 'Continue',
    back: 'Back to your account',
  },
};

export type SectionTexts = typeof en;

const de: SectionTexts = {
  skip: 'Zum Inhalt',
  navigation: 'Konto',
  overview: 'Übersicht',
  profile: 'Profil und E-Mail',
  profileLead: 'Was Anwendungen von Ihnen sehen dürfen, wenn Sie es erlauben.',
  signIn: 'Anmeldemethoden',
  signInLead: 'Jede davon öffnet Ihr Konto. Behalten Sie, was Sie nutzen, und entfernen Sie den Rest.',
  sessions: 'Sitzungen und Geräte',
  applications: 'Anwendungen mit Zugriff',
  data: 'Ihre Daten',

  code: 'Code per E-Mail',
  codeAlways: (email) => `Immer möglich, mit einem Code an ${email}.`,
  passwordSet: 'Festgelegt',
  notSet: 'Nicht festgelegt',
  otherDevices: (count) =>
    count === 0
      ? 'Kein anderes Gerät ist angemeldet.'
      : `${count} ${count === 1 ? 'weiteres Gerät' : 'weitere Geräte'}`,
  noApplications: 'Noch keine.',
  applicationCount: (count) => (count === 1 ? 'Eine Anwendung' : `${count} Anwendungen`),
  manage: 'Verwalten',

  confirm: {
    heading: 'Bestätigen Sie, dass Sie es sind',
    lead: (purpose) => `${purpose}: Dafür muss Ihre Anmeldung weniger als fünf Minuten her sein.`,
    purposes: {
      address: 'E-Mail-Adresse ändern',
      password: 'Passwort ändern',
      passkeys: 'Passkeys verwalten',
      social: 'Verknüpfte Konten verwalten',
      data: 'Daten herunterladen oder löschen',
      deletion: 'Konto löschen',
    },
    afterwards: 'Danach kommen Sie hierher zurück.',
    go: 'Weiter',
    back: 'Zurück zu Ihrem Konto',
  },
};

const fr: SectionTexts = {
  skip: 'Aller au contenu',
  navigation: 'Compte',
  overview: 'Vue d’ensemble',
  profile: 'Profil et e-mail',
  profileLead: 'Ce que les applications peuvent voir de vous, si vous l’autorisez.',
  signIn: 'Modes de connexion',
  signInLead: 'Chacun d’eux ouvre votre compte. Gardez ceux que vous utilisez et supprimez les autres.',
  sessions: 'Sessions et appareils',
  applications: 'Applications autorisées',
  data: 'Vos données',

  code: 'Code par e-mail',
  codeAlways: (email) => `Toujours possible, avec un code envoyé à ${email}.`,
  passwordSet: 'Défini',
  notSet: 'Non défini',
  otherDevices: (count) =>
    count === 0
      ? 'Aucun autre appareil n’est connecté.'
      : `${count} ${count === 1 ? 'autre appareil' : 'autres appareils'}`,
  noApplications: 'Aucune pour l’instant.',
  applicationCount: (count) => (count === 1 ? 'Une application' : `${count} applications`),
  manage: 'Gérer',

  confirm: {
    heading: 'Confirmez que c’est bien vous',
    lead: (purpose) => `${purpose} demande une connexion de moins de cinq minutes.`,
    purposes: {
      address: 'Changer d’adresse e-mail',
      password: 'Changer de mot de passe',
      passkeys: 'Gérer vos clés d’accès',
      social: 'Gérer vos comptes liés',
      data: 'Télécharger ou supprimer vos données',
      deletion: 'Supprimer votre compte',
    },
    afterwards: 'Vous reviendrez ensuite ici.',
    go: 'Continuer',
    back: 'Retour à votre compte',
  },
};

const es: SectionTexts = {
  skip: 'Ir al contenido',
  navigation: 'Cuenta',
  overview: 'Resumen',
  profile: 'Perfil y correo',
  profileLead: 'Lo que las aplicaciones pueden ver de usted, si lo permite.',
  signIn: 'Formas de iniciar sesión',
  signInLead: 'Cada una abre su cuenta. Conserve las que usa y elimine las demás.',
  sessions: 'Sesiones y dispositivos',
  applications: 'Aplicaciones con acceso',
  data: 'Sus datos',

  code: 'Código por correo',
  codeAlways: (email) => `Siempre posible, con un código enviado a ${email}.`,
  passwordSet: 'Establecida',
  notSet: 'Sin establecer',
  otherDevices: (count) =>
    count === 0
      ? 'Ningún otro dispositivo tiene la sesión iniciada.'
      : `${count} ${count === 1 ? 'dispositivo más' : 'dispositivos más'}`,
  noApplications: 'Ninguna todavía.',
  applicationCount: (count) => (count === 1 ? 'Una aplicación' : `${count} aplicaciones`),
  manage: 'Gestionar',

  confirm: {
    heading: 'Confirme que es usted',
    lead: (purpose) => `${purpose} requiere un inicio de sesión de hace menos de cinco minutos.`,
    purposes: {
      address: 'Cambiar su dirección de correo',
      password: 'Cambiar su contraseña',
      passkeys: 'Gestionar sus llaves de acceso',
      social: 'Gestionar sus cuentas vinculadas',
      data: 'Descargar o eliminar sus datos',
      deletion: 'Eliminar su cuenta',
    },
    afterwards: 'Después volverá aquí.',
    go: 'Continuar',
    back: 'Volver a su cuenta',
  },
};

export const sectionTexts: Record<Language, SectionTexts> = { en, de, fr, es };
