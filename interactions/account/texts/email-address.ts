// What the pages and mails about a change of address say, in every language.
import type { Language } from '../../languages.ts';

const en = {
  heading: 'Email address',
  change: 'Change your address',
  lead: 'Applications that may see your address see the new one as soon as you have confirmed it. You stay the same person to them.',
  field: 'New email address',
  submit: 'Send a code there',
  codeHeading: 'Confirm the new address',
  codeLead: (email: string) => `If ${email} can be used for an account, a code is on its way there.`,
  confirm: 'Change the address',

  returnHeading: 'Take your address back?',
  returnLead: (email: string) =>
    `The account ${email} was moved to another address. If that was not you, undo it here.`,
  movedTo: 'Moved to',
  movedAt: 'When',
  returnEffect:
    'Your account gets its old address back. Every session ends, and the password, all passkeys and all linked accounts are removed: you then sign in with a code sent to your old address.',
  returnSubmit: 'Undo the change',
  overHeading: 'This link is not valid any more',
  overLead: 'It was used before, is more than seven days old, or the account is gone.',
  returnedHeading: 'Your address is back',
  returnedLead: 'Everybody was signed out. Sign in with a code by email, and look through your account.',
  signIn: 'Sign in',

  mail: {
    codeSubject: 'Confirm your new address',
    codeIntro: (email: string) =>
      `Enter this code on your account page to move the account ${email} to this address:`,
    codeWarning: 'If you did not ask for this, ignore this mail: nothing changes without the code.',
    takenSubject: 'Somebody wanted to use your address',
    takenBody: (email: string) =>
      `Somebody wanted to move their account to ${email}. An account has this address already, or had it a short while ago, so nothing was changed and they were not told.`,
    takenAdvice: 'If that was you, sign in with this address instead.',
    changedSubject: 'Your address was changed',
    changedBody: (from: string, to: string) => `The account ${from} was just moved to the address ${to}.`,
    undoIntro:
      'If this was not you, open this link within seven days. It works without signing in and undoes the change:',
    welcomeBody: (from: string, to: string) =>
      `${to} is now the address of the account that was ${from} until now.`,
    returnedSubject: 'The change of address was undone',
    returnedBody: (email: string) =>
      `The account has its old address ${email} again. Every session was ended, and the password, all passkeys and all linked accounts were removed.`,
  },
};

export type EmailAddressTexts = typeof en;

