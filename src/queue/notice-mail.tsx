// Mails about a company's own affairs: a few paragraphs and one link into its settings. Text and HTML say the same; a
// name that somebody chose is text in both, and never ends a header line (threat 44).
import { render } from 'preact-render-to-string';
import type { Mail } from './mail.ts';

export type NoticeMail = {
  to: string;
  subject: string;
  paragraphs: string[];
  link?: { label: string; url: string };
  expiresAt?: Date;
};

export function composeNotice({ to, subject, paragraphs, link, expiresAt }: NoticeMail): Mail {
  const text = [...paragraphs, ...(link ? [`${link.label}: ${link.url}`] : [])];
  return {
    to,
    subject: subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim(),
    text: `${text.join('\n\n')}\n\n-- \nTollgate\n`,
    html: `<!doctype html>${render(<NoticeBody paragraphs={paragraphs} link={link} />)}`,
    ...(expiresAt ? { expiresAt } : {}),
  };
}

// Mail programs drop style sheets, so here, unlike on pages, style stands in the elements.
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f4f5f8;color:#14161b;font:16px/1.55 -apple-system,"Segoe UI",Roboto,Arial,sans-serif',
  card: 'max-width:520px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e3e5eb;border-radius:14px',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  link: 'display:inline-block;margin:8px 0 16px;padding:10px 20px;border-radius:10px;background:#3451d1;color:#ffffff;font-weight:600;text-decoration:none',
  from: 'margin:24px 0 0;padding-top:16px;border-top:1px solid #e3e5eb;color:#565c6b;font-size:14px',
};

type Body = { paragraphs: string[]; link: NoticeMail['link'] | undefined };

function NoticeBody({ paragraphs, link }: Body) {
  return (
    <html lang="en">
      <body style={styles.body}>
        <div style={styles.card}>
          {paragraphs.map((paragraph) => (
            <p key={paragraph} style={styles.paragraph}>
              {paragraph}
            </p>
          ))}
          {link && (
            <a href={link.url} style={styles.link}>
              {link.label}
            </a>
          )}
          <p style={styles.from}>Tollgate</p>
        </div>
      </body>
    </html>
  );
}
