// Français, avec vouvoiement.
import type { AccountTexts } from './en.ts';
import { frWays } from './ways-fr.ts';

export const fr: AccountTexts = {
  heading: 'Votre compte',
  lead: 'Votre nom, votre adresse et les moyens d’entrer.',
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
    lost: 'Elle a été commencée dans un autre navigateur ou il y a trop longtemps, ou ce navigateur ne garde pas les cookies de ce site.',
    refused: 'Elle a déjà été utilisée ou a pris trop de temps. Veuillez recommencer.',
    again: 'Se connecter',
  },

  profile: {
    heading: 'Nom',
    name: 'Nom',
    noName: 'Vous ne nous en avez pas donné',
    changeName: 'Modifier votre nom',
    nameLead: 'Les applications qui peuvent voir votre nom voient aussitôt le nouveau.',
  },

  password: {
    heading: 'Mot de passe',
    isSet: 'Vous pouvez vous connecter avec un mot de passe.',
    isNotSet:
      'Vous vous connectez sans mot de passe : avec des codes par e-mail, une clé d’accès ou un compte relié.',
    set: 'Définir un mot de passe',
    change: 'Modifier votre mot de passe',
    changeLead: 'Déconnecte tous les autres navigateurs et applications.',
    remove: 'Supprimer le mot de passe',
    removeLead: 'Vous vous connecterez alors avec des codes par e-mail, une clé d’accès ou un compte relié.',
  },

  ...frWays,

  done: {
    address: 'Votre adresse est modifiée. L’ancienne a été prévenue.',
    sessionEnded: 'La session est terminée.',
    sessionsEnded: 'Toutes les autres sessions sont terminées.',
    accessWithdrawn: 'L’accès est retiré. L’application a été déconnectée.',
    passkeyAdded: 'La clé d’accès est ajoutée.',
    passkeyRenamed: 'La clé d’accès a son nouveau nom.',
    passkeyRemoved: 'La clé d’accès est supprimée.',
    socialLinked: 'Le compte est lié : vous pouvez désormais vous connecter avec lui.',
    socialThere: 'Ce compte était déjà lié.',
    socialUnlinked: 'Le compte est délié : il ne permet plus de vous connecter.',
    name: 'Votre nom est modifié.',
    passwordSet: 'Votre mot de passe est défini. Toutes les autres sessions sont terminées.',
    passwordRemoved: 'Votre mot de passe est supprimé. Toutes les autres sessions sont terminées.',
  },
  problems: {
    sameAddress: 'C’est déjà l’adresse de votre compte.',
    addressTaken: 'Cette adresse appartient déjà à un compte. Choisissez-en une autre.',
    changeOver: 'Le code a expiré, ou la modification a été interrompue. Recommencez.',
    sessionGone: 'Cette session n’existe plus.',
    passkeyName: 'Donnez à la clé d’accès un nom de 60 caractères au plus.',
    passkeyTooMany: 'Vous avez autant de clés d’accès qu’un compte peut en avoir. Supprimez-en une d’abord.',
    passkeyNotMade: 'Cette clé d’accès n’a pas pu être ajoutée. Réessayez ; rien n’a changé.',
    socialCancelled: 'Rien n’a été lié : vous avez annulé là-bas.',
    socialFailed: 'Le fournisseur ne nous a pas dit qui vous êtes. Rien n’a été lié ; réessayez plus tard.',
    socialOver:
      'Ce chemin de retour a déjà servi, a pris trop de temps ou a commencé dans un autre navigateur. Rien n’a été lié ; recommencez.',
    socialTaken:
      'Ce compte connecte déjà quelqu’un d’autre ici. Rien n’a été lié. Si les deux sont à vous, connectez-vous avec lui et déliez-le d’abord là-bas.',
    socialSecond: 'Un autre compte de ce fournisseur est déjà lié. Déliez-le d’abord.',
    deletionAddress: 'Ce n’est pas l’adresse de ce compte. Rien n’a été supprimé.',
    deletionOwner:
      'Vous êtes seul propriétaire d’une entreprise qui a des applications. Transmettez-la d’abord ; rien n’a été supprimé.',
    name: 'Saisissez un nom de 100 caractères au plus.',
    tooLate:
      'Trop de temps a passé depuis votre connexion. Rouvrez la page et confirmez que c’est bien vous ; rien n’a changé.',
    unknown: 'Cela n’a pas fonctionné. Rien n’a changé.',
  },

  /** Mails. `body` gets the account's address. */
  notices: {
    passkeyRemoved: {
      subject: 'Une clé d’accès a été supprimée',
      body: (email, what) =>
        `La clé d’accès « ${what} » du compte ${email} vient d’être supprimée. Elle ne permet plus de se connecter.`,
    },
    socialUnlinked: {
      subject: 'Un compte lié a été retiré',
      body: (email, what) =>
        `Votre compte ${what} vient d’être délié du compte ${email}. Il ne permet plus de vous connecter ; un code par e-mail le permet toujours.`,
    },
    accountDeleted: {
      subject: 'Votre compte a été supprimé',
      body: (email) =>
        `Le compte ${email} vient d’être supprimé, avec tout ce qui vous nomme, et toutes les sessions ont été fermées. C’est le dernier e-mail à ce sujet. Les applications que vous avez utilisées gardent ce qu’elles ont elles-mêmes enregistré.`,
    },
    passwordSet: {
      subject: 'Votre mot de passe a été défini',
      body: (email) =>
        `Le mot de passe du compte ${email} vient d’être défini. Toutes les autres sessions ont été terminées.`,
    },
    passwordRemoved: {
      subject: 'Votre mot de passe a été supprimé',
      body: (email) =>
        `Le mot de passe du compte ${email} vient d’être supprimé. Toutes les autres sessions ont été terminées.`,
    },
  },
  noticeWarning:
    'Si ce n’était pas vous, connectez-vous maintenant, terminez toutes les autres sessions sur la page de votre compte, et changez le mot de passe de votre boîte.',
};