const de: EmailAddressTexts = {
  heading: 'E-Mail-Adresse',
  change: 'Adresse ändern',
  lead: 'Anwendungen, die Ihre Adresse sehen dürfen, sehen die neue, sobald Sie sie bestätigt haben. Für sie bleiben Sie dieselbe Person.',
  field: 'Neue E-Mail-Adresse',
  submit: 'Code dorthin senden',
  codeHeading: 'Neue Adresse bestätigen',
  codeLead: (email) => `Wenn ${email} für ein Konto benutzt werden kann, ist ein Code dorthin unterwegs.`,
  confirm: 'Adresse ändern',

  returnHeading: 'Ihre Adresse zurückholen?',
  returnLead: (email) =>
    `Das Konto ${email} hat eine andere Adresse bekommen. Wenn Sie das nicht waren, machen Sie es hier rückgängig.`,
  movedTo: 'Neue Adresse',
  movedAt: 'Wann',
  returnEffect:
    'Ihr Konto bekommt seine alte Adresse zurück. Alle Sitzungen enden, und das Passwort, alle Passkeys und alle verbundenen Konten werden entfernt: Sie melden sich dann mit einem Code an Ihre alte Adresse an.',
  returnSubmit: 'Änderung rückgängig machen',
  overHeading: 'Dieser Link gilt nicht mehr',
  overLead: 'Er wurde schon benutzt, ist älter als sieben Tage, oder es gibt das Konto nicht mehr.',
  returnedHeading: 'Ihre Adresse ist zurück',
  returnedLead:
    'Alle wurden abgemeldet. Melden Sie sich mit einem Code per E-Mail an, und sehen Sie Ihr Konto durch.',
  signIn: 'Anmelden',

  mail: {
    codeSubject: 'Bestätigen Sie Ihre neue Adresse',
    codeIntro: (email) =>
      `Geben Sie diesen Code auf Ihrer Kontoseite ein, damit das Konto ${email} diese Adresse bekommt:`,
    codeWarning:
      'Wenn Sie nicht darum gebeten haben, beachten Sie diese Nachricht nicht: Ohne den Code ändert sich nichts.',
    takenSubject: 'Jemand wollte Ihre Adresse benutzen',
    takenBody: (email) =>
      `Jemand wollte seinem Konto die Adresse ${email} geben. Ein Konto hat diese Adresse schon oder hatte sie bis vor Kurzem; deshalb wurde nichts geändert, und es wurde ihm nicht mitgeteilt.`,
    takenAdvice: 'Wenn Sie das waren, melden Sie sich stattdessen mit dieser Adresse an.',
    changedSubject: 'Ihre Adresse wurde geändert',
    changedBody: (from, to) => `Das Konto ${from} hat soeben die Adresse ${to} bekommen.`,
    undoIntro:
      'Wenn Sie das nicht waren, öffnen Sie innerhalb von sieben Tagen diesen Link. Er gilt ohne Anmeldung und macht die Änderung rückgängig:',
    welcomeBody: (from, to) => `${to} ist jetzt die Adresse des Kontos, das bisher ${from} hatte.`,
    returnedSubject: 'Die Änderung der Adresse wurde rückgängig gemacht',
    returnedBody: (email) =>
      `Das Konto hat wieder seine alte Adresse ${email}. Alle Sitzungen wurden beendet, und das Passwort, alle Passkeys und alle verbundenen Konten wurden entfernt.`,
  },
};

const fr: EmailAddressTexts = {
  heading: 'Adresse e-mail',
  change: 'Modifier votre adresse',
  lead: 'Les applications qui peuvent voir votre adresse voient la nouvelle dès que vous l’avez confirmée. Pour elles, vous restez la même personne.',
  field: 'Nouvelle adresse e-mail',
  submit: 'Y envoyer un code',
  codeHeading: 'Confirmer la nouvelle adresse',
  codeLead: (email) => `Si ${email} peut servir pour un compte, un code y est en route.`,
  confirm: 'Modifier l’adresse',

  returnHeading: 'Reprendre votre adresse ?',
  returnLead: (email) =>
    `Le compte ${email} a reçu une autre adresse. Si ce n’était pas vous, annulez la modification ici.`,
  movedTo: 'Nouvelle adresse',
  movedAt: 'Quand',
  returnEffect:
    'Votre compte retrouve son ancienne adresse. Toutes les sessions se terminent, et le mot de passe, toutes les clés d’accès et tous les comptes reliés sont supprimés : vous vous connecterez alors avec un code envoyé à votre ancienne adresse.',
  returnSubmit: 'Annuler la modification',
  overHeading: 'Ce lien n’est plus valable',
  overLead: 'Il a déjà servi, il a plus de sept jours, ou le compte n’existe plus.',
  returnedHeading: 'Votre adresse est de retour',
  returnedLead:
    'Tout le monde a été déconnecté. Connectez-vous avec un code par e-mail et vérifiez votre compte.',
  signIn: 'Se connecter',

  mail: {
    codeSubject: 'Confirmez votre nouvelle adresse',
    codeIntro: (email) =>
      `Saisissez ce code sur la page de votre compte pour donner cette adresse au compte ${email} :`,
    codeWarning: 'Si vous n’avez rien demandé, ignorez ce message : rien ne change sans le code.',
    takenSubject: 'Quelqu’un a voulu utiliser votre adresse',
    takenBody: (email) =>
      `Quelqu’un a voulu donner l’adresse ${email} à son compte. Un compte a déjà cette adresse, ou l’avait il y a peu ; rien n’a donc été modifié, et cette personne ne l’a pas appris.`,
    takenAdvice: 'Si c’était vous, connectez-vous plutôt avec cette adresse.',
    changedSubject: 'Votre adresse a été modifiée',
    changedBody: (from, to) => `Le compte ${from} vient de recevoir l’adresse ${to}.`,
    undoIntro:
      'Si ce n’était pas vous, ouvrez ce lien dans les sept jours. Il fonctionne sans connexion et annule la modification :',
    welcomeBody: (from, to) => `${to} est maintenant l’adresse du compte qui avait jusqu’ici ${from}.`,
    returnedSubject: 'La modification de l’adresse a été annulée',
    returnedBody: (email) =>
      `Le compte a retrouvé son ancienne adresse ${email}. Toutes les sessions ont été terminées, et le mot de passe, toutes les clés d’accès et tous les comptes reliés ont été supprimés.`,
  },
};

