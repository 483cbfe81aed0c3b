// What the pages and mails about a change of address say, in every language.
import type { Language } from '../../languages.ts';

const en = {
  heading: 'Email address',
  change: 'Change your email address',
  lead: 'Applications that can see your email address see the new one as soon as you confirm it. Your accounts there stay the same.',
  field: 'New email address',
  submit: 'Send code',
  codeHeading: 'Confirm the new address',
  codeLead: (email: string) => `If ${email} can be used for an account, we’ve sent a code to it.`,
  confirm: 'Change email address',

  returnHeading: 'Take your address back?',
  returnLead: (email: string) =>
    `The email address of the account ${email} was changed. If this wasn’t you, undo it here.`,
  movedTo: 'New address',
  movedAt: 'When',
  returnEffect:
    'Your account gets its old address back. Every session ends, and the password, passkeys and linked accounts are removed. You then sign in with a code sent to your old address.',
  returnSubmit: 'Undo the change',
  overHeading: 'This link is no longer valid',
  overLead: 'It was already used, is more than seven days old, or the account no longer exists.',
  returnedHeading: 'Your address is back',
  returnedLead: 'Everyone was signed out. Sign in with an emailed code, and review your account.',
  signIn: 'Sign in',

  mail: {
    codeSubject: (code: string) => `${code} is your code to confirm this address`,
    codeIntro: (email: string) =>
      `Enter this code on your account page to make this the email address of the account ${email}:`,
    codeWarning: 'If you did not request this, ignore this email. Nothing changes without the code.',
    takenSubject: 'Someone tried to use your email address',
    takenBody: (email: string) =>
      `Someone tried to change the email address of their account to ${email}. An account already uses this address, or did until recently, so nothing was changed, and they were not told why.`,
    takenAdvice: 'If that was you, sign in with this address instead.',
    changedSubject: 'Your email address was changed',
    changedBody: (from: string, to: string) =>
      `The email address of the account ${from} was just changed to ${to}.`,
    undoIntro:
      'If this wasn’t you, open this link within seven days to undo the change. You don’t need to sign in:',
    welcomeBody: (from: string, to: string) =>
      `${to} is now the email address of the account that used ${from}.`,
    returnedSubject: 'Your email address change was undone',
    returnedBody: (email: string) =>
      `The account has its old address ${email} back. Every session was ended, and the password, passkeys and linked accounts were removed.`,
  },
};

export type EmailAddressTexts = typeof en;

