// The account page in every language of the hosted pages.
import type { Language } from '../languages.ts';
import { de } from './texts/de.ts';
import { type AccountTexts, en } from './texts/en.ts';
import { es } from './texts/es.ts';
import { fr } from './texts/fr.ts';

export const accountTexts: Record<Language, AccountTexts> = { en, de, fr, es };
