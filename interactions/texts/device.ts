// What the pages for signing in on a device by a code say, in every language.

const en = {
  codeHeading: 'Connect a device',
  codeLead: 'Enter the code that your device shows.',
  codeTyped: 'Continue only if your device shows exactly this code.',
  codeLabel: 'Code',
  continue: 'Continue',
  cancel: 'Cancel',
  unknown: 'That code is wrong. Check it on your device.',
  over: 'That code has expired. Get a new one on your device.',
  used: 'That code has been used. Get a new one on your device.',
  empty: 'Enter the code.',
  page_expired: 'This page was open for too long. Enter the code again.',
  confirmHeading: (app: string) => `Sign in to ${app} on your device?`,
  confirmLead: (app: string) =>
    `The device will be signed in to your account, and ${app} will see the following.`,
  warning:
    'Only continue if the code is on a device in front of you. If someone sent you the code or read it to you, they would get into your account.',
  allow: 'Yes, sign in on the device',
  deny: 'No, cancel',
  doneHeading: 'Your device is connected',
  done: (app: string) => `Go back to the device to continue in ${app}. You can close this page.`,
  refusedHeading: 'The device was not connected',
  refused: 'It got no access to your account. You can close this page.',
};

export type DeviceTexts = typeof en;

const de: DeviceTexts = {
  codeHeading: 'Gerät verbinden',
  codeLead: 'Geben Sie den Code ein, den Ihr Gerät anzeigt.',
  codeTyped: 'Fahren Sie nur fort, wenn Ihr Gerät genau diesen Code anzeigt.',
  codeLabel: 'Code',
  continue: 'Weiter',
  cancel: 'Abbrechen',
  unknown: 'Dieser Code ist falsch. Vergleichen Sie ihn mit der Anzeige auf Ihrem Gerät.',
  over: 'Dieser Code ist abgelaufen. Fordern Sie auf Ihrem Gerät einen neuen an.',
  used: 'Dieser Code wurde bereits verwendet. Fordern Sie auf Ihrem Gerät einen neuen an.',
  empty: 'Geben Sie den Code ein.',
  page_expired: 'Diese Seite war zu lange offen. Geben Sie den Code noch einmal ein.',
  confirmHeading: (app) => `Auf Ihrem Gerät bei ${app} anmelden?`,
  confirmLead: (app) => `Das Gerät wird mit Ihrem Konto angemeldet, und ${app} erhält folgende Angaben.`,
  warning:
    'Fahren Sie nur fort, wenn Sie das Gerät mit dem Code vor sich haben. Hat Ihnen jemand den Code geschickt oder genannt, erhält diese Person sonst Zugriff auf Ihr Konto.',
  allow: 'Ja, auf dem Gerät anmelden',
  deny: 'Nein, abbrechen',
  doneHeading: 'Ihr Gerät ist verbunden',
  done: (app) => `Auf dem Gerät geht es mit ${app} weiter. Sie können diese Seite schließen.`,
  refusedHeading: 'Das Gerät wurde nicht verbunden',
  refused: 'Es hat keinen Zugriff auf Ihr Konto erhalten. Sie können diese Seite schließen.',
};

const fr: DeviceTexts = {
  codeHeading: 'Connecter un appareil',
  codeLead: 'Saisissez le code affiché sur votre appareil.',
  codeTyped: 'Ne continuez que si votre appareil affiche exactement ce code.',
  codeLabel: 'Code',
  continue: 'Continuer',
  cancel: 'Annuler',
  unknown: 'Ce code est incorrect. Vérifiez-le sur votre appareil.',
  over: 'Ce code a expiré. Demandez-en un nouveau sur votre appareil.',
  used: 'Ce code a déjà été utilisé. Demandez-en un nouveau sur votre appareil.',
  empty: 'Saisissez le code.',
  page_expired: 'Cette page est restée ouverte trop longtemps. Saisissez de nouveau le code.',
  confirmHeading: (app) => `Se connecter à ${app} sur votre appareil ?`,
  confirmLead: (app) =>
    `L’appareil sera connecté à votre compte, et ${app} verra les informations suivantes.`,
  warning:
    'Ne continuez que si l’appareil qui affiche le code est devant vous. Si quelqu’un vous a envoyé ou dicté ce code, cette personne aurait accès à votre compte.',
  allow: 'Oui, connecter l’appareil',
  deny: 'Non, annuler',
  doneHeading: 'Votre appareil est connecté',
  done: (app) => `Continuez dans ${app} sur l’appareil. Vous pouvez fermer cette page.`,
  refusedHeading: 'L’appareil n’a pas été connecté',
  refused: 'Il n’a pas eu accès à votre compte. Vous pouvez fermer cette page.',
};

const es: DeviceTexts = {
  codeHeading: 'Conectar un dispositivo',
  codeLead: 'Introduzca el código que muestra su dispositivo.',
  codeTyped: 'Continúe solo si su dispositivo muestra exactamente este código.',
  codeLabel: 'Código',
  continue: 'Continuar',
  cancel: 'Cancelar',
  unknown: 'Ese código no es correcto. Compruébelo en su dispositivo.',
  over: 'Ese código ha caducado. Obtenga uno nuevo en su dispositivo.',
  used: 'Ese código ya se ha utilizado. Obtenga uno nuevo en su dispositivo.',
  empty: 'Introduzca el código.',
  page_expired: 'Esta página ha estado abierta demasiado tiempo. Introduzca el código de nuevo.',
  confirmHeading: (app) => `¿Iniciar sesión en ${app} en su dispositivo?`,
  confirmLead: (app) => `El dispositivo tendrá acceso con su cuenta, y ${app} verá los siguientes datos.`,
  warning:
    'Continúe solo si tiene delante el dispositivo que muestra el código. Si alguien le ha enviado o dictado el código, esa persona tendría acceso a su cuenta.',
  allow: 'Sí, iniciar sesión en el dispositivo',
  deny: 'No, cancelar',
  doneHeading: 'Su dispositivo está conectado',
  done: (app) => `Continúe en ${app} desde el dispositivo. Puede cerrar esta página.`,
  refusedHeading: 'El dispositivo no se ha conectado',
  refused: 'No ha obtenido acceso a su cuenta. Puede cerrar esta página.',
};

export const deviceTexts = { en, de, fr, es };
