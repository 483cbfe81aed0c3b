// What every mail of the hosted pages and the account page says about the request that caused it, in every language.

const en = {
  codeHeading: (app: string) => `Sign in to ${app}`,
  recoverHeading: 'Reset your password',
  application: 'Application',
  device: 'Device',
  time: 'Time',
  on: (browser: string, system: string) => `${browser} on ${system}`,
  unknownDevice: 'Unknown device',
  terms: 'Terms',
  privacy: 'Privacy',
  support: 'Support',
};

export type RequestTexts = typeof en;

const de: RequestTexts = {
  codeHeading: (app) => `Anmelden bei ${app}`,
  recoverHeading: 'Passwort zurücksetzen',
  application: 'Anwendung',
  device: 'Gerät',
  time: 'Zeit',
  on: (browser, system) => `${browser} auf ${system}`,
  unknownDevice: 'Unbekanntes Gerät',
  terms: 'Nutzungsbedingungen',
  privacy: 'Datenschutz',
  support: 'Hilfe',
};

const fr: RequestTexts = {
  codeHeading: (app) => `Se connecter à ${app}`,
  recoverHeading: 'Réinitialiser votre mot de passe',
  application: 'Application',
  device: 'Appareil',
  time: 'Heure',
  on: (browser, system) => `${browser} sur ${system}`,
  unknownDevice: 'Appareil inconnu',
  terms: 'Conditions d’utilisation',
  privacy: 'Confidentialité',
  support: 'Assistance',
};

const es: RequestTexts = {
  codeHeading: (app) => `Iniciar sesión en ${app}`,
  recoverHeading: 'Restablecer su contraseña',
  application: 'Aplicación',
  device: 'Dispositivo',
  time: 'Hora',
  on: (browser, system) => `${browser} en ${system}`,
  unknownDevice: 'Dispositivo desconocido',
  terms: 'Condiciones',
  privacy: 'Privacidad',
  support: 'Ayuda',
};

export const requestTexts = { en, de, fr, es };
