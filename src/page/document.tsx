// The HTML document that every page of the service shares: hosted pages, development inbox, API reference,
// company settings. Nothing inline (design section 5): one stylesheet, one icon, no script.
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { iconPath, stylesheetPath } from './assets.ts';

export type DocumentProps = {
  /** BCP 47; the language that the page is written in. */
  language: string;
  /** Shown in the tab and on paper: what the page is about first, the product last. */
  title: string;
  children: ComponentChildren;
};

export function Document({ language, title, children }: DocumentProps) {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <link rel="icon" type="image/svg+xml" href={iconPath} />
        <link rel="stylesheet" href={stylesheetPath} />
      </head>
      <body>{children}</body>
    </html>
  );
}

export function renderPage(page: VNode): string {
  return `<!doctype html>${renderToString(page)}`;
}
