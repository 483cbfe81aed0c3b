// Mails about what was done to an account (threat 39): each change that lets somebody in, or keeps somebody out, is told
// to the account's address in the person's language.

import { plainAppearance } from '../../src/applications/appearance.ts';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import type { Mail } from '../../src/queue/mail.ts';
import { catalogue } from '../languages.ts';
import { compose } from '../mail-texts.ts';
import type { AccountTexts } from './texts/en.ts';
import type { AccountVisit } from './visit.ts';

export type Notice = keyof AccountTexts['notices'];

type Told = Pick<AccountVisit, 'account' | 'language' | 'texts' | 'request'>;

export function noticeMail(
  visit: Told,
  notice: Notice,
  /** Another address than the account's. */
  to = visit.account.email,
  /** The name of what it was done to. */
  what = '',
): Mail {
  const { account, language, texts } = visit;
  const { subject, body }: { subject: string; body(email: string, what: string): string } =
    texts.notices[notice];
  const { greeting } = catalogue[language].mail;
  // Whoever has no account any more has nothing to sign in to.
  const warning = notice === 'accountDeleted' ? [] : [texts.noticeWarning];
  return compose(ownWords(visit), {
    to,
    subject,
    paragraphs: [greeting, body(account.email, what), ...warning],
  });
}

/** For the mails that the hosted pages send as well. */
export function ownWords({ language, request }: Pick<Told, 'language' | 'request'>) {
  return {
    application: { name: FIRST_PARTY_NAME, appearance: plainAppearance },
    language,
    texts: catalogue[language],
    request,
  };
}
