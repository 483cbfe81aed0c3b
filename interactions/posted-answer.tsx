// The page that posts an answer to the callback (`response_mode=form_post`). It has the one inline script of the service,
// let in by its hash, and a button where there are no scripts.
import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Database } from '../src/database/connection.ts';
import { contentSecurityPolicy } from '../src/http/security-headers.ts';
import { Button } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { CardPage } from '../src/page/layout.tsx';
import { brandOf } from './brand.tsx';
import { catalogue, languageOf } from './languages.ts';
import { findService } from './service.ts';
import { testModeTexts } from './texts/test-mode.ts';

const SCRIPT = 'document.forms[0].submit();';
const SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`;

type Answer = { clientId: string; action: string; fields: [name: string, value: string][] };

export async function showPostedAnswer(ctx: Context, db: Database, answer: Answer): Promise<void> {
  const application = await findService(db, answer.clientId);
  const language = languageOf(ctx);
  const { shared, postedAnswer } = catalogue[language];
  const name = application?.name ?? new URL(answer.action).host;
  const heading = shared.backTo(name);
  // Where a callback of a backend goes on to, if the company has named it: Chromium counts that as the form's end, too.
  const origins = [new URL(answer.action).origin, ...(application?.allowedOrigins ?? [])];
  ctx.set(
    'Content-Security-Policy',
    contentSecurityPolicy({ formAction: [...new Set(origins)], scripts: SCRIPT_SOURCE }),
  );
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'html';
  ctx.body = renderPage(
    <CardPage
      language={language}
      title={heading}
      heading={heading}
      lead={postedAnswer.lead}
      foot={application?.isTest && <p class="fine">{testModeTexts[language].mark}</p>}
      styles={application && brandOf(application, language).styles}
    >
      <form method="post" action={answer.action}>
        {answer.fields.map(([field, value]) => (
          <input key={field} type="hidden" name={field} value={value} />
        ))}
        <Button>{shared.continue}</Button>
      </form>
      <script dangerouslySetInnerHTML={{ __html: SCRIPT }} />
    </CardPage>,
  );
}
