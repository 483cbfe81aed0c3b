// The mails of the hosted pages, in the person's language: a code, and the notice that a password was changed.
// Text and HTML say the same. A name from outside is text in both, and never ends a header line.
import type { Flow } from '../src/accounts/sign-in-flow.ts';
import { oneTimeCodeSeconds } from '../src/limits/credentials.ts';
import type { Mail } from '../src/queue/mail.ts';
import { type Block, layOut } from '../src/queue/mail-layout.tsx';
import { linksOf } from './brand.tsx';
import { duration } from './languages.ts';
import { factsOfRequest, type MailRequest } from './mail-request.ts';
import { requestTexts } from './texts/request.ts';
import type { Visit } from './visit.ts';

export type Words = Pick<Visit, 'language' | 'texts'> & {
  application: Pick<Visit['application'], 'name' | 'appearance'>;
  request: MailRequest | undefined;
};

export function codeMail(
  visit: Words,
  flow: Pick<Flow, 'kind' | 'email'>,
  issued: { code: string; expiresAt: Date },
): Mail {
  const { mail } = visit.texts;
  const app = visit.application.name;
  const recovers = flow.kind === 'recover';
  const { codeHeading, recoverHeading } = requestTexts[visit.language];
  return compose(visit, {
    to: flow.email,
    // The code first: where only the subject is shown, nothing has to be opened. It is good in the asking browser only.
    subject: recovers ? mail.recoverSubject(issued.code, app) : mail.codeSubject(issued.code, app),
    heading: recovers ? recoverHeading : codeHeading(app),
    expiresAt: issued.expiresAt,
    paragraphs: [
      mail.greeting,
      recovers ? mail.recoverIntro : mail.codeIntro(app),
      { code: issued.code },
      mail.codeValid(duration(visit.language, oneTimeCodeSeconds)),
      mail.codeWarning,
    ],
  });
}

/** `remaining`: the names of passkeys and providers that still open the account. */
export function passwordChangedMail(visit: Words, email: string, remaining: string[]): Mail {
  const { mail } = visit.texts;
  const ways = remaining.length > 0 ? [mail.changedRemaining(remaining)] : [];
  return compose(visit, {
    to: email,
    subject: mail.changedSubject,
    paragraphs: [mail.greeting, mail.changedIntro(email), ...ways, mail.changedWarning],
  });
}

export function socialLinkedMail(visit: Words, email: string, provider: string): Mail {
  const { mail } = visit.texts;
  return compose(visit, {
    to: email,
    subject: mail.linkedSubject(provider),
    paragraphs: [mail.greeting, mail.linkedIntro(provider, email), mail.linkedWarning],
  });
}

/** To the owner of an address who proves it for the first time. `provider`: whose word made the account. */
export function accountClaimedMail(visit: Words, email: string, provider: string): Mail {
  const { mail } = visit.texts;
  return compose(visit, {
    to: email,
    subject: mail.claimedSubject,
    paragraphs: [mail.greeting, mail.claimedIntro(email, provider), mail.claimedAdvice(provider)],
  });
}

export function passkeyAddedMail(visit: Words, email: string, name: string): Mail {
  const { mail } = visit.texts;
  return compose(visit, {
    to: email,
    subject: mail.passkeyAddedSubject,
    paragraphs: [mail.greeting, mail.passkeyAddedIntro(email, name), mail.passkeyAddedWarning],
  });
}

type Content = {
  to: string;
  subject: string;
  /** Without one, the subject. */
  heading?: string;
  expiresAt?: Date;
  paragraphs: Block[];
};

/** Text and HTML of one mail, with what asked for it; no `request` where that is nobody of the reader's business. */
export function compose(
  { application, language, request }: Words,
  { to, subject, heading = subject, expiresAt, paragraphs }: Content,
): Mail {
  const asked = request ? [factsOfRequest(language, application.name, request)] : [];
  return layOut({
    to,
    language,
    from: { name: application.name, accent: application.appearance.accent },
    foot: linksOf(language, application),
    senderName: application.appearance.senderName,
    subject,
    heading,
    blocks: [...paragraphs, ...asked],
    expiresAt,
  });
}
