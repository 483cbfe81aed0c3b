// The page after a recovery, in every language.
type RecoveredTexts = { heading: string; lead: string; goOn: (app: string) => string };

export const recoveredTexts = {
  en: {
    heading: 'Your new password is set',
    lead: 'You were signed out everywhere else. We’ve emailed you about the change.',
    goOn: (app) => `Continue to ${app}`,
  },
  de: {
    heading: 'Ihr neues Passwort ist festgelegt',
    lead: 'Sie wurden überall sonst abgemeldet. Eine E-Mail über die Änderung ist unterwegs.',
    goOn: (app) => `Weiter zu ${app}`,
  },
  fr: {
    heading: 'Votre nouveau mot de passe est enregistré',
    lead: 'Vous avez été déconnecté partout ailleurs. Un e-mail vous informe du changement.',
    goOn: (app) => `Continuer vers ${app}`,
  },
  es: {
    heading: 'Su nueva contraseña está guardada',
    lead: 'Se ha cerrado su sesión en todos los demás dispositivos. Le hemos enviado un correo sobre el cambio.',
    goOn: (app) => `Continuar a ${app}`,
  },
} satisfies Record<string, RecoveredTexts>;
