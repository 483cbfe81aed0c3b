// Mails about a company's own affairs: a few paragraphs and one link into its settings.
import type { Mail } from './mail.ts';
import { layOut } from './mail-layout.tsx';

export type NoticeMail = {
  to: string;
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
  expiresAt?: Date;
};

export function composeNotice({ to, subject, paragraphs, link, expiresAt }: NoticeMail): Mail {
  return layOut({
    to,
    language: 'en',
    from: { name: 'Tollgate' },
    subject,
    heading: subject,
    blocks: [...paragraphs, ...(link ? [{ link: link.url, label: link.label }] : [])],
    expiresAt,
  });
}
