// Español, con usted.
import type { AccountTexts } from './en.ts';
import { esWays } from './ways-es.ts';

export const es: AccountTexts = {
  heading: 'Su cuenta',
  lead: 'Su nombre, su correo electrónico y sus formas de iniciar sesión.',
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
    cancelled: 'Se ha cancelado el inicio de sesión.',
    lost: 'Empezó a iniciar sesión en otro navegador o hace demasiado tiempo, o este navegador bloquea las cookies de este sitio.',
    refused: 'Este inicio de sesión ya se ha usado o ha tardado demasiado. Empiece de nuevo.',
    again: 'Iniciar sesión',
  },

  profile: {
    heading: 'Nombre',
    name: 'Nombre',
    noName: 'Sin indicar',
    changeName: 'Cambiar su nombre',
    nameLead: 'Las aplicaciones que pueden ver su nombre ven el nuevo de inmediato.',
  },

  password: {
    heading: 'Contraseña',
    isSet: 'Puede iniciar sesión con una contraseña.',
    isNotSet:
      'Inicia sesión sin contraseña: con códigos por correo, una llave de acceso o una cuenta vinculada.',
    set: 'Crear una contraseña',
    change: 'Cambiar su contraseña',
    changeLead: 'Se cerrará su sesión en todos los demás sitios.',
    remove: 'Eliminar la contraseña',
    removeLead: 'Iniciará sesión con códigos por correo, una llave de acceso o una cuenta vinculada.',
  },

  ...esWays,

  done: {
    address: 'Se ha cambiado su dirección. Hemos avisado a la anterior.',
    sessionEnded: 'Sesión cerrada.',
    sessionsEnded: 'Se han cerrado todas las demás sesiones.',
    accessWithdrawn: 'Acceso retirado. Se ha cerrado su sesión en la aplicación.',
    passkeyAdded: 'Llave de acceso añadida.',
    passkeyRenamed: 'Llave de acceso renombrada.',
    passkeyRemoved: 'Llave de acceso eliminada.',
    socialLinked: 'Cuenta vinculada. Ahora puede iniciar sesión con ella.',
    socialThere: 'Esa cuenta ya está vinculada.',
    socialUnlinked: 'Cuenta desvinculada. Ya no puede iniciar sesión con ella.',
    name: 'Se ha cambiado su nombre.',
    passwordSet: 'Se ha guardado su contraseña. Se ha cerrado su sesión en todos los demás sitios.',
    passwordRemoved: 'Se ha eliminado su contraseña. Se ha cerrado su sesión en todos los demás sitios.',
  },
  problems: {
    sameAddress: 'Ese ya es su correo electrónico.',
    addressTaken: 'Una cuenta ya usa esta dirección. Elija otra.',
    changeOver: 'El código ha caducado o el cambio se ha cancelado. Empiece de nuevo.',
    sessionGone: 'Esa sesión ya está cerrada.',
    passkeyName: 'Dé a la llave de acceso un nombre de 60 caracteres como máximo.',
    passkeyTooMany: 'Ha alcanzado el máximo de llaves de acceso. Elimine una primero.',
    passkeyNotMade: 'No se ha podido añadir esa llave de acceso. No ha cambiado nada. Inténtelo de nuevo.',
    socialCancelled: 'Lo ha cancelado. No se ha vinculado nada.',
    socialFailed:
      'El proveedor no ha podido confirmar su identidad. No se ha vinculado nada. Inténtelo más tarde.',
    socialOver:
      'Ese enlace ya se ha usado, ha caducado o es de otro navegador. No se ha vinculado nada. Empiece de nuevo.',
    socialTaken:
      'Esa cuenta ya está vinculada aquí a la cuenta de otra persona. No se ha vinculado nada. Si ambas son suyas, inicie sesión con ella y desvincúlela primero.',
    socialSecond: 'Ya hay otra cuenta de ese proveedor vinculada. Desvincúlela primero.',
    deletionAddress: 'Ese no es su correo electrónico. No se ha eliminado nada.',
    deletionOwner:
      'Usted es la única persona propietaria de una empresa que tiene aplicaciones. Traspásela primero. No se ha eliminado nada.',
    name: 'Escriba un nombre de 100 caracteres como máximo.',
    tooLate:
      'Ha pasado demasiado tiempo desde que inició sesión. Abra la página de nuevo y confirme que es usted. No ha cambiado nada.',
    unknown: 'No ha funcionado. No ha cambiado nada.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Se ha eliminado una llave de acceso',
      body: (email, what) =>
        `La llave de acceso «${what}» de la cuenta ${email} se acaba de eliminar. Ya no sirve para iniciar sesión.`,
    },
    socialUnlinked: {
      subject: 'Se ha desvinculado una cuenta',
      body: (email, what) =>
        `Su cuenta de ${what} se acaba de desvincular de la cuenta ${email}. Ya no puede iniciar sesión con ella, pero sí con un código por correo.`,
    },
    accountDeleted: {
      subject: 'Se ha eliminado su cuenta',
      body: (email) =>
        `La cuenta ${email} se acaba de eliminar, con todo lo que le identifica, y se han cerrado todas las sesiones. Este es el último correo sobre ella. Las aplicaciones que usó conservan lo que ellas mismas guardaron.`,
    },
    passwordSet: {
      subject: 'Se ha guardado su contraseña',
      body: (email) =>
        `La contraseña de la cuenta ${email} se acaba de guardar. Se han cerrado todas las demás sesiones.`,
    },
    passwordRemoved: {
      subject: 'Se ha eliminado su contraseña',
      body: (email) =>
        `La contraseña de la cuenta ${email} se acaba de eliminar. Se han cerrado todas las demás sesiones.`,
    },
  },
  noticeWarning:
    'Si no ha sido usted, inicie sesión ahora, cierre todas las demás sesiones en la página de su cuenta y cambie la contraseña de su correo.',
};
