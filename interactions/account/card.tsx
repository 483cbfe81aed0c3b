// A page about the account for a browser that is not signed in to it: one thing to say, and one way on.
import type { Context } from 'koa';
import type { ComponentChildren } from 'preact';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import { renderPage } from '../../src/page/document.tsx';
import { CardPage } from '../../src/page/layout.tsx';
import { languageOf } from '../languages.ts';

export function showCard(ctx: Context, heading: string, lead: string, children: ComponentChildren): void {
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={languageOf(ctx)}
      title={`${heading} · ${FIRST_PARTY_NAME}`}
      heading={heading}
      lead={lead}
      symbol="information"
    >
      {children}
    </CardPage>,
  );
}
