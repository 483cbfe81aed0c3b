// Français : clés d’accès, comptes liés, données et suppression.
import type { WaysTexts } from './ways-en.ts';

export const frWays: WaysTexts = {
  passkeys: {
    heading: 'Clés d’accès',
    lead: 'Connectez-vous avec votre empreinte, votre visage ou le verrouillage de l’écran. Les clés d’accès restent sur vos appareils et résistent à l’hameçonnage.',
    count: (count) => (count === 1 ? 'Vous avez une clé d’accès.' : `Vous avez ${count} clés d’accès.`),
    none: 'Vous n’avez pas de clé d’accès.',
    manage: 'Gérer',
    yours: 'Vos clés d’accès',
    created: 'Créée',
    lastUsed: 'Dernière utilisation',
    never: 'jamais',
    addHeading: 'Ajouter une clé d’accès',
    addLead: 'Sur cet appareil, sur un téléphone à proximité ou sur une clé de sécurité.',
    add: 'Ajouter une clé d’accès',
    name: 'Nom',
    nameHint: 'Un nom pour la reconnaître plus tard.',
    nothing: 'Aucune clé d’accès n’a été créée. Vous pouvez réessayer.',
    needsScript: 'Pour ajouter une clé d’accès, il vous faut JavaScript et un navigateur compatible.',
    rename: 'Nom de cette clé d’accès',
    remove: 'Supprimer cette clé d’accès',
    removeLead:
      'Vous ne pourrez plus vous connecter avec elle. Les navigateurs connectés le restent. Supprimez-la aussi sur votre appareil, sinon il continuera à la proposer.',
    removeButton: 'Supprimer',
  },

  social: {
    heading: 'Comptes liés',
    lead: 'Connectez-vous avec un compte que vous avez ailleurs.',
    always: (email) =>
      `Vous pouvez toujours vous connecter avec un code envoyé à ${email}, même sans compte lié.`,
    none: 'Aucun compte n’est lié.',
    some: (names) => `Liés : ${names}.`,
    manage: 'Gérer',
    notLinked: 'Non lié',
    address: 'Adresse e-mail du compte',
    linked: 'Lié le',
    lastUsed: 'Dernière utilisation',
    never: 'jamais',
    link: (provider) => `Lier ${provider}`,
    unlink: (provider) => `Délier ${provider}`,
  },

  data: {
    heading: 'Vos données',
    lead: 'Téléchargez une copie, ou supprimez votre compte.',
    download: 'Télécharger mes données',
    downloadLead:
      'Tout ce que nous conservons sur vous, dans un fichier JSON : compte, clés d’accès (sans les clés elles-mêmes), comptes liés, sessions, appartenances et applications.',
    show: 'Afficher',
    delete: 'Supprimer mon compte',
    deleteLead: 'Définitif et immédiat.',
  },

  deletion: {
    heading: 'Supprimer votre compte',
    lead: 'C’est irréversible. Si vous revenez un jour, vous aurez un nouveau compte, vide.',
    gone: 'Ce qui est supprimé',
    goneItems: [
      'Vos nom, adresse e-mail, mot de passe, clés d’accès et comptes liés',
      'Toutes les sessions dans tous les navigateurs, et ce que les applications peuvent lire ici à votre sujet',
      'Vos appartenances à des entreprises sur ce service, et les invitations à votre adresse',
    ],
    kept: 'Ce qui reste',
    keptApplications:
      'Les applications que vous avez utilisées conservent ce qu’elles ont elles-mêmes enregistré sur vous : adresse e-mail, nom, commandes, messages. Pour que cela soit supprimé aussi, contactez chaque application.',
    keptLedger:
      'Notre facturation conserve le fait que quelqu’un s’y est connecté, sous un numéro qui ne permet plus de vous identifier.',
    yourApplications: 'Vous avez utilisé :',
    handOver: 'Transmettez d’abord votre entreprise',
    handOverLead:
      'Vous êtes le seul propriétaire de ces entreprises, et des personnes se connectent à leurs applications. Nommez un autre propriétaire, ou supprimez les applications :',
    confirm: 'Votre adresse e-mail, pour confirmer',
    confirmHint: (email) => `Saisissez ${email}`,
    button: 'Supprimer définitivement mon compte',
  },
  deleted: {
    heading: 'Votre compte a été supprimé',
    lead: 'Vous êtes déconnecté partout. Nous vous avons envoyé un dernier e-mail de confirmation.',
    again: 'Créer un nouveau compte',
  },
};