const de: EmailAddressTexts = {
  heading: 'E-Mail-Adresse',
  change: 'E-Mail-Adresse ändern',
  lead: 'Anwendungen, die Ihre E-Mail-Adresse sehen dürfen, sehen die neue, sobald Sie sie bestätigen. Ihre Konten dort bleiben dieselben.',
  field: 'Neue E-Mail-Adresse',
  submit: 'Code senden',
  codeHeading: 'Neue Adresse bestätigen',
  codeLead: (email) =>
    `Wenn ${email} für ein Konto verwendet werden kann, haben wir einen Code dorthin gesendet.`,
  confirm: 'E-Mail-Adresse ändern',

  returnHeading: 'Alte Adresse wiederherstellen?',
  returnLead: (email) =>
    `Die E-Mail-Adresse des Kontos ${email} wurde geändert. Wenn Sie das nicht waren, machen Sie es hier rückgängig.`,
  movedTo: 'Neue Adresse',
  movedAt: 'Wann',
  returnEffect:
    'Ihr Konto erhält seine alte Adresse zurück. Alle Sitzungen enden; Passwort, Passkeys und verknüpfte Konten werden entfernt. Danach melden Sie sich mit einem Code an, den wir an Ihre alte Adresse senden.',
  returnSubmit: 'Änderung rückgängig machen',
  overHeading: 'Dieser Link ist nicht mehr gültig',
  overLead: 'Er wurde bereits verwendet, ist älter als sieben Tage, oder das Konto existiert nicht mehr.',
  returnedHeading: 'Ihre Adresse ist wiederhergestellt',
  returnedLead:
    'Alle wurden abgemeldet. Melden Sie sich mit einem Code per E-Mail an und prüfen Sie Ihr Konto.',
  signIn: 'Anmelden',

  mail: {
    codeSubject: (code) => `${code} ist Ihr Code, um diese Adresse zu bestätigen`,
    codeIntro: (email) =>
      `Geben Sie diesen Code auf Ihrer Kontoseite ein, um diese Adresse für das Konto ${email} zu verwenden:`,
    codeWarning:
      'Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ohne den Code ändert sich nichts.',
    takenSubject: 'Jemand wollte Ihre E-Mail-Adresse verwenden',
    takenBody: (email) =>
      `Jemand wollte die E-Mail-Adresse seines Kontos in ${email} ändern. Diese Adresse gehört bereits zu einem Konto oder gehörte bis vor Kurzem dazu. Deshalb wurde nichts geändert, und der Grund wurde nicht mitgeteilt.`,
    takenAdvice: 'Wenn Sie das waren, melden Sie sich stattdessen mit dieser Adresse an.',
    changedSubject: 'Ihre E-Mail-Adresse wurde geändert',
    changedBody: (from, to) => `Die E-Mail-Adresse des Kontos ${from} wurde soeben in ${to} geändert.`,
    undoIntro:
      'Wenn Sie das nicht waren, öffnen Sie innerhalb von sieben Tagen diesen Link, um die Änderung rückgängig zu machen. Eine Anmeldung ist nicht nötig:',
    welcomeBody: (from, to) =>
      `${to} ist jetzt die E-Mail-Adresse des Kontos, das bisher ${from} verwendet hat.`,
    returnedSubject: 'Die Änderung Ihrer E-Mail-Adresse wurde rückgängig gemacht',
    returnedBody: (email) =>
      `Das Konto hat wieder seine alte Adresse ${email}. Alle Sitzungen wurden beendet; Passwort, Passkeys und verknüpfte Konten wurden entfernt.`,
  },
};

const fr: EmailAddressTexts = {
  heading: 'Adresse e-mail',
  change: 'Modifier votre adresse e-mail',
  lead: 'Les applications qui peuvent voir votre adresse e-mail verront la nouvelle dès que vous l’aurez confirmée. Vos comptes chez elles restent les mêmes.',
  field: 'Nouvelle adresse e-mail',
  submit: 'Envoyer un code',
  codeHeading: 'Confirmer la nouvelle adresse',
  codeLead: (email) => `Si ${email} peut être utilisée pour un compte, nous y avons envoyé un code.`,
  confirm: 'Modifier l’adresse e-mail',

  returnHeading: 'Rétablir votre adresse ?',
  returnLead: (email) =>
    `L’adresse e-mail du compte ${email} a été modifiée. Si ce n’était pas vous, annulez la modification ici.`,
  movedTo: 'Nouvelle adresse',
  movedAt: 'Quand',
  returnEffect:
    'Votre compte retrouve son ancienne adresse. Toutes les sessions sont fermées ; le mot de passe, les clés d’accès et les comptes liés sont supprimés. Vous vous connecterez ensuite avec un code envoyé à votre ancienne adresse.',
  returnSubmit: 'Annuler la modification',
  overHeading: 'Ce lien n’est plus valable',
  overLead: 'Il a déjà été utilisé, il date de plus de sept jours, ou le compte n’existe plus.',
  returnedHeading: 'Votre adresse est rétablie',
  returnedLead:
    'Tout le monde a été déconnecté. Connectez-vous avec un code par e-mail et vérifiez votre compte.',
  signIn: 'Se connecter',

  mail: {
    codeSubject: (code) => `${code} est votre code pour confirmer cette adresse`,
    codeIntro: (email) =>
      `Saisissez ce code sur la page de votre compte pour utiliser cette adresse avec le compte ${email} :`,
    codeWarning: 'Si vous n’avez rien demandé, ignorez cet e-mail. Rien ne change sans le code.',
    takenSubject: 'Quelqu’un a tenté d’utiliser votre adresse e-mail',
    takenBody: (email) =>
      `Quelqu’un a tenté de remplacer l’adresse e-mail de son compte par ${email}. Un compte utilise déjà cette adresse, ou l’utilisait encore récemment : rien n’a été modifié, et cette personne n’en connaît pas la raison.`,
    takenAdvice: 'Si c’était vous, connectez-vous plutôt avec cette adresse.',
    changedSubject: 'Votre adresse e-mail a été modifiée',
    changedBody: (from, to) => `L’adresse e-mail du compte ${from} vient d’être remplacée par ${to}.`,
    undoIntro:
      'Si ce n’était pas vous, ouvrez ce lien dans les sept jours pour annuler la modification, sans avoir à vous connecter :',
    welcomeBody: (from, to) => `${to} est désormais l’adresse e-mail du compte qui utilisait ${from}.`,
    returnedSubject: 'La modification de votre adresse e-mail a été annulée',
    returnedBody: (email) =>
      `Le compte a retrouvé son ancienne adresse ${email}. Toutes les sessions ont été fermées ; le mot de passe, les clés d’accès et les comptes liés ont été supprimés.`,
  },
};

