// A page of ours that goes on to another page of ours by itself: the request after it comes from our own site and so
// brings the strict cookies, which the one before, at the end of a chain from elsewhere, did not.
import type { Context } from 'koa';
import { Document, renderPage } from './document.tsx';

export function goOn(ctx: Context, to: string): void {
  ctx.type = 'html';
  ctx.body = renderPage(
    <Document language="en" title="Tollgate" goesOnTo={to}>
      <main class="stage">
        <h1 class="unseen">Going on</h1>
        <a href={to}>Continue</a>
      </main>
    </Document>,
  );
}

/** The browser says that another site led here. */
export function isFromElsewhere(ctx: Context): boolean {
  return ['cross-site', 'same-site'].includes(ctx.get('sec-fetch-site'));
}
