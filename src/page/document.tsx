// The HTML document that every page of the service shares: hosted pages, development inbox, API reference,
// company settings. Nothing inline: one stylesheet, one icon, and a script only where a page names it.
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { iconPath, stylesheetPath } from './assets.ts';
import { type ScriptName, scriptPath } from './scripts.ts';

export type DocumentProps = {
  /** BCP 47; the language that the page is written in. */
  language: string;
  /** Shown in the tab and on paper: what the page is about first, the product last. */
  title: string;
  /** The page works without them; it has to set `ctx.state.cspScript` as well (src/http/security-headers.ts). */
  scripts?: ScriptName[];
  /** A style sheet of our own origin after the common one: what one application changes about it. */
  styles?: string | undefined;
  /** A page to read, which search engines may list with these words. Without them none lists it. */
  description?: string | undefined;
  /** Goes on to this path of ours by itself, at once. */
  goesOnTo?: string;
  children: ComponentChildren;
};

export function Document(props: DocumentProps) {
  const { language, title, scripts = [], styles, description, goesOnTo, children } = props;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content={description ?? title} />
        {description === undefined && <meta name="robots" content="noindex" />}
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={iconPath} />
        <link rel="stylesheet" href={stylesheetPath} />
        {styles && <link rel="stylesheet" href={styles} />}
        {goesOnTo && <meta http-equiv="refresh" content={`0; url=${goesOnTo}`} />}
        {scripts.map((name) => (
          <script key={name} type="module" src={scriptPath(name)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  );
}

export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