const es: EmailAddressTexts = {
  heading: 'Dirección de correo',
  change: 'Cambiar su dirección',
  lead: 'Las aplicaciones que pueden ver su dirección ven la nueva en cuanto la confirme. Para ellas sigue siendo la misma persona.',
  field: 'Nueva dirección de correo',
  submit: 'Enviar un código allí',
  codeHeading: 'Confirmar la nueva dirección',
  codeLead: (email) => `Si ${email} puede usarse para una cuenta, hay un código en camino.`,
  confirm: 'Cambiar la dirección',

  returnHeading: '¿Recuperar su dirección?',
  returnLead: (email) =>
    `La cuenta ${email} recibió otra dirección. Si no fue usted, deshaga el cambio aquí.`,
  movedTo: 'Nueva dirección',
  movedAt: 'Cuándo',
  returnEffect:
    'Su cuenta recupera su dirección anterior. Terminan todas las sesiones y se quitan la contraseña, todas las llaves de acceso y todas las cuentas conectadas: después iniciará sesión con un código enviado a su dirección anterior.',
  returnSubmit: 'Deshacer el cambio',
  overHeading: 'Este enlace ya no es válido',
  overLead: 'Ya se usó, tiene más de siete días o la cuenta ya no existe.',
  returnedHeading: 'Ha recuperado su dirección',
  returnedLead: 'Se cerró la sesión de todos. Inicie sesión con un código por correo y revise su cuenta.',
  signIn: 'Iniciar sesión',

  mail: {
    codeSubject: 'Confirme su nueva dirección',
    codeIntro: (email) =>
      `Escriba este código en la página de su cuenta para que la cuenta ${email} tenga esta dirección:`,
    codeWarning: 'Si no lo pidió usted, ignore este mensaje: sin el código no cambia nada.',
    takenSubject: 'Alguien quiso usar su dirección',
    takenBody: (email) =>
      `Alguien quiso dar a su cuenta la dirección ${email}. Una cuenta ya tiene esta dirección o la tenía hace poco, así que no se cambió nada y no se le dijo.`,
    takenAdvice: 'Si fue usted, inicie sesión con esta dirección.',
    changedSubject: 'Se cambió su dirección',
    changedBody: (from, to) => `La cuenta ${from} acaba de recibir la dirección ${to}.`,
    undoIntro:
      'Si no fue usted, abra este enlace en los próximos siete días. Funciona sin iniciar sesión y deshace el cambio:',
    welcomeBody: (from, to) => `${to} es ahora la dirección de la cuenta que hasta ahora tenía ${from}.`,
    returnedSubject: 'Se deshizo el cambio de dirección',
    returnedBody: (email) =>
      `La cuenta vuelve a tener su dirección anterior ${email}. Se terminaron todas las sesiones y se quitaron la contraseña, todas las llaves de acceso y todas las cuentas conectadas.`,
  },
};

export const emailAddressTexts: Record<Language, EmailAddressTexts> = { en, de, fr, es };
