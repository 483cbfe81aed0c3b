// RP-initiated logout: the question whether to end the session here as well, and what was done. The
// engine makes and checks the form; its buttons and words are ours.
import type { Context } from 'koa';
import type { Database } from '../src/database/connection.ts';
import { renderPage } from '../src/page/document.tsx';
import { CardPage } from '../src/page/layout.tsx';
import { BrandLinks, brandOf } from './brand.tsx';
import { catalogue, languageOf } from './languages.ts';
import { findService } from './service.ts';

export async function showLogoutConfirmation(
  ctx: Context,
  { db, clientId, form }: { db: Database; clientId: string | undefined; form: string },
): Promise<void> {
  const application = clientId ? await findService(db, clientId) : undefined;
  const language = languageOf(
    ctx,
    typeof ctx.query.ui_locales === 'string' ? ctx.query.ui_locales : undefined,
  );
  const { logout } = catalogue[language];
  const { action, xsrf } = readForm(form);
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={application ? `${logout.heading} · ${application.name}` : logout.heading}
      heading={logout.heading}
      lead={logout.lead(application?.name)}
      {...(application && brandOf(application, language))}
      below={application && <BrandLinks language={language} application={application} />}
    >
      <form class="stack-tight" method="post" action={action}>
        <input type="hidden" name="xsrf" value={xsrf} />
        <button type="submit" class="button button-primary" name="logout" value="yes">
          {logout.submit}
        </button>
        <button type="submit" class="button button-secondary">
          {logout.stay}
        </button>
      </form>
    </CardPage>,
  );
}

/** `client_id` comes back when only that application was left, not the session. */
export async function showLoggedOut(ctx: Context, db: Database): Promise<void> {
  const clientId = typeof ctx.query.client_id === 'string' ? ctx.query.client_id : undefined;
  const application = clientId ? await findService(db, clientId) : undefined;
  const language = languageOf(ctx);
  const { logout } = catalogue[language];
  const heading = clientId ? logout.stayedHeading : logout.doneHeading;
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={heading}
      heading={heading}
      symbol={clientId ? 'information' : 'success'}
      lead={clientId ? logout.stayedLead(application?.name) : logout.doneLead}
      styles={application && brandOf(application, language).styles}
    />,
  );
}

/** The engine hands over its form as HTML; only these two values of it are used. */
function readForm(form: string): { action: string; xsrf: string } {
  const [, action = ''] = /action="([^"]*)"/.exec(form) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(form) ?? [];
  return { action, xsrf };
}
