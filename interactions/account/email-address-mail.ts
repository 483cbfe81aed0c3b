// The mails about a change of address: the code or the word that the address is taken, the two notices, and the notice
// that it was undone.
import type { EmailChange } from '../../src/accounts/email-return.ts';
import { plainAppearance } from '../../src/applications/appearance.ts';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import { oneTimeCodeSeconds } from '../../src/limits/credentials.ts';
import type { Mail } from '../../src/queue/mail.ts';
import { catalogue, duration, type Language } from '../languages.ts';
import type { MailRequest } from '../mail-request.ts';
import { compose } from '../mail-texts.ts';
import { emailAddressTexts } from './texts/email-address.ts';

type Paragraphs = Parameters<typeof compose>[1]['paragraphs'];
/** From whose browser the change came; undefined where the reader need not be that person. */
type Asked = MailRequest | undefined;

function write(
  { language, request }: { language: Language; request?: Asked },
  mail: Omit<Parameters<typeof compose>[1], 'paragraphs'>,
  body: Paragraphs,
): Mail {
  const texts = catalogue[language];
  const words = {
    application: { name: FIRST_PARTY_NAME, appearance: plainAppearance },
    language,
    texts,
    request,
  };
  return compose(words, { ...mail, paragraphs: [texts.mail.greeting, ...body] });
}

export function codeMail(
  language: Language,
  {
    to,
    email,
    code,
    expiresAt,
    request,
  }: { to: string; email: string; code: string; expiresAt: Date; request: MailRequest },
): Mail {
  const { mail, codeHeading } = emailAddressTexts[language];
  const subject = mail.codeSubject(code);
  return write({ language, request }, { to, subject, heading: codeHeading, expiresAt }, [
    mail.codeIntro(email),
    { code },
    catalogue[language].mail.codeValid(duration(language, oneTimeCodeSeconds)),
    mail.codeWarning,
  ]);
}

/** To whom the address belongs; it does not say who asked. */
export function takenMail(language: Language, { to, expiresAt }: { to: string; expiresAt: Date }): Mail {
  const { mail } = emailAddressTexts[language];
  return write({ language }, { to, subject: mail.takenSubject, expiresAt }, [
    mail.takenBody(to),
    mail.takenAdvice,
  ]);
}

/** Without a link there is nothing to undo: the account went back to an address that it had before. */
export function changedMails(
  language: Language,
  { oldEmail, newEmail }: Pick<EmailChange, 'oldEmail' | 'newEmail'>,
  { undo, request }: { undo: string | undefined; request: MailRequest },
): Mail[] {
  const { mail } = emailAddressTexts[language];
  const toOld = [mail.changedBody(oldEmail, newEmail), ...(undo ? [mail.undoIntro, { link: undo }] : [])];
  return [
    write({ language, request }, { to: oldEmail, subject: mail.changedSubject }, toOld),
    write({ language, request }, { to: newEmail, subject: mail.changedSubject }, [
      mail.welcomeBody(oldEmail, newEmail),
    ]),
  ];
}

export function returnedMails(
  language: Language,
  { oldEmail, newEmail }: Pick<EmailChange, 'oldEmail' | 'newEmail'>,
): Mail[] {
  const { mail } = emailAddressTexts[language];
  return [oldEmail, newEmail].map((to) =>
    write({ language }, { to, subject: mail.returnedSubject }, [mail.returnedBody(oldEmail)]),
  );
}
