// The few texts of the front door, in every language.
import type { Language } from '../languages.ts';

type FrontDoorTexts = {
  lead: string;
  account: string;
  accountLead: string;
  settings: string;
  settingsLead: string;
};

export const frontDoorTexts: Record<Language, FrontDoorTexts> = {
  en: {
    lead: 'Sign-in for the applications that you use.',
    account: 'Your account',
    accountLead: 'Your name, your address, ways to sign in, and the applications that know you.',
    settings: 'Company settings',
    settingsLead: 'For companies: applications, keys, webhooks, balance and usage.',
  },
  de: {
    lead: 'Anmeldung für die Anwendungen, die Sie nutzen.',
    account: 'Ihr Konto',
    accountLead: 'Ihr Name, Ihre Adresse, Ihre Anmeldewege und die Anwendungen, die Sie kennen.',
    settings: 'Unternehmenseinstellungen',
    settingsLead: 'Für Unternehmen: Anwendungen, Schlüssel, Webhooks, Guthaben und Nutzung (auf Englisch).',
  },
  fr: {
    lead: 'La connexion aux applications que vous utilisez.',
    account: 'Votre compte',
    accountLead:
      'Votre nom, votre adresse, vos moyens de connexion et les applications qui vous connaissent.',
    settings: 'Paramètres de l’entreprise',
    settingsLead: 'Pour les entreprises : applications, clés, webhooks, solde et utilisation (en anglais).',
  },
  es: {
    lead: 'Inicio de sesión para las aplicaciones que utiliza.',
    account: 'Su cuenta',
    accountLead: 'Su nombre, su dirección, sus formas de iniciar sesión y las aplicaciones que le conocen.',
    settings: 'Ajustes de la empresa',
    settingsLead: 'Para empresas: aplicaciones, claves, webhooks, saldo y uso (en inglés).',
  },
};
