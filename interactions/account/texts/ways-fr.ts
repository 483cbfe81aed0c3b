// Français : comment entrer (clés d’accès, comptes liés) et partir (données, suppression).
import type { WaysTexts } from './ways-en.ts';

export const frWays: WaysTexts = {
  passkeys: {
    heading: 'Clés d’accès',
    lead: 'Une clé d’accès est gardée par votre appareil et s’utilise avec votre empreinte, votre visage ou le verrouillage de l’écran. Personne ne peut vous la soutirer.',
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
    nameHint: 'Pour savoir plus tard laquelle c’est.',
    nothing: 'Aucune clé d’accès n’a été créée. Vous pouvez réessayer.',
    needsScript:
      'Pour ajouter une clé d’accès, cette page a besoin de JavaScript et d’un navigateur qui connaît les clés d’accès.',
    rename: 'Nom de cette clé d’accès',
    remove: 'Supprimer cette clé d’accès',
    removeLead:
      'Elle ne permettra plus de se connecter. Les navigateurs connectés le restent. Supprimez-la aussi sur votre appareil, sinon il continuera à la proposer.',
    removeButton: 'Supprimer',
  },

  social: {
    heading: 'Comptes liés',
    lead: 'Connectez-vous avec un compte que vous avez ailleurs.',
    always: (email) =>
      `Quoi que vous défassiez ici : un code envoyé à ${email} reste toujours un moyen d’entrer.`,
    none: 'Aucun compte n’est lié.',
    some: (names) => `Liés : ${names}.`,
    manage: 'Gérer',
    notLinked: 'Non lié',
    address: 'Adresse là-bas',
    linked: 'Lié le',
    lastUsed: 'Dernière utilisation',
    never: 'jamais',
    link: (provider) => `Lier ${provider}`,
    unlink: (provider) => `Délier ${provider}`,
  },

  data: {
    heading: 'Vos données',
    lead: 'Emportez une copie, ou supprimez le compte.',
    download: 'Télécharger mes données',
    downloadLead:
      'Tout ce qui est enregistré sur vous, en un fichier JSON : compte, clés d’accès (sans les clés mêmes), comptes liés, sessions, appartenances, applications.',
    show: 'Afficher',
    delete: 'Supprimer mon compte',
    deleteLead: 'Définitivement, et tout de suite.',
  },

  deletion: {
    heading: 'Supprimer votre compte',
    lead: 'C’est irréversible. Si vous revenez un jour, vous aurez un nouveau compte, vide.',
    gone: 'Ce qui est supprimé',
    goneItems: [
      'Votre nom, votre adresse, votre mot de passe, vos clés d’accès et comptes liés',
      'Toutes les sessions, ici et dans chaque navigateur, et ce que les applications peuvent lire chez nous à votre sujet',
      'Vos appartenances à des entreprises sur ce service, et les invitations à votre adresse',
    ],
    kept: 'Ce qui reste',
    keptApplications:
      'Les applications que vous avez utilisées gardent ce qu’elles ont elles-mêmes enregistré sur vous : adresse, nom, commandes, messages. Demandez à chacune si vous voulez que cela soit supprimé aussi.',
    keptLedger:
      'Nos comptes gardent que quelqu’un s’y est connecté, sous un numéro qui ne mène plus à personne.',
    yourApplications: 'Vous avez utilisé :',
    handOver: 'Transmettez d’abord votre entreprise',
    handOverLead:
      'Vous êtes seul propriétaire de ces entreprises, et elles ont des applications où des gens se connectent. Nommez un autre propriétaire, ou supprimez les applications :',
    confirm: 'Votre adresse, pour confirmer',
    confirmHint: (email) => `Saisissez ${email}`,
    button: 'Supprimer mon compte pour de bon',
  },
  deleted: {
    heading: 'Votre compte est supprimé',
    lead: 'Vous êtes déconnecté partout. Un dernier e-mail le confirme.',
    again: 'Créer un nouveau compte',
  },
};
