// The language of a page that belongs to no flow, such as the one where a device's code is typed: chosen by a form of its own, and
// remembered as everywhere.
import type { Context, Middleware } from 'koa';
import { TollgateError } from '../src/errors.ts';
import type { FormGuard } from '../src/http/form.ts';
import { readGuardedForm } from '../src/http/guarded-form.ts';
import type { RateLimiter } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { about } from '../src/http/routing.ts';
import { LanguageSwitch } from './language-switch.tsx';
import { known, type Language, rememberLanguage } from './languages.ts';

const PATH = '/language';
/** Whatever else is sent leads to the page without anything typed. */
const OWN_PAGE = /^\/device(\?(user_code|problem)=[\w-]{1,20})?$/;

type Guards = { formGuard: FormGuard; rateLimiter: RateLimiter };

export function serveLanguageChoice(guards: Guards): Middleware {
  return about([PATH], async (ctx) => {
    if (ctx.method !== 'POST')
      throw new TollgateError('method_not_allowed', 'This address does not take that method.');
    const { fields } = await readGuardedForm(ctx, guards, { limit: 'sign_in_posts' });
    const language = known(fields.language);
    if (language) rememberLanguage(ctx, language);
    const { page = '' } = fields;
    seeOther(ctx, OWN_PAGE.test(page) ? page : '/device');
  });
}

type LanguageFootProps = { ctx: Context; formGuard: FormGuard; language: Language; page: string };

export function LanguageFoot({ ctx, formGuard, language, page }: LanguageFootProps) {
  return (
    <footer class="stage-foot">
      <LanguageSwitch
        language={language}
        action={PATH}
        token={formGuard.token(ctx, PATH)}
        page={{ field: 'page', value: page }}
      />
    </footer>
  );
}
