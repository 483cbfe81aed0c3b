// Español, con usted.
import type { AccountTexts } from './en.ts';
import { esWays } from './ways-es.ts';

export const es: AccountTexts = {
  heading: 'Su cuenta',
  lead: 'Su nombre, su dirección y las maneras de entrar.',
  account: 'Cuenta',
  signedInAs: 'Sesión iniciada como',
  signOut: 'Cerrar sesión',
  change: 'Cambiar',
  save: 'Guardar',

  signedOut: {
    heading: 'Ha cerrado la sesión',
    lead: 'Puede cerrar esta página.',
    again: 'Iniciar sesión de nuevo',
  },
  notSignedIn: {
    heading: 'No ha iniciado sesión',
    cancelled: 'El inicio de sesión se canceló.',
    lost: 'Se empezó en otro navegador o hace demasiado tiempo, o este navegador no guarda las cookies de este sitio.',
    refused: 'Ya se usó o tardó demasiado. Empiece de nuevo, por favor.',
    again: 'Iniciar sesión',
  },

  profile: {
    heading: 'Nombre',
    name: 'Nombre',
    noName: 'No nos ha dicho ninguno',
    changeName: 'Cambiar su nombre',
    nameLead: 'Las aplicaciones que pueden ver su nombre ven el nuevo enseguida.',
  },

  password: {
    heading: 'Contraseña',
    isSet: 'Puede iniciar sesión con una contraseña.',
    isNotSet:
      'Inicia sesión sin contraseña: con códigos por correo, una llave de acceso o una cuenta conectada.',
    set: 'Establecer una contraseña',
    change: 'Cambiar su contraseña',
    changeLead: 'Cierra la sesión en todos los demás navegadores y aplicaciones.',
    remove: 'Quitar la contraseña',
    removeLead:
      'Entonces iniciará sesión con códigos por correo, una llave de acceso o una cuenta conectada.',
  },

  ...esWays,

  done: {
    address: 'Su dirección está cambiada. Se avisó a la anterior.',
    sessionEnded: 'La sesión ha terminado.',
    sessionsEnded: 'Todas las demás sesiones han terminado.',
    accessWithdrawn: 'El acceso está retirado. Se cerró la sesión de la aplicación.',
    passkeyAdded: 'La llave de acceso está añadida.',
    passkeyRenamed: 'La llave de acceso tiene su nuevo nombre.',
    passkeyRemoved: 'La llave de acceso está quitada.',
    socialLinked: 'La cuenta está vinculada: desde ahora puede iniciar sesión con ella.',
    socialThere: 'Esa cuenta ya estaba vinculada.',
    socialUnlinked: 'La cuenta está desvinculada: ya no sirve para iniciar sesión.',
    name: 'Su nombre está cambiado.',
    passwordSet: 'Su contraseña está establecida. Todas las demás sesiones han terminado.',
    passwordRemoved: 'Su contraseña está quitada. Todas las demás sesiones han terminado.',
  },
  problems: {
    sameAddress: 'Esa ya es la dirección de su cuenta.',
    addressTaken: 'Esta dirección ya pertenece a una cuenta. Elija otra.',
    changeOver: 'El código ha caducado o el cambio se interrumpió. Empiece de nuevo.',
    sessionGone: 'Esa sesión ya no existe.',
    passkeyName: 'Dé a la llave de acceso un nombre de 60 caracteres como máximo.',
    passkeyTooMany: 'Tiene tantas llaves de acceso como puede tener una cuenta. Quite una primero.',
    passkeyNotMade: 'No se pudo añadir esa llave de acceso. Inténtelo de nuevo; nada ha cambiado.',
    socialCancelled: 'No se vinculó nada: usted lo canceló allí.',
    socialFailed: 'El proveedor no nos dijo quién es usted. No se vinculó nada; inténtelo más tarde.',
    socialOver:
      'Ese camino de vuelta ya se usó, tardó demasiado o empezó en otro navegador. No se vinculó nada; empiece de nuevo.',
    socialTaken:
      'Con esa cuenta ya inicia sesión aquí otra persona. No se vinculó nada. Si ambas son suyas, entre con ella y desvincúlela allí primero.',
    socialSecond: 'Ya hay otra cuenta de ese proveedor vinculada. Desvincúlela primero.',
    deletionAddress: 'Esa no es la dirección de esta cuenta. No se eliminó nada.',
    deletionOwner:
      'Usted es la única persona propietaria de una empresa que tiene aplicaciones. Traspásela primero; no se eliminó nada.',
    name: 'Escriba un nombre de 100 caracteres como máximo.',
    tooLate:
      'Ha pasado demasiado tiempo desde que inició sesión. Abra la página de nuevo y confirme que es usted; no ha cambiado nada.',
    unknown: 'Eso no funcionó. No ha cambiado nada.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Se quitó una llave de acceso',
      body: (email, what) =>
        `La llave de acceso «${what}» de la cuenta ${email} se acaba de quitar. Ya no sirve para iniciar sesión.`,
    },
    socialUnlinked: {
      subject: 'Se desvinculó una cuenta',
      body: (email, what) =>
        `Su cuenta de ${what} se acaba de desvincular de la cuenta ${email}. Ya no sirve para iniciar sesión; un código por correo sí.`,
    },
    accountDeleted: {
      subject: 'Su cuenta se eliminó',
      body: (email) =>
        `La cuenta ${email} se acaba de eliminar, con todo lo que lo nombra, y se cerraron todas las sesiones. Este es el último correo sobre ella. Las aplicaciones que usó conservan lo que ellas mismas guardaron.`,
    },
    passwordSet: {
      subject: 'Se estableció su contraseña',
      body: (email) =>
        `La contraseña de la cuenta ${email} se acaba de establecer. Todas las demás sesiones terminaron.`,
    },
    passwordRemoved: {
      subject: 'Se quitó su contraseña',
      body: (email) =>
        `La contraseña de la cuenta ${email} se acaba de quitar. Todas las demás sesiones terminaron.`,
    },
  },
  noticeWarning:
    'Si no fue usted, inicie sesión ahora, termine todas las demás sesiones en la página de su cuenta y cambie la contraseña de su buzón.',
};
