// Mail that nobody sends: without SMTP_URL, on loopback addresses, a page and a JSON list show what would have gone out.
// In any other configuration the routes do not exist.
import type { Context, Middleware } from 'koa';
import type { Database } from '../src/database/connection.ts';
import { about } from '../src/http/routing.ts';
import { renderPage } from '../src/page/document.tsx';
import { WidePage } from '../src/page/layout.tsx';
import { type DevelopmentMail, readDevelopmentInbox } from '../src/queue/mail.ts';
import { refuseForeignHost } from './this-machine.ts';

export function serveDevelopmentInbox(db: Database): Middleware {
  return about(['/dev/inbox', '/dev/inbox.json'], async (ctx, next) => {
    if (ctx.method !== 'GET') return next();
    refuseForeignHost(ctx, 'development inbox');
    const isPage = ctx.path === '/dev/inbox';
    const mails = await readDevelopmentInbox(db, recipient(ctx));
    ctx.set('Cache-Control', 'no-store');
    ctx.type = isPage ? 'html' : 'json';
    ctx.body = isPage ? renderPage(<InboxPage mails={mails} />) : JSON.stringify(mails.map(toJson));
  });
}

function toJson({ id, recipient, sender, subject, text, html, sentAt }: DevelopmentMail) {
  return { id, to: recipient, from: sender, subject, text, html, sent_at: sentAt.toISOString() };
}

function recipient(ctx: Context): string | undefined {
  return typeof ctx.query.to === 'string' && ctx.query.to !== '' ? ctx.query.to : undefined;
}

function InboxPage({ mails }: { mails: DevelopmentMail[] }) {
  return (
    <WidePage
      language="en"
      title="Development inbox · Tollgate"
      heading="Development inbox"
      lead="Mail stays here while SMTP_URL is not set. Newest first; reload the page to look for more."
    >
      {mails.length === 0 && (
        <section class="panel">
          <p class="lead">No mail yet. Ask for a code on a sign-in page and it appears here.</p>
          <p>
            <a href="/account">Sign in to your account</a> asks for one; <a href="/">the start page</a> knows
            more.
          </p>
        </section>
      )}
      {mails.map((mail) => (
        <article class="panel" key={mail.id}>
          <h2>{mail.subject}</h2>
          <dl class="meta">
            <dt>To</dt>
            <dd>{mail.recipient}</dd>
            <dt>Sent</dt>
            <dd>
              <time dateTime={mail.sentAt.toISOString()}>{mail.sentAt.toISOString()}</time>
            </dd>
          </dl>
          <pre>{mail.text}</pre>
        </article>
      ))}
    </WidePage>
  );
}
