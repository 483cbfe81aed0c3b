// Español: llaves de acceso, cuentas vinculadas, datos y eliminación.
import type { WaysTexts } from './ways-en.ts';

export const esWays: WaysTexts = {
  passkeys: {
    heading: 'Llaves de acceso',
    lead: 'Inicie sesión con la huella, la cara o el bloqueo de pantalla. Las llaves de acceso se quedan en sus dispositivos y resisten el phishing.',
    count: (count) => (count === 1 ? 'Tiene una llave de acceso.' : `Tiene ${count} llaves de acceso.`),
    none: 'No tiene ninguna llave de acceso.',
    manage: 'Gestionar',
    yours: 'Sus llaves de acceso',
    created: 'Creada',
    lastUsed: 'Último uso',
    never: 'nunca',
    addHeading: 'Añadir una llave de acceso',
    addLead: 'En este dispositivo, en un teléfono cercano o en una llave de seguridad.',
    add: 'Añadir una llave de acceso',
    name: 'Nombre',
    nameHint: 'Un nombre para reconocerla más tarde.',
    nothing: 'No se ha creado ninguna llave de acceso. Puede intentarlo de nuevo.',
    needsScript: 'Para añadir una llave de acceso necesita JavaScript y un navegador compatible.',
    rename: 'Nombre de esta llave de acceso',
    remove: 'Eliminar esta llave de acceso',
    removeLead:
      'Ya no podrá iniciar sesión con ella. Los navegadores con la sesión iniciada la mantienen. Elimínela también en su dispositivo; si no, seguirá ofreciéndola.',
    removeButton: 'Eliminar',
  },

  social: {
    heading: 'Cuentas vinculadas',
    lead: 'Inicie sesión con una cuenta que ya tenga en otro sitio.',
    always: (email) =>
      `Siempre puede iniciar sesión con un código enviado a ${email}, aunque no tenga cuentas vinculadas.`,
    none: 'No hay ninguna cuenta vinculada.',
    some: (names) => `Vinculadas: ${names}.`,
    manage: 'Gestionar',
    notLinked: 'No vinculada',
    address: 'Correo electrónico allí',
    linked: 'Vinculada',
    lastUsed: 'Último uso',
    never: 'nunca',
    link: (provider) => `Vincular ${provider}`,
    unlink: (provider) => `Desvincular ${provider}`,
  },

  data: {
    heading: 'Sus datos',
    lead: 'Descargue una copia o elimine su cuenta.',
    download: 'Descargar mis datos',
    downloadLead:
      'Todo lo que guardamos sobre usted, en un archivo JSON: cuenta, llaves de acceso (sin las claves), cuentas vinculadas, sesiones, empresas y aplicaciones.',
    show: 'Ver',
    delete: 'Eliminar mi cuenta',
    deleteLead: 'Definitivo e inmediato.',
  },

  deletion: {
    heading: 'Eliminar su cuenta',
    lead: 'No se puede deshacer. Si vuelve algún día, tendrá una cuenta nueva y vacía.',
    gone: 'Lo que se elimina',
    goneItems: [
      'Su nombre, correo electrónico, contraseña, llaves de acceso y cuentas vinculadas',
      'Todas las sesiones en todos los navegadores, y lo que las aplicaciones pueden leer aquí sobre usted',
      'Su pertenencia a empresas de este servicio y las invitaciones enviadas a su dirección',
    ],
    kept: 'Lo que queda',
    keptApplications:
      'Las aplicaciones que usó conservan lo que ellas mismas guardaron sobre usted: correo electrónico, nombre, pedidos, mensajes. Para que también se elimine, contacte con cada aplicación.',
    keptLedger:
      'Nuestra facturación conserva que alguien inició sesión allí, con un número que ya no permite identificarle.',
    yourApplications: 'Usó:',
    handOver: 'Primero traspase su empresa',
    handOverLead:
      'Usted es la única persona propietaria de estas empresas, y hay gente que inicia sesión en sus aplicaciones. Nombre a otra persona propietaria o elimine las aplicaciones:',
    confirm: 'Su correo electrónico, para confirmar',
    confirmHint: (email) => `Escriba ${email}`,
    button: 'Eliminar mi cuenta definitivamente',
  },
  deleted: {
    heading: 'Se ha eliminado su cuenta',
    lead: 'Se ha cerrado su sesión en todas partes. Le hemos enviado un último correo de confirmación.',
    again: 'Crear una cuenta nueva',
  },
};
