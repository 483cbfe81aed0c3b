// Español: cómo entrar (llaves de acceso, cuentas vinculadas) y salir (datos, eliminación).
import type { WaysTexts } from './ways-en.ts';

export const esWays: WaysTexts = {
  passkeys: {
    heading: 'Llaves de acceso',
    lead: 'Su dispositivo guarda la llave de acceso, y usted la usa con la huella, la cara o el bloqueo de pantalla. Nadie puede sacársela con engaños.',
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
    nameHint: 'Para saber más tarde cuál es.',
    nothing: 'No se creó ninguna llave de acceso. Puede intentarlo de nuevo.',
    needsScript:
      'Para añadir una llave de acceso, esta página necesita JavaScript y un navegador que las conozca.',
    rename: 'Nombre de esta llave de acceso',
    remove: 'Quitar esta llave de acceso',
    removeLead:
      'Ya no servirá para iniciar sesión. Los navegadores con sesión abierta la conservan. Bórrela también en su dispositivo; si no, seguirá ofreciéndola.',
    removeButton: 'Quitar',
  },

  social: {
    heading: 'Cuentas vinculadas',
    lead: 'Inicie sesión con una cuenta que tiene en otro sitio.',
    always: (email) =>
      `Desvincule lo que desvincule: un código enviado a ${email} siempre sigue siendo una forma de entrar.`,
    none: 'No hay ninguna cuenta vinculada.',
    some: (names) => `Vinculadas: ${names}.`,
    manage: 'Gestionar',
    notLinked: 'No vinculada',
    address: 'Dirección allí',
    linked: 'Vinculada',
    lastUsed: 'Último uso',
    never: 'nunca',
    link: (provider) => `Vincular ${provider}`,
    unlink: (provider) => `Desvincular ${provider}`,
  },

  data: {
    heading: 'Sus datos',
    lead: 'Llévese una copia o elimine la cuenta.',
    download: 'Descargar mis datos',
    downloadLead:
      'Todo lo que está guardado sobre usted, en un archivo JSON: cuenta, llaves de acceso (sin las claves), cuentas vinculadas, sesiones, pertenencias, aplicaciones.',
    show: 'Ver',
    delete: 'Eliminar mi cuenta',
    deleteLead: 'Para siempre y de inmediato.',
  },

  deletion: {
    heading: 'Eliminar su cuenta',
    lead: 'No se puede deshacer. Si vuelve algún día, tendrá una cuenta nueva y vacía.',
    gone: 'Lo que se elimina',
    goneItems: [
      'Su nombre, su dirección, su contraseña, sus llaves de acceso y cuentas vinculadas',
      'Todas las sesiones, aquí y en cada navegador, y lo que las aplicaciones pueden leer aquí sobre usted',
      'Sus pertenencias a empresas en este servicio y las invitaciones a su dirección',
    ],
    kept: 'Lo que queda',
    keptApplications:
      'Las aplicaciones que usó conservan lo que ellas mismas guardaron sobre usted: dirección, nombre, pedidos, mensajes. Pregunte a cada una si también quiere que se elimine.',
    keptLedger:
      'Nuestros libros conservan que alguien inició sesión allí, con un número que ya no conduce a nadie.',
    yourApplications: 'Usó:',
    handOver: 'Primero traspase su empresa',
    handOverLead:
      'Usted es la única persona propietaria de estas empresas, y tienen aplicaciones en las que la gente inicia sesión. Nombre a otra persona propietaria o elimine las aplicaciones:',
    confirm: 'Su dirección, para confirmar',
    confirmHint: (email) => `Escriba ${email}`,
    button: 'Eliminar mi cuenta para siempre',
  },
  deleted: {
    heading: 'Su cuenta está eliminada',
    lead: 'Se ha cerrado su sesión en todas partes. Un último correo lo confirma.',
    again: 'Crear una cuenta nueva',
  },
};