const es: EmailAddressTexts = {
  heading: 'Correo electrónico',
  change: 'Cambiar su correo electrónico',
  lead: 'Las aplicaciones que pueden ver su dirección verán la nueva en cuanto la confirme. Sus cuentas allí siguen siendo las mismas.',
  field: 'Nuevo correo electrónico',
  submit: 'Enviar código',
  codeHeading: 'Confirmar la nueva dirección',
  codeLead: (email) => `Si ${email} puede usarse para una cuenta, le hemos enviado un código.`,
  confirm: 'Cambiar la dirección',

  returnHeading: '¿Recuperar su dirección?',
  returnLead: (email) =>
    `Se ha cambiado la dirección de la cuenta ${email}. Si no ha sido usted, deshaga el cambio aquí.`,
  movedTo: 'Nueva dirección',
  movedAt: 'Cuándo',
  returnEffect:
    'Su cuenta recupera la dirección anterior. Se cierran todas las sesiones y se eliminan la contraseña, las llaves de acceso y las cuentas vinculadas. Después iniciará sesión con un código enviado a su dirección anterior.',
  returnSubmit: 'Deshacer el cambio',
  overHeading: 'Este enlace ya no es válido',
  overLead: 'Ya se ha usado, tiene más de siete días o la cuenta ya no existe.',
  returnedHeading: 'Ha recuperado su dirección',
  returnedLead:
    'Se han cerrado todas las sesiones. Inicie sesión con un código por correo y revise su cuenta.',
  signIn: 'Iniciar sesión',

  mail: {
    codeSubject: (code) => `${code} es su código para confirmar esta dirección`,
    codeIntro: (email) =>
      `Introduzca este código en la página de su cuenta para usar esta dirección con la cuenta ${email}:`,
    codeWarning: 'Si no lo ha solicitado, ignore este correo. Sin el código no cambia nada.',
    takenSubject: 'Alguien ha intentado usar su dirección',
    takenBody: (email) =>
      `Alguien ha intentado cambiar la dirección de su cuenta a ${email}. Una cuenta ya usa esta dirección, o la usaba hasta hace poco, así que no se ha cambiado nada y no se le ha dicho el motivo.`,
    takenAdvice: 'Si ha sido usted, inicie sesión con esta dirección.',
    changedSubject: 'Se ha cambiado su dirección',
    changedBody: (from, to) => `La dirección de la cuenta ${from} se acaba de cambiar a ${to}.`,
    undoIntro:
      'Si no ha sido usted, abra este enlace en los próximos siete días para deshacer el cambio. No hace falta iniciar sesión:',
    welcomeBody: (from, to) => `${to} es ahora la dirección de la cuenta que usaba ${from}.`,
    returnedSubject: 'Se ha deshecho el cambio de dirección',
    returnedBody: (email) =>
      `La cuenta vuelve a tener la dirección anterior ${email}. Se han cerrado todas las sesiones y se han eliminado la contraseña, las llaves de acceso y las cuentas vinculadas.`,
  },
};

export const emailAddressTexts: Record<Language, EmailAddressTexts> = { en, de, fr, es };
