// Français, avec le vouvoiement.
import {
  oneTimeCodeDigits,
  passwordMaximumCharacters,
  passwordMinimumCharacters,
} from '../../src/limits/credentials.ts';
import { personNameCharacters } from '../../src/limits/requests.ts';
import type { Texts } from './en.ts';

export const fr: Texts = {
  languageName: 'Français',

  shared: {
    email: 'Adresse e-mail',
    name: 'Votre nom',
    password: 'Mot de passe',
    newPassword: 'Nouveau mot de passe',
    optional: 'facultatif',
    continue: 'Continuer',
    or: 'ou',
    back: 'Retour',
    cancel: (app) => `Annuler et revenir à ${app}`,
    backTo: (app) => `Retour à ${app}`,
    languages: 'Langue',
    passwordRules: `Au moins ${passwordMinimumCharacters} caractères. Quelques mots sans rapport entre eux conviennent très bien ; les caractères spéciaux ne sont pas nécessaires.`,
  },
  signIn: {
    over: 'Cette connexion n’est plus valable. Reconnectez-vous.',
    heading: 'Se connecter',
    lead: (app) => `pour accéder à ${app}`,
    hint: 'Nous vous enverrons un code par e-mail. Aucun mot de passe n’est nécessaire.',
    usePassword: 'Utiliser un mot de passe',
    newHere: 'Première visite ?',
    createAccount: 'Créer un compte',
  },

  register: {
    heading: 'Créer votre compte',
    lead: (app) => `pour accéder à ${app}`,
    passwordHint: 'Laissez ce champ vide pour vous connecter plutôt avec des codes reçus par e-mail.',
    submit: 'Créer le compte',
    haveAccount: 'Vous avez déjà un compte ?',
    signIn: 'Se connecter',
  },

  passkey: {
    use: 'Utiliser une clé d’accès',
    create: 'Créer une clé d’accès',
    later: 'Pas maintenant',
    offerHeading: 'Plus vite la prochaine fois ?',
    offerLead:
      'Avec une clé d’accès, vous vous connectez avec votre empreinte, votre visage ou le verrouillage de l’écran au lieu d’un code. Les clés d’accès résistent à l’hameçonnage.',
    nothingHappened: 'Aucune clé d’accès n’a été choisie. Réessayez, ou connectez-vous autrement.',
    notCreated: 'Cette clé d’accès n’a pas pu être enregistrée. Réessayez, ou continuez sans elle.',
    refused:
      'Cette clé d’accès ne fonctionne pas ici. Connectez-vous autrement. Vous pouvez gérer vos clés d’accès sur la page de votre compte.',
  },

  social: {
    continueWith: (provider) => `Continuer avec ${provider}`,
    failed: (provider) =>
      `${provider} n’a pas pu confirmer votre identité. Rien n’a changé. Réessayez, ou connectez-vous autrement.`,
    cancelled: (provider) =>
      `Vous n’avez pas terminé la connexion avec ${provider}. Réessayez, ou connectez-vous autrement.`,
    over: 'Ce lien de connexion a déjà été utilisé ou a expiré. Recommencez.',
    proofHeading: 'Encore une étape',
    proofKnown: (provider) =>
      `Un compte existe déjà avec cette adresse. Avant de pouvoir vous y connecter avec ${provider}, confirmez une fois qu’il est à vous.`,
    proofUnknown: (provider) =>
      `${provider} n’a pas confirmé votre adresse e-mail. Saisissez-la, et nous vous enverrons un code.`,
    sendCode: 'Recevoir un code par e-mail',
    otherWay: 'Se connecter autrement',
  },

  code: {
    heading: 'Consultez votre messagerie',
    lead: `Nous avons envoyé un code à ${oneTimeCodeDigits} chiffres à`,
    label: 'Code',
    validFor: (duration) => `Le code est encore valable ${duration}.`,
    attemptsLeft: (count) => (count === 1 ? 'Il vous reste un essai.' : `Il vous reste ${count} essais.`),
    resend: 'Envoyer un nouveau code',
    resendIn: (duration) => `Vous pourrez demander un nouveau code dans ${duration}.`,
    otherAddress: 'Utiliser une autre adresse',
    noneSent: 'Nous ne pouvons pas envoyer de code à cette adresse pour le moment.',
    locked: (duration) =>
      `Trop de codes incorrects pour cette adresse. Vous pourrez de nouveau saisir un code dans ${duration}.`,
    notArrived: 'Pas d’e-mail ? Regardez dans les courriers indésirables, ou vérifiez l’adresse.',
    wrong: 'Ce code est incorrect.',
    expired: 'Ce code a expiré. Demandez-en un nouveau.',
    usedUp: 'Trop de codes incorrects. Demandez-en un nouveau pour continuer.',
    sent: 'Un nouveau code est en route. Les codes précédents ne sont plus valables.',
  },

  newcomer: {
    heading: 'Bienvenue',
    lead: 'Votre adresse e-mail est confirmée. Créez un compte pour',
    submit: 'Créer le compte',
  },

  password: {
    heading: 'Saisissez votre mot de passe',
    lead: (app) => `pour accéder à ${app}`,
    submit: 'Se connecter',
    useCode: 'Recevoir plutôt un code par e-mail',
    forgot: 'Mot de passe oublié ?',
    wrong:
      'Adresse e-mail ou mot de passe incorrect, ou compte sans mot de passe. Vous pouvez toujours vous connecter avec un code reçu par e-mail.',
  },

  recover: {
    heading: 'Réinitialiser le mot de passe',
    lead: 'Saisissez votre adresse e-mail. Nous vous enverrons un code pour confirmer qu’elle est bien la vôtre.',
    submit: 'Recevoir un code',
    backToSignIn: 'Retour à la connexion',
  },

  newPassword: {
    heading: 'Choisissez un nouveau mot de passe',
    lead: 'Vous serez déconnecté partout ailleurs.',
    account: 'Compte',
    submit: 'Enregistrer le mot de passe',
  },

  consent: {
    heading: (app) => `Continuer vers ${app} ?`,
    lead: (app) => `${app} verra les informations suivantes. Rien d’autre ne sera transmis.`,
    identifier: 'Un identifiant unique',
    identifierDetail:
      'Créé pour cette application seulement. Les autres applications ne peuvent pas vous reconnaître grâce à lui.',
    email: 'Votre adresse e-mail',
    profile: 'Votre nom',
    profileEmpty: 'Vous n’en avez pas ajouté.',
    offline: 'Un accès en votre absence',
    offlineDetail:
      'Elle peut continuer à utiliser votre compte après votre départ, jusqu’à votre déconnexion ou une longue période d’inactivité.',
    allow: 'Autoriser',
    deny: 'Annuler',
    signedInAs: 'Connecté avec',
    otherAccount: 'Utiliser un autre compte',
  },

  choice: {
    heading: 'Quel compte ?',
    keep: (email: string) => `Continuer en tant que ${email}`,
  },

  postedAnswer: {
    lead: 'S’il ne se passe rien, appuyez sur le bouton.',
  },

  logout: {
    heading: 'Se déconnecter ?',
    lead: (app) => (app ? `${app} demande à vous déconnecter.` : 'Vous serez déconnecté dans ce navigateur.'),
    submit: 'Se déconnecter',
    stay: 'Rester connecté',
    doneHeading: 'Vous êtes déconnecté',
    doneLead: 'Vous pouvez maintenant fermer cette page.',
    stayedHeading: 'Vous êtes toujours connecté',
    stayedLead: (app) => (app ? `${app} n’a plus accès à cette session.` : 'Rien n’a changé.'),
  },

  problems: {
    invalidEmail: 'Saisissez une adresse e-mail complète, par exemple nom@example.com.',
    missingName: 'Saisissez votre nom.',
    longName: `Un nom comporte au plus ${personNameCharacters} caractères.`,
    missingPassword: 'Saisissez votre mot de passe.',
    passwordTooShort: `Utilisez au moins ${passwordMinimumCharacters} caractères.`,
    passwordTooLong: `Utilisez au plus ${passwordMaximumCharacters} caractères.`,
    passwordTooCommon:
      'Ce mot de passe figure sur des listes de mots de passe courants. Choisissez-en un autre.',
    passwordTooGuessable:
      'Ce mot de passe est facile à deviner. Ajoutez quelques mots sans rapport entre eux, et évitez votre nom et votre adresse.',
  },

  errors: {
    reservedHeading: 'Cette adresse ne peut pas encore être utilisée',
    reserved:
      'Un autre compte utilisait cette adresse il y a quelques jours et peut encore la reprendre. Si ce compte est le vôtre, ouvrez le lien dans l’e-mail concernant la modification. Sinon, réessayez dans sept jours.',
    reference: 'Référence',
    forDevelopers: 'Pour les développeurs',
    expiredHeading: 'Ce lien a expiré',
    expired: (duration) =>
      `Les pages de connexion sont valables ${duration}. Revenez à l’application et recommencez.`,
    finishedHeading: 'Déjà terminé',
    finished:
      'Cette connexion a déjà été terminée ou annulée, peut-être dans un autre onglet. Fermez cette page, ou recommencez depuis l’application.',
    cookiesHeading: 'Votre navigateur n’a pas envoyé notre cookie',
    cookies:
      'La connexion ne fonctionne que dans le navigateur où vous l’avez commencée, avec les cookies autorisés pour ce site. Autorisez-les, revenez à l’application et recommencez.',
    tooManyHeading: 'Trop de tentatives',
    tooMany: (duration) =>
      `Pour protéger les comptes, nous vous demandons de patienter. Réessayez dans ${duration}.`,
    balanceHeading: 'La connexion est indisponible pour le moment',
    balance:
      'Cette application ne peut pas terminer les connexions pour le moment. Vous n’y êtes pour rien. Réessayez plus tard, ou contactez l’application.',
    requestHeading: 'Cette demande ne peut pas aboutir',
    request: (app = 'L’application') =>
      `${app} vous a envoyé ici avec une demande que nous ne pouvons pas accepter. Revenez en arrière et réessayez. Si le problème persiste, contactez son assistance.`,
    formHeading: 'Ce formulaire n’est plus valable',
    form: 'Il a expiré ou a été ouvert dans un autre navigateur. Revenez en arrière, rechargez la page et réessayez.',
    toStart: 'Aller à la page d’accueil',
    toSettings: 'Paramètres de l’entreprise',
    toAccount: 'Votre compte',
    notFoundHeading: 'Il n’y a rien ici',
    notFound: 'Vérifiez l’adresse, ou revenez à la page précédente.',
    busyHeading: 'De retour dans un instant',
    busy: 'Le service est occupé ou redémarre. Vos données sont en sécurité ; réessayez dans un instant.',
    unknownHeading: 'Une erreur s’est produite',
    unknown:
      'L’erreur vient de nous, pas de vous. Réessayez. Si le problème persiste, indiquez-nous la référence ci-dessous.',
  },

  mail: {
    greeting: 'Bonjour,',
    codeSubject: (code, app) => `${code} est votre code pour ${app}`,
    codeIntro: (app) => `Saisissez ce code sur la page où vous l’avez demandé pour accéder à ${app} :`,
    recoverSubject: (code, app) => `${code} est votre code pour un nouveau mot de passe ${app}`,
    recoverIntro:
      'Saisissez ce code sur la page où vous l’avez demandé pour choisir un nouveau mot de passe :',
    codeValid: (duration) =>
      `Il est valable ${duration} et une seule fois, dans le navigateur où il a été demandé.`,
    codeWarning:
      'Ne le communiquez à personne : nous ne vous le demanderons jamais. Si vous ne l’avez pas demandé, ignorez cet e-mail.',
    passkeyAddedSubject: 'Une clé d’accès a été ajoutée',
    passkeyAddedIntro: (email, name) =>
      `Une clé d’accès (${name}) vient d’être ajoutée au compte ${email}. Toute personne qui peut déverrouiller l’appareil peut se connecter avec elle.`,
    passkeyAddedWarning:
      'Si ce n’était pas vous, supprimez-la maintenant sur la page de votre compte, et changez le mot de passe de votre messagerie.',
    claimedSubject: 'Votre adresse est confirmée',
    claimedIntro: (email, provider) =>
      `Le compte ${email} a été créé avec ${provider}, et vous venez de confirmer avec un code que l’adresse est à vous. Pour que personne d’autre ne puisse utiliser le compte, nous avons supprimé le mot de passe, les clés d’accès et les comptes liés, et fermé toutes les autres sessions.`,
    claimedAdvice: (provider) =>
      `Si c’est vous qui avez utilisé ${provider}, choisissez-le de nouveau à la prochaine connexion. Un code de plus le liera définitivement.`,
    linkedSubject: (provider) => `Vous pouvez maintenant vous connecter avec ${provider}`,
    linkedIntro: (provider, email) =>
      `Votre compte ${provider} vient d’être lié au compte ${email}. Vous pouvez désormais vous connecter avec lui.`,
    linkedWarning:
      'Si ce n’était pas vous, quelqu’un a peut-être accès à vos e-mails. Changez le mot de passe de votre messagerie, et déliez ce compte sur la page de votre compte.',
    changedSubject: 'Votre mot de passe a été modifié',
    changedIntro: (email) =>
      `Le mot de passe du compte ${email} vient d’être modifié. Toutes les autres sessions ont été fermées.`,
    changedRemaining: (ways) =>
      `Vos autres moyens de connexion restent actifs : ${ways.join(', ')}. Si l’un d’eux n’est pas à vous, supprimez-le sur la page de votre compte.`,
    changedWarning:
      'Si ce n’était pas vous, choisissez tout de suite un nouveau mot de passe : « Mot de passe oublié ? » sur la page de connexion. Quelqu’un a peut-être accès à votre messagerie ; changez aussi son mot de passe.',
  },
};
