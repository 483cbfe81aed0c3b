// The language of the account page, chosen on any of its pages and remembered like on the hosted pages.
import { seeOther } from '../../src/http/redirect.ts';
import { known, rememberLanguage } from '../languages.ts';
import { type AccountRoute, accountPath } from './visit.ts';

export const LANGUAGE = '/language';

export function createLanguageRoutes(): AccountRoute[] {
  return [
    {
      method: 'POST',
      path: LANGUAGE,
      async handle(ctx, _visit, { language, page = '' }) {
        const chosen = known(language);
        if (chosen) rememberLanguage(ctx, chosen);
        seeOther(ctx, accountPath(OWN_PAGE.test(page) ? page : ''));
      },
    },
  ];
}

/** Where the form stood. Whatever else is sent leads to the first page. */
const OWN_PAGE = /^(\/[\w-]{1,80}){0,3}(\?for=[a-z]{1,20})?$/;
