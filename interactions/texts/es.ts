// Español, con tratamiento de usted.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
} from '../../src/limits/credentials.ts';
import { personNameCharacters } from '../../src/limits/requests.ts';
import type { Texts } from './en.ts';

export const es: Texts = {
  languageName: 'Español',

  shared: {
    email: 'Correo electrónico',
    name: 'Su nombre',
    password: 'Contraseña',
    newPassword: 'Nueva contraseña',
    optional: 'opcional',
    continue: 'Continuar',
    or: 'o bien',
    back: 'Volver',
    cancel: (app) => `Cancelar y volver a ${app}`,
    backTo: (app) => `Volver a ${app}`,
    languages: 'Idioma',
    passwordRules: `Al menos ${passwordMinimumCharacters} caracteres. Bastan unas palabras sin relación entre sí; no hacen falta caracteres especiales.`,
  },

  signIn: {
    over: 'Este inicio de sesión ya no es válido. Inicie sesión de nuevo.',
    heading: 'Iniciar sesión',
    lead: (app) => `para continuar a ${app}`,
    hint: 'Le enviaremos un código por correo. No necesita contraseña.',
    usePassword: 'Usar una contraseña',
    newHere: '¿Es su primera vez?',
    createAccount: 'Crear una cuenta',
  },

  register: {
    heading: 'Crear su cuenta',
    lead: (app) => `para continuar a ${app}`,
    passwordHint: 'Déjelo vacío para iniciar sesión con códigos enviados por correo.',
    submit: 'Crear cuenta',
    haveAccount: '¿Ya tiene una cuenta?',
    signIn: 'Iniciar sesión',
  },

  passkey: {
    use: 'Usar una llave de acceso',
    create: 'Crear una llave de acceso',
    later: 'Ahora no',
    offerHeading: '¿Más rápido la próxima vez?',
    offerLead:
      'Con una llave de acceso inicia sesión con la huella, la cara o el bloqueo de pantalla en lugar de un código. Las llaves de acceso resisten el phishing.',
    nothingHappened:
      'No se ha elegido ninguna llave de acceso. Inténtelo de nuevo o inicie sesión de otra manera.',
    notCreated: 'No se ha podido guardar esa llave de acceso. Inténtelo de nuevo o continúe sin ella.',
    refused:
      'Esa llave de acceso no funciona aquí. Inicie sesión de otra manera. Puede gestionar sus llaves de acceso en la página de su cuenta.',
  },

  social: {
    continueWith: (provider) => `Continuar con ${provider}`,
    failed: (provider) =>
      `${provider} no ha podido confirmar su identidad. No ha cambiado nada. Inténtelo de nuevo o inicie sesión de otra manera.`,
    cancelled: (provider) =>
      `No ha terminado de iniciar sesión con ${provider}. Inténtelo de nuevo o inicie sesión de otra manera.`,
    over: 'Ese enlace de inicio de sesión ya se ha usado o ha caducado. Empiece de nuevo.',
    proofHeading: 'Un paso más',
    proofKnown: (provider) =>
      `Ya existe una cuenta con esta dirección. Antes de iniciar sesión en ella con ${provider}, confirme una vez que es suya.`,
    proofUnknown: (provider) =>
      `${provider} no ha confirmado su correo electrónico. Introdúzcalo y le enviaremos un código.`,
    sendCode: 'Enviarme un código',
    otherWay: 'Iniciar sesión de otra manera',
  },

  code: {
    heading: 'Revise su correo',
    lead: `Hemos enviado un código de ${oneTimeCodeDigits} cifras a`,
    label: 'Código',
    validFor: (duration) => `El código es válido durante ${duration} más.`,
    attemptsLeft: (count) => (count === 1 ? 'Le queda un intento.' : `Le quedan ${count} intentos.`),
    resend: 'Enviar un código nuevo',
    resendIn: (duration) => `Podrá pedir un código nuevo en ${duration}.`,
    otherAddress: 'Usar otra dirección',
    noneSent: 'Ahora mismo no podemos enviar un código a esta dirección.',
    locked: (duration) =>
      `Demasiados códigos incorrectos para esta dirección. Podrá volver a introducir un código en ${duration}.`,
    notArrived: '¿No le ha llegado? Mire en la carpeta de correo no deseado o compruebe la dirección.',
    wrong: 'El código no es correcto.',
    expired: 'El código ha caducado. Pida uno nuevo.',
    usedUp: 'Demasiados códigos incorrectos. Pida uno nuevo para continuar.',
    sent: 'Hemos enviado un código nuevo. Los anteriores ya no sirven.',
  },

  newcomer: {
    heading: 'Le damos la bienvenida',
    lead: 'Su correo electrónico está confirmado. Cree una cuenta para',
    submit: 'Crear cuenta',
  },

  password: {
    heading: 'Introduzca su contraseña',
    lead: (app) => `para continuar a ${app}`,
    submit: 'Iniciar sesión',
    useCode: 'Prefiero un código por correo',
    forgot: '¿Ha olvidado la contraseña?',
    wrong:
      'El correo electrónico o la contraseña no son correctos, o la cuenta no tiene contraseña. Siempre puede iniciar sesión con un código por correo.',
  },

  recover: {
    heading: 'Restablecer la contraseña',
    lead: 'Introduzca su correo electrónico. Le enviaremos un código para confirmar que es suyo.',
    submit: 'Enviarme un código',
    backToSignIn: 'Volver al inicio de sesión',
  },

  newPassword: {
    heading: 'Elija una nueva contraseña',
    lead: 'Se cerrará su sesión en todos los demás dispositivos.',
    account: 'Cuenta',
    submit: 'Guardar la contraseña',
  },

  consent: {
    heading: (app) => `¿Continuar a ${app}?`,
    lead: (app) => `${app} verá los siguientes datos. No se comparte nada más.`,
    identifier: 'Un identificador único',
    identifierDetail: 'Creado solo para esta aplicación. Otras aplicaciones no pueden reconocerle por él.',
    email: 'Su correo electrónico',
    profile: 'Su nombre',
    profileEmpty: 'No ha añadido ninguno.',
    offline: 'Acceso en su ausencia',
    offlineDetail:
      'Puede seguir usando su cuenta cuando usted no esté, hasta que cierre sesión o pase mucho tiempo sin uso.',
    allow: 'Permitir',
    deny: 'Cancelar',
    signedInAs: 'Sesión iniciada como',
    otherAccount: 'Usar otra cuenta',
  },

  choice: {
    heading: '¿Qué cuenta?',
    keep: (email: string) => `Continuar como ${email}`,
  },

  postedAnswer: {
    lead: 'Si no pasa nada, pulse el botón.',
  },

  logout: {
    heading: '¿Cerrar la sesión?',
    lead: (app) => (app ? `${app} pide cerrar su sesión.` : 'Se cerrará su sesión en este navegador.'),
    submit: 'Cerrar la sesión',
    stay: 'Mantener la sesión',
    doneHeading: 'Ha cerrado la sesión',
    doneLead: 'Ya puede cerrar esta página.',
    stayedHeading: 'La sesión sigue abierta',
    stayedLead: (app) => (app ? `${app} ya no tiene acceso a esta sesión.` : 'No ha cambiado nada.'),
  },

  problems: {
    invalidEmail: 'Introduzca una dirección de correo completa, por ejemplo nombre@example.com.',
    missingName: 'Introduzca su nombre.',
    longName: `Use como máximo ${personNameCharacters} caracteres.`,
    missingPassword: 'Introduzca su contraseña.',
    passwordTooShort: `Use al menos ${passwordMinimumCharacters} caracteres.`,
    passwordTooLong: `Use como máximo ${passwordMaximumCharacters} caracteres.`,
    passwordTooCommon: 'Esta contraseña figura en listas de contraseñas habituales. Elija otra.',
    passwordTooGuessable:
      'Esta contraseña es fácil de adivinar. Añada unas palabras sin relación entre sí y evite su nombre y su dirección.',
  },

  errors: {
    reservedHeading: 'Esta dirección todavía no puede usarse',
    reserved:
      'Otra cuenta usaba esta dirección hasta hace pocos días y aún puede recuperarla. Si esa cuenta es suya, abra el enlace del correo sobre el cambio. Si no, inténtelo de nuevo dentro de siete días.',
    reference: 'Referencia',
    forDevelopers: 'Para desarrolladores',
    expiredHeading: 'Este enlace ha caducado',
    expired: (duration) =>
      `Las páginas de inicio de sesión son válidas durante ${duration}. Vuelva a la aplicación y empiece de nuevo.`,
    finishedHeading: 'Ya ha terminado',
    finished:
      'Este inicio de sesión ya se completó o se canceló, quizá en otra pestaña. Cierre esta página o empiece de nuevo desde la aplicación.',
    cookiesHeading: 'Su navegador no ha enviado nuestra cookie',
    cookies:
      'El inicio de sesión solo funciona en el navegador en el que lo empezó y con las cookies permitidas para este sitio. Permítalas, vuelva a la aplicación y empiece de nuevo.',
    tooManyHeading: 'Demasiados intentos',
    tooMany: (duration) => `Para proteger las cuentas, espere un poco. Inténtelo de nuevo en ${duration}.`,
    balanceHeading: 'El inicio de sesión no está disponible ahora',
    balance:
      'Esta aplicación no puede completar inicios de sesión en este momento. No es culpa suya. Inténtelo más tarde o contacte con la aplicación.',
    requestHeading: 'No se puede completar esta solicitud',
    request: (app = 'La aplicación') =>
      `${app} le ha enviado aquí con una solicitud que no podemos aceptar. Vuelva atrás e inténtelo de nuevo. Si sigue ocurriendo, contacte con su servicio de ayuda.`,
    formHeading: 'Este formulario ya no es válido',
    form: 'Ha caducado o se abrió en otro navegador. Vuelva atrás, recargue la página e inténtelo de nuevo.',
    toStart: 'Ir a la página de inicio',
    toSettings: 'Ajustes de la empresa',
    toAccount: 'Su cuenta',
    notFoundHeading: 'Aquí no hay nada',
    notFound: 'Compruebe la dirección o vuelva a la página anterior.',
    busyHeading: 'Volvemos enseguida',
    busy: 'El servicio está ocupado o se está reiniciando. Sus datos están a salvo. Inténtelo de nuevo en un momento.',
    unknownHeading: 'Algo ha fallado',
    unknown:
      'El fallo es nuestro, no suyo. Inténtelo de nuevo. Si sigue ocurriendo, indíquenos la referencia de abajo.',
  },

  mail: {
    greeting: 'Hola:',
    codeSubject: (code, app) => `${code} es su código para ${app}`,
    codeIntro: (app) => `Introduzca este código en la página donde lo ha solicitado para continuar a ${app}:`,
    recoverSubject: (code, app) => `${code} es su código para una nueva contraseña de ${app}`,
    recoverIntro:
      'Introduzca este código en la página donde lo ha solicitado para elegir una nueva contraseña:',
    codeValid: (duration) =>
      `Caduca en ${duration} y funciona una sola vez, en el navegador donde lo ha solicitado.`,
    codeWarning:
      'No lo comparta nunca: nosotros jamás se lo pediremos. Si no lo ha solicitado, puede ignorar este correo.',
    passkeyAddedSubject: 'Se ha añadido una llave de acceso',
    passkeyAddedIntro: (email, name) =>
      `Se acaba de añadir una llave de acceso (${name}) a la cuenta ${email}. Cualquiera que pueda desbloquear el dispositivo puede iniciar sesión con ella.`,
    passkeyAddedWarning:
      'Si no ha sido usted, elimínela ahora en la página de su cuenta y cambie la contraseña de su correo.',
    claimedSubject: 'Su dirección está confirmada',
    claimedIntro: (email, provider) =>
      `La cuenta ${email} se creó con ${provider}, y usted acaba de confirmar con un código que la dirección es suya. Para que nadie más pueda usar la cuenta, hemos eliminado la contraseña, las llaves de acceso y las cuentas vinculadas, y hemos cerrado todas las demás sesiones.`,
    claimedAdvice: (provider) =>
      `Si fue usted quien usó ${provider}, elíjalo de nuevo la próxima vez que inicie sesión. Con un código más quedará vinculado de forma permanente.`,
    linkedSubject: (provider) => `Ahora puede iniciar sesión con ${provider}`,
    linkedIntro: (provider, email) =>
      `Su cuenta de ${provider} se acaba de vincular con la cuenta ${email}. Ahora puede iniciar sesión con ella.`,
    linkedWarning:
      'Si no ha sido usted, quizá alguien tenga acceso a su correo. Cambie la contraseña de su correo y desvincule esa cuenta en la página de su cuenta.',
    changedSubject: 'Se ha cambiado su contraseña',
    changedIntro: (email) =>
      `La contraseña de la cuenta ${email} se acaba de cambiar. Se han cerrado todas las demás sesiones.`,
    changedRemaining: (ways) =>
      `Todavía puede iniciar sesión con: ${ways.join(', ')}. Si algo de esto no es suyo, elimínelo en la página de su cuenta.`,
    changedWarning:
      'Si no ha sido usted, elija ahora una contraseña nueva: «¿Ha olvidado la contraseña?» en la página de inicio de sesión. Quizá alguien tenga también acceso a su correo: cambie también esa contraseña.',
  },
};
