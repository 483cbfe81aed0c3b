// Where a person is signed in: browsers, and the shorter sessions of our own pages that belong to them. Each can be ended
// from here, or all but the one that asks (threat 59); what they led to ends with them.
import type { Context } from 'koa';
import { endPageSession, listPageSessions } from '../../src/accounts/page-session.ts';
import { listSessions } from '../../src/accounts/session.ts';
import { renderPage } from '../../src/page/document.tsx';
import { stayKnown } from '../known-device-cookie.ts';
import { redirectTo } from './flash.ts';
import { END_BROWSER, END_OTHERS, END_PAGES, SESSIONS, SessionsPage } from './sessions-page.tsx';
import type { AccountRoute, AccountDependencies, AccountVisit } from './visit.ts';

export function createSessionRoutes(deps: AccountDependencies): AccountRoute[] {
  const { db, clock } = deps;
  const redirectBack = (ctx: Context, visit: AccountVisit, isEnded: boolean) =>
    redirectTo(
      ctx,
      deps,
      visit.account.id,
      SESSIONS,
      isEnded ? { done: 'sessionEnded' } : { problem: 'sessionGone' },
    );
  return [
    {
      method: 'GET',
      path: SESSIONS,
      async handle(ctx, visit) {
        await deps.browsers.flush();
        const whose = { accountId: visit.account.id, now: clock() };
        const browsers = await listSessions(db, whose);
        const pages = await listPageSessions(db, whose);
        ctx.body = renderPage(<SessionsPage visit={visit} browsers={browsers} pages={pages} />);
      },
    },
    {
      method: 'POST',
      path: END_BROWSER,
      async handle(ctx, visit, { session: uidHash = '' }) {
        const { id: accountId } = visit.account;
        const isEnded = await visit.change((tx) =>
          deps.revokeSession(tx, { uidHash, accountId, now: clock() }),
        );
        redirectBack(ctx, visit, isEnded);
      },
    },
    {
      method: 'POST',
      path: END_PAGES,
      async handle(ctx, visit, { session: id = '' }) {
        const { id: accountId } = visit.account;
        redirectBack(ctx, visit, await visit.change((tx) => endPageSession(tx, { id, accountId })));
      },
    },
    {
      method: 'POST',
      path: END_OTHERS,
      async handle(ctx, visit) {
        const { account, session } = visit;
        const raise = { accountId: account.id, keepSession: session.sessionHash, now: clock() };
        await visit.change((tx) => deps.revokeAccount(tx, raise));
        await stayKnown(deps, ctx, account.id);
        redirectTo(ctx, deps, account.id, SESSIONS, { done: 'sessionsEnded' });
      },
    },
  ];
}
