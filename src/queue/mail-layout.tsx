// The one layout of every mail: tables and styles in the elements, because mail programs drop much else, and a small style
// sheet for the dark where they keep it. Nothing is loaded from anywhere, so opening a mail tells nobody anything. The text
// part says the same, and says it first.
import { render } from 'preact-render-to-string';
import { readableAccent } from '../page/colour.ts';
import type { Mail } from './mail.ts';

export type Block =
  | string
  | { code: string }
  | { link: string; label?: string | undefined }
  | { facts: [name: string, value: string][] }
  /** Small print. */
  | { fine: string };

export type MailContent = {
  to: string;
  language: string;
  /** Who writes: an application, or the service itself. */
  from: { name: string; accent?: string | null | undefined };
  subject: string;
  heading: string;
  blocks: Block[];
  /** Below everything: links of the application, one a line. */
  foot?: { label: string; url: string }[] | undefined;
  senderName?: string | null | undefined;
  expiresAt?: Date | undefined;
};

/** A name from outside is text in both parts, and never ends a header line (threat 44). */
export function layOut(content: MailContent): Mail {
  const { to, subject, from, blocks, foot = [], senderName, expiresAt } = content;
  const links = foot.map(({ label, url }) => `${label}: ${url.replace(/^mailto:/, '')}`);
  return {
    to,
    subject: oneLine(subject),
    text: `${[...blocks.map(asText), ['-- ', from.name, ...links].join('\n')].join('\n\n')}\n`,
    html: `<!doctype html>${render(<MailPage {...content} />)}`,
    ...(senderName ? { senderName: oneLine(senderName) } : {}),
    ...(expiresAt ? { expiresAt } : {}),
  };
}

function oneLine(subject: string): string {
  return subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

function asText(block: Block): string {
  if (typeof block === 'string') return block;
  if ('code' in block) return `    ${block.code}`;
  if ('link' in block) return block.label ? `${block.label}: ${block.link}` : block.link;
  if ('facts' in block) return block.facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  return block.fine;
}

const font = '-apple-system,BlinkMacSystemFont,"Segoe UI",Roboto,Helvetica,Arial,sans-serif';
const mono = 'ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';
const styles = {
  body: `margin:0;padding:0;background:#f4f5f8;color:#14161b;font:16px/1.55 ${font}`,
  ground: 'background:#f4f5f8',
  outer: 'padding:32px 12px',
  card: 'width:100%;max-width:520px;background:#ffffff;border:1px solid #e3e5eb;border-radius:14px;border-collapse:separate',
  inner: 'padding:32px',
  name: `padding-left:12px;font:600 17px/1.3 ${font};color:#14161b;overflow-wrap:anywhere`,
  heading: `margin:28px 0 12px;font:650 23px/1.3 ${font};color:#14161b;overflow-wrap:anywhere`,
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  code: `margin:4px 0 20px;padding:18px 8px;border-radius:10px;background:#f4f5f8;color:#14161b;text-align:center;font:600 32px/1.2 ${mono};letter-spacing:8px`,
  facts: 'width:100%;margin:8px 0 20px;border-top:1px solid #e3e5eb;border-bottom:1px solid #e3e5eb',
  factName:
    'padding:6px 12px 6px 0;color:#565c6b;font-size:14px;line-height:1.45;vertical-align:top;white-space:nowrap',
  factValue: 'padding:6px 0;font-size:14px;line-height:1.45;width:100%;overflow-wrap:anywhere',
  fine: 'margin:0 0 12px;color:#565c6b;font-size:14px;line-height:1.5;overflow-wrap:anywhere',
  foot: 'padding:20px 32px 0;color:#565c6b;font-size:13px;line-height:1.5;text-align:center;overflow-wrap:anywhere',
  footLink: 'color:#565c6b',
};

/** Programs that know of the dark follow it; the others stay light, which is readable on its own. */
const darkStyles = `@media (prefers-color-scheme:dark){
.m-ground{background:#0c0d10!important}.m-card{background:#16181d!important;border-color:#2a2e37!important}
.m-text{color:#f0f1f4!important}.m-soft{color:#a5acba!important}
.m-code{background:#1d2027!important;color:#f0f1f4!important}.m-line{border-color:#2a2e37!important}
.m-link{color:#9db0ff!important}}`;

function MailPage(content: MailContent) {
  const { language, from, subject, heading, blocks, foot = [] } = content;
  const accent = readableAccent(from.accent);
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: darkStyles }} />
      </head>
      <body class="m-ground m-text" style={styles.body}>
        <table
          role="presentation"
          class="m-ground"
          width="100%"
          cellSpacing="0"
          cellPadding="0"
          style={styles.ground}
        >
          <tr>
            <td align="center" style={styles.outer}>
              <table role="presentation" class="m-card" cellSpacing="0" cellPadding="0" style={styles.card}>
                <tr>
                  <td align="left" style={styles.inner}>
                    <Brand name={from.name} accent={accent} />
                    <h1 class="m-text" style={styles.heading}>
                      {heading}
                    </h1>
                    {blocks.map((block, place) => (
                      <MailBlock key={place} block={block} accent={accent} />
                    ))}
                  </td>
                </tr>
              </table>
              {foot.length > 0 && (
                <div class="m-soft" style={styles.foot}>
                  {foot.map(({ label, url }, place) => (
                    <span key={url}>
                      {place > 0 && ' · '}
                      <a class="m-soft" href={url} style={styles.footLink}>
                        {label}
                      </a>
                    </span>
                  ))}
                </div>
              )}
            </td>
          </tr>
        </table>
      </body>
    </html>
  );
}

