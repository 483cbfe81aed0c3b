// The sections of the account page, in the order of its navigation, and what a fresh sign-in is asked for.
import type { IconName } from '../../src/page/icon.tsx';
import type { SectionTexts } from './texts/sections.ts';

export type Section = 'overview' | 'profile' | 'signIn' | 'sessions' | 'applications' | 'data';

export const sections: Record<Section, { path: string; icon: IconName }> = {
  overview: { path: '', icon: 'overview' },
  profile: { path: '/profile', icon: 'account' },
  signIn: { path: '/sign-in', icon: 'api-keys' },
  sessions: { path: '/sessions', icon: 'sessions' },
  applications: { path: '/applications', icon: 'applications' },
  data: { path: '/data', icon: 'download' },
};

export const sectionNames = Object.keys(sections) as Section[];

export type Purpose = keyof SectionTexts['confirm']['purposes'];

/** The page that a person wanted, or whose form came too late: where the sign-in leads back to. */
export const pageOfPurpose: Record<Purpose, string> = {
  address: '/address',
  password: '/password',
  passkeys: '/passkeys',
  social: '/social',
  data: '/data',
  deletion: '/delete',
};

export const purposes = Object.keys(pageOfPurpose) as Purpose[];
