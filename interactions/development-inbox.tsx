// Mail that nobody sends: without SMTP_URL, on loopback addresses, pages and a JSON list show what would have gone out.
// In any other configuration the routes do not exist.
import type { Context, Middleware } from 'koa';
import type { Database } from '../src/database/connection.ts';
import { TollgateError } from '../src/errors.ts';
import { renderPage } from '../src/page/document.tsx';
import { type DevelopmentMail, findDevelopmentMail, readDevelopmentInbox } from '../src/queue/mail.ts';
import { InboxPage, MessagePage } from './development-inbox-pages.tsx';
import { refuseForeignHost } from './this-machine.ts';

const INBOX = '/dev/inbox';
const MESSAGE = /^\/dev\/inbox\/(mail_[0-9a-f]{32})(\/html)?$/;

export function serveDevelopmentInbox(db: Database): Middleware {
  return async (ctx, next) => {
    if (ctx.method !== 'GET' || !ctx.path.startsWith(INBOX)) return next();
    const [isMessage, id = '', html] = MESSAGE.exec(ctx.path) ?? [];
    if (!isMessage && ctx.path !== INBOX && ctx.path !== `${INBOX}.json`) return next();
    ctx.state.route = isMessage ? `${INBOX}/:id${html ?? ''}` : ctx.path;
    refuseForeignHost(ctx, 'development inbox');
    ctx.set('Cache-Control', 'no-store');
    if (isMessage) return showMessage(ctx, await findDevelopmentMail(db, id), html !== undefined);
    const to = queryText(ctx, 'to');
    const mails = await readDevelopmentInbox(db, to);
    ctx.type = ctx.path === INBOX ? 'html' : 'json';
    ctx.state.cspScript = true;
    ctx.body =
      ctx.path === INBOX
        ? renderPage(<InboxPage mails={mails} to={to} />)
        : JSON.stringify(mails.map(toJson));
  };
}

function toJson({ id, recipient, sender, subject, text, html, sentAt }: DevelopmentMail) {
  return { id, to: recipient, from: sender, subject, text, html, sent_at: sentAt.toISOString() };
}

function showMessage(ctx: Context, mail: DevelopmentMail | undefined, isAlone: boolean): void {
  if (!mail) throw new TollgateError('not_found', 'There is nothing at this address.');
  ctx.type = 'html';
  if (isAlone) showAlone(ctx, mail);
  else {
    ctx.state.cspScript = true;
    ctx.state.cspFrames = true;
    ctx.body = renderPage(
      <MessagePage mail={mail} part={queryText(ctx, 'part') === 'text' ? 'text' : 'html'} />,
    );
  }
}

/** As a mail program would show it: styles in the elements, no script, nothing fetched, links in a page of their own. */
function showAlone(ctx: Context, { html }: DevelopmentMail): void {
  ctx.set('X-Frame-Options', 'SAMEORIGIN');
  ctx.set('Content-Security-Policy', MAIL_POLICY);
  ctx.body = html.replace('<head>', '<head><base target="_blank">');
}

const MAIL_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-popups allow-popups-to-escape-sandbox',
].join('; ');

function queryText(ctx: Context, name: string): string | undefined {
  const value = ctx.query[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