/** The name in writing: a picture would have to be fetched, and many programs ask before they do. */
function Brand({ name, accent }: { name: string; accent: string }) {
  const [initial = '·'] = name.trim().toLocaleUpperCase();
  const mark = `width:40px;height:40px;border-radius:10px;background:${accent};color:#ffffff;text-align:center;font:650 18px/40px ${font}`;
  return (
    <table role="presentation" cellSpacing="0" cellPadding="0">
      <tr>
        <td width="40" height="40" aria-hidden="true" style={mark}>
          {initial}
        </td>
        <td class="m-text" style={styles.name}>
          {name}
        </td>
      </tr>
    </table>
  );
}

function MailBlock({ block, accent }: { block: Block; accent: string }) {
  if (typeof block === 'string') return <p style={styles.paragraph}>{block}</p>;
  if ('code' in block)
    return (
      <p class="m-code" style={styles.code}>
        {block.code}
      </p>
    );
  if ('facts' in block) return <Facts facts={block.facts} />;
  if ('link' in block) return <MailLink {...block} accent={accent} />;
  return (
    <p class="m-soft" style={styles.fine}>
      {block.fine}
    </p>
  );
}

function Facts({ facts }: { facts: [name: string, value: string][] }) {
  return (
    <table role="presentation" class="m-line" cellSpacing="0" cellPadding="0" style={styles.facts}>
      {facts.map(([name, value]) => (
        <tr key={name}>
          <td class="m-soft" style={styles.factName}>
            {name}
          </td>
          <td style={styles.factValue}>{value}</td>
        </tr>
      ))}
    </table>
  );
}

/** With a label a button, whose colour is the cell's as well: some programs drop a link's own. */
function MailLink({ link, label, accent }: { link: string; label?: string | undefined; accent: string }) {
  if (!label)
    return (
      <p style={styles.paragraph}>
        <a class="m-link" href={link}>
          {link}
        </a>
      </p>
    );
  const button = `display:inline-block;padding:12px 22px;border-radius:10px;background:${accent};color:#ffffff;font:600 16px/1.3 ${font};text-decoration:none`;
  return (
    <table role="presentation" cellSpacing="0" cellPadding="0" style="margin:8px 0 20px">
      <tr>
        <td style={`border-radius:10px;background:${accent}`}>
          <a href={link} style={button}>
            {label}
          </a>
        </td>
      </tr>
    </table>
  );
}
