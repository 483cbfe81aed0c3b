// The words of the consent page about a company's own API; what its scopes allow is the company's to say.
/** Before what the application may do there. */
export const apiTexts: Record<'en' | 'de' | 'fr' | 'es', (api: string) => string> = {
  en: (api) => `Use ${api} for you`,
  de: (api) => `${api} in Ihrem Namen nutzen`,
  fr: (api) => `Utiliser ${api} en votre nom`,
  es: (api) => `Usar ${api} en su nombre`,
};
