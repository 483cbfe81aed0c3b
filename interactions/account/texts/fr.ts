// Français, avec vouvoiement.
import type { AccountTexts } from './en.ts';
import { frWays } from './ways-fr.ts';

export const fr: AccountTexts = {
  heading: 'Votre compte',
  lead: 'Votre nom, votre adresse e-mail et vos moyens de connexion.',
  account: 'Compte',
  signedInAs: 'Connecté en tant que',
  signOut: 'Se déconnecter',
  change: 'Modifier',
  save: 'Enregistrer',

  signedOut: {
    heading: 'Vous êtes déconnecté',
    lead: 'Vous pouvez fermer cette page.',
    again: 'Se reconnecter',
  },
  notSignedIn: {
    heading: 'Vous n’êtes pas connecté',
    cancelled: 'La connexion a été annulée.',
    lost: 'Vous avez commencé la connexion dans un autre navigateur ou il y a trop longtemps, ou ce navigateur bloque les cookies de ce site.',
    refused: 'Cette connexion a déjà été utilisée ou a pris trop de temps. Recommencez.',
    again: 'Se connecter',
  },

  profile: {
    heading: 'Nom',
    name: 'Nom',
    noName: 'Non renseigné',
    changeName: 'Modifier votre nom',
    nameLead: 'Les applications qui peuvent voir votre nom voient immédiatement le nouveau.',
  },

  password: {
    heading: 'Mot de passe',
    isSet: 'Vous pouvez vous connecter avec un mot de passe.',
    isNotSet:
      'Vous vous connectez sans mot de passe : avec des codes par e-mail, une clé d’accès ou un compte lié.',
    set: 'Définir un mot de passe',
    change: 'Modifier votre mot de passe',
    changeLead: 'Vous serez déconnecté partout ailleurs.',
    remove: 'Supprimer le mot de passe',
    removeLead: 'Vous vous connecterez alors avec des codes par e-mail, une clé d’accès ou un compte lié.',
  },

  ...frWays,

  done: {
    address: 'Votre adresse e-mail a été modifiée. Nous avons prévenu votre ancienne adresse.',
    sessionEnded: 'Session fermée.',
    sessionsEnded: 'Toutes les autres sessions sont fermées.',
    accessWithdrawn: 'Accès retiré. Vous êtes déconnecté de l’application.',
    passkeyAdded: 'Clé d’accès ajoutée.',
    passkeyRenamed: 'Clé d’accès renommée.',
    passkeyRemoved: 'Clé d’accès supprimée.',
    socialLinked: 'Compte lié. Vous pouvez désormais vous connecter avec lui.',
    socialThere: 'Ce compte est déjà lié.',
    socialUnlinked: 'Compte délié. Vous ne pouvez plus vous connecter avec lui.',
    name: 'Votre nom a été modifié.',
    passwordSet: 'Votre mot de passe a été défini. Vous êtes déconnecté partout ailleurs.',
    passwordRemoved: 'Votre mot de passe a été supprimé. Vous êtes déconnecté partout ailleurs.',
  },
  problems: {
    sameAddress: 'C’est déjà votre adresse e-mail.',
    addressTaken: 'Un compte utilise déjà cette adresse. Choisissez-en une autre.',
    changeOver: 'Le code a expiré, ou la modification a été annulée. Recommencez.',
    sessionGone: 'Cette session est déjà fermée.',
    passkeyName: 'Donnez à la clé d’accès un nom de 60 caractères au plus.',
    passkeyTooMany: 'Vous avez atteint le nombre maximal de clés d’accès. Supprimez-en une d’abord.',
    passkeyNotMade: 'Cette clé d’accès n’a pas pu être ajoutée. Rien n’a changé. Réessayez.',
    socialCancelled: 'Vous avez annulé. Rien n’a été lié.',
    socialFailed:
      'Le fournisseur n’a pas pu confirmer votre identité. Rien n’a été lié. Réessayez plus tard.',
    socialOver:
      'Ce lien a déjà été utilisé, a expiré ou vient d’un autre navigateur. Rien n’a été lié. Recommencez.',
    socialTaken:
      'Ce compte est déjà lié ici au compte de quelqu’un d’autre. Rien n’a été lié. Si les deux sont à vous, connectez-vous avec lui et déliez-le d’abord.',
    socialSecond: 'Un autre compte de ce fournisseur est déjà lié. Déliez-le d’abord.',
    deletionAddress: 'Ce n’est pas votre adresse e-mail. Rien n’a été supprimé.',
    deletionOwner:
      'Vous êtes le seul propriétaire d’une entreprise qui a des applications. Transmettez-la d’abord. Rien n’a été supprimé.',
    name: 'Saisissez un nom de 100 caractères au plus.',
    tooLate:
      'Votre connexion est trop ancienne. Rouvrez la page et confirmez que c’est bien vous. Rien n’a changé.',
    unknown: 'Cela n’a pas fonctionné. Rien n’a changé.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Une clé d’accès a été supprimée',
      body: (email, what) =>
        `La clé d’accès « ${what} » du compte ${email} vient d’être supprimée. Elle ne peut plus servir à se connecter.`,
    },
    socialUnlinked: {
      subject: 'Un compte lié a été retiré',
      body: (email, what) =>
        `Votre compte ${what} vient d’être délié du compte ${email}. Vous ne pouvez plus vous connecter avec lui, mais toujours avec un code reçu par e-mail.`,
    },
    accountDeleted: {
      subject: 'Votre compte a été supprimé',
      body: (email) =>
        `Le compte ${email} vient d’être supprimé, avec tout ce qui permet de vous identifier, et toutes les sessions ont été fermées. C’est le dernier e-mail à ce sujet. Les applications que vous avez utilisées conservent ce qu’elles ont elles-mêmes enregistré.`,
    },
    passwordSet: {
      subject: 'Votre mot de passe a été défini',
      body: (email) =>
        `Le mot de passe du compte ${email} vient d’être défini. Toutes les autres sessions ont été fermées.`,
    },
    passwordRemoved: {
      subject: 'Votre mot de passe a été supprimé',
      body: (email) =>
        `Le mot de passe du compte ${email} vient d’être supprimé. Toutes les autres sessions ont été fermées.`,
    },
  },
  noticeWarning:
    'Si ce n’était pas vous, connectez-vous maintenant, fermez toutes les autres sessions sur la page de votre compte, et changez le mot de passe de votre messagerie.',
};
