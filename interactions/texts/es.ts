// Español, con tratamiento de usted.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
  personNameCharacters,
} from '../../src/limits/protocol.ts';
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
    languages: 'Idioma',
    passwordRules: `Al menos ${passwordMinimumCharacters} caracteres. Bastan unas palabras sin relación entre sí; no hacen falta caracteres especiales.`,
  },

  signIn: {
    over: 'Este inicio de sesión ya no es válido. Vuelva a iniciar sesión.',
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
    passwordHint: 'Déjelo vacío para iniciar sesión con códigos por correo.',
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
      'Con una llave de acceso inicia sesión con huella, cara o bloqueo de pantalla en lugar de un código. Se queda con usted, y nadie puede sonsacársela.',
    nothingHappened: 'No se eligió nada. Inténtelo de nuevo o siga de otra manera.',
    notCreated: 'Esa llave de acceso no se pudo guardar. Inténtelo de nuevo o siga sin ella.',
    refused:
      'Esa llave de acceso no funciona aquí. Inicie sesión de otra manera; en la página de su cuenta administra sus llaves.',
  },

  social: {
    continueWith: (provider) => `Continuar con ${provider}`,
    failed: (provider) =>
      `${provider} no pudo decirnos quién es usted. No ha cambiado nada. Inténtelo de nuevo o inicie sesión de otra manera.`,
    cancelled: (provider) => `No terminó en ${provider}. Inténtelo de nuevo o inicie sesión de otra manera.`,
    over: 'Ese camino de vuelta ya se usó, o tardó demasiado. Empiece de nuevo, por favor.',
    proofHeading: 'Un paso más',
    proofKnown: (provider) =>
      `Ya existe una cuenta con esta dirección. Antes de que ${provider} pueda abrirla, confirme una vez que es suya.`,
    proofUnknown: (provider) =>
      `${provider} no confirmó ninguna dirección de correo. Díganos la suya y le enviaremos un código.`,
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
    notArrived: '¿No ha llegado? Mire en la carpeta de correo no deseado o compruebe la dirección.',
    wrong: 'El código no es correcto.',
    expired: 'El código ha caducado. Pida uno nuevo.',
    usedUp: 'Demasiados códigos incorrectos. Pida uno nuevo para continuar.',
    sent: 'Hemos enviado un código nuevo. Los anteriores ya no sirven.',
  },

  newcomer: {
    heading: 'Le damos la bienvenida',
    lead: 'Su dirección está confirmada. Todavía no hay ninguna cuenta con ella:',
    submit: 'Crear cuenta',
  },

  password: {
    heading: 'Introduzca su contraseña',
    lead: (app) => `para continuar a ${app}`,
    submit: 'Iniciar sesión',
    useCode: 'Prefiero un código por correo',
    forgot: '¿Ha olvidado la contraseña?',
    wrong:
      'La dirección y la contraseña no coinciden, o la cuenta no tiene contraseña. Un código por correo siempre funciona.',
    changed: 'Su nueva contraseña está guardada. Inicie sesión con ella.',
  },

  recover: {
    heading: 'Restablecer la contraseña',
    lead: 'Introduzca su dirección. Con un código por correo confirmaremos que es suya.',
    submit: 'Enviarme un código',
    backToSignIn: 'Volver al inicio de sesión',
  },

  newPassword: {
    heading: 'Elija una nueva contraseña',
    lead: 'Se cerrarán todas las demás sesiones de esta cuenta.',
    account: 'Cuenta',
    submit: 'Guardar la contraseña',
  },

  consent: {
    heading: (app) => `¿Continuar a ${app}?`,
    lead: (app) => `${app} verá los siguientes datos. No se comparte nada más.`,
    identifier: 'Un identificador para usted',
    identifierDetail: 'Solo para esta aplicación; no se puede relacionar con otras.',
    email: 'Su correo electrónico',
    profile: 'Su nombre',
    profileEmpty: 'No nos lo ha indicado.',
    offline: 'Acceso en su ausencia',
    offlineDetail:
      'La aplicación seguirá vinculada a su cuenta hasta que cierre la sesión o pase mucho tiempo sin uso.',
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
    heading: (app: string) => `Volver a ${app}`,
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
    invalidEmail: 'Introduzca una dirección completa, por ejemplo nombre@example.com.',
    missingName: 'Introduzca su nombre.',
    longName: `El nombre puede tener ${personNameCharacters} caracteres como máximo.`,
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
      'Una cuenta tuvo esta dirección hasta hace pocos días y aún puede recuperarla. Si esa cuenta es suya, abra el enlace del mensaje sobre el cambio; si no, inténtelo de nuevo dentro de siete días.',
    reference: 'Referencia',
    forDevelopers: 'Para desarrolladores',
    backToSignIn: 'Volver al inicio de sesión',
    expiredHeading: 'Este enlace ha caducado',
    expired: (duration) =>
      `Las páginas de inicio de sesión son válidas durante ${duration}. Vuelva a la aplicación y empiece de nuevo.`,
    finishedHeading: 'Ya ha terminado',
    finished:
      'Este inicio de sesión se completó o se canceló, quizá en otra pestaña. Puede cerrar esta página o empezar de nuevo desde la aplicación.',
    cookiesHeading: 'Su navegador no ha enviado nuestra cookie',
    cookies:
      'El inicio de sesión solo funciona en el navegador que lo empezó y con las cookies permitidas para este sitio. Permítalas, vuelva a la aplicación y empiece de nuevo.',
    tooManyHeading: 'Demasiados intentos',
    tooMany: (duration) =>
      `Para proteger las cuentas le pedimos que espere. Inténtelo de nuevo en ${duration}.`,
    balanceHeading: 'El inicio de sesión no está disponible ahora',
    balance:
      'La aplicación no puede completar inicios de sesión en este momento. Usted no ha hecho nada mal; inténtelo más tarde o contacte con la aplicación.',
    requestHeading: 'No se puede completar esta solicitud',
    request:
      'La aplicación le ha enviado aquí con una solicitud que no podemos aceptar. Vuelva atrás e inténtelo de nuevo; si se repite, avise a la aplicación.',
    formHeading: 'Este formulario ya no es válido',
    form: 'Ha caducado o se abrió en otro navegador. Vuelva atrás, recargue la página e inténtelo de nuevo.',
    toStart: 'Ir a la página de inicio',
    toSettings: 'Ajustes de la empresa',
    toAccount: 'Su cuenta',
    notFoundHeading: 'Aquí no hay nada',
    notFound: 'Compruebe la dirección o vuelva a la página anterior.',
    busyHeading: 'Volvemos enseguida',
    busy: 'El servicio está ocupado o se está reiniciando. Sus datos están a salvo; inténtelo de nuevo en un momento.',
    unknownHeading: 'Algo ha fallado',
    unknown: 'El fallo es nuestro. Inténtelo de nuevo; si se repite, indíquenos la referencia de abajo.',
  },

  mail: {
    greeting: 'Hola:',
    codeSubject: (app) => `Su código para ${app}`,
    codeIntro: (app) => `Introduzca este código en la página donde lo pidió para continuar a ${app}:`,
    recoverSubject: (app) => `Restablecer su contraseña de ${app}`,
    recoverIntro: 'Introduzca este código en la página donde lo pidió para elegir una nueva contraseña:',
    codeValid: (duration) => `Es válido durante ${duration} y una sola vez, en el navegador que lo pidió.`,
    codeWarning:
      'No lo comparta nunca: nadie de nuestro equipo se lo pedirá. Si no lo ha pedido, puede ignorar este correo.',
    passkeyAddedSubject: 'Se añadió una llave de acceso',
    passkeyAddedIntro: (email, name) =>
      `Se acaba de añadir una llave de acceso (${name}) a la cuenta ${email}. Quien tenga el dispositivo y pueda desbloquearlo puede iniciar sesión.`,
    passkeyAddedWarning:
      'Si no fue usted, quítela ahora en la página de su cuenta y cambie la contraseña de su buzón.',
    claimedSubject: 'Su dirección está confirmada',
    claimedIntro: (email, provider) =>
      `La cuenta ${email} se creó con ${provider}, y usted acaba de demostrar con un código que la dirección es suya. Para que nadie más conserve el acceso, hemos quitado contraseña, llaves de acceso y cuentas vinculadas, y cerrado todas las demás sesiones.`,
    claimedAdvice: (provider) =>
      `Si fue usted quien usó ${provider}, elíjalo de nuevo la próxima vez: con un código más quedará vinculado para siempre.`,
    linkedSubject: (provider) => `Ahora puede iniciar sesión con ${provider}`,
    linkedIntro: (provider, email) =>
      `Su cuenta de ${provider} se acaba de conectar con la cuenta ${email}. Desde ahora puede iniciar sesión con ella.`,
    linkedWarning:
      'Si no fue usted, quizá otra persona lee su correo. Cambie la contraseña de su buzón y deshaga esta conexión en la página de su cuenta.',
    changedSubject: 'Su contraseña ha cambiado',
    changedIntro: (email) =>
      `La contraseña de la cuenta ${email} se acaba de cambiar. Se han cerrado todas las demás sesiones.`,
    changedRemaining: (ways) =>
      `Siguen activas estas otras formas de iniciar sesión: ${ways.join(', ')}. Si alguna no es suya, elimínela en la página de su cuenta.`,
    changedWarning:
      'Si no ha sido usted, elija ahora una contraseña nueva: «¿Ha olvidado la contraseña?» en la página de inicio de sesión. Quizá alguien tenga acceso a su correo; cambie también esa contraseña.',
  },
};
