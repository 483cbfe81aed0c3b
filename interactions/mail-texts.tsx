// The mails of the hosted pages, in the person's language: a code, and the notice that a password was changed.
// Text and HTML say the same. A name from outside is text in both, and never ends a header line.
import { render } from 'preact-render-to-string';
import type { Flow } from '../src/accounts/flow.ts';
import { oneTimeCodeSeconds } from '../src/limits/protocol.ts';
import type { Mail } from '../src/queue/mail.ts';
import { duration } from './languages.ts';
import type { Visit } from './visit.ts';

type Words = Pick<Visit, 'language' | 'texts'> & { application: Pick<Visit['application'], 'name'> };

export function codeMail(
  visit: Words,
  flow: Pick<Flow, 'kind' | 'email'>,
  issued: { code: string; expiresAt: Date },
): Mail {
  const { mail } = visit.texts;
  const app = visit.application.name;
  const recovers = flow.kind === 'recover';
  return compose(visit, {
    to: flow.email,
    subject: recovers ? mail.recoverSubject(app) : mail.codeSubject(app),
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

type Paragraph = string | { code: string } | { link: string };
type Content = { to: string; subject: string; expiresAt?: Date; paragraphs: Paragraph[] };

/** Text and HTML of one mail. */
export function compose(words: Words, { to, subject, expiresAt, paragraphs }: Content): Mail {
  const text = paragraphs.map((paragraph) => {
    if (typeof paragraph === 'string') return paragraph;
    return 'code' in paragraph ? `    ${paragraph.code}` : paragraph.link;
  });
  return {
    to,
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n\n-- \n${words.application.name}\n`,
    html: `<!doctype html>${render(<MailBody words={words} subject={subject} paragraphs={paragraphs} />)}`,
    ...(expiresAt ? { expiresAt } : {}),
  };
}

function oneLine(subject: string): string {
  return subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

// Mail programs drop style sheets, so here, unlike on pages, style stands in the elements.
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f8;color:#14161b;font:16px/1.55 -apple-system,"Segoe UI",Roboto,Arial,sans-serif',
  card: 'max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e5eb;border-radius:14px',
  paragraph: 'margin:0 0 16px',
  code: 'margin:8px 0 24px;padding:16px;border-radius:10px;background:#f4f5f8;text-align:center;font:600 30px/1.2 ui-monospace,Menlo,Consolas,monospace;letter-spacing:6px',
  from: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #e3e5eb;color:#565c6b;font-size:14px',
};

function MailBody({
  words,
  subject,
  paragraphs,
}: {
  words: Words;
  subject: string;
  paragraphs: Paragraph[];
}) {
  return (
    <html lang={words.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{subject}</title>
      </head>
      <body style={styles.body}>
        <div style={styles.card}>
          {paragraphs.map((paragraph, place) => (
            <MailParagraph key={place} paragraph={paragraph} />
          ))}
          <p style={styles.from}>{words.application.name}</p>
        </div>
      </body>
    </html>
  );
}

function MailParagraph({ paragraph }: { paragraph: Paragraph }) {
  if (typeof paragraph === 'string') return <p style={styles.paragraph}>{paragraph}</p>;
  if ('code' in paragraph) return <p style={styles.code}>{paragraph.code}</p>;
  return (
    <p style={styles.paragraph}>
      <a href={paragraph.link}>{paragraph.link}</a>
    </p>
  );
}
