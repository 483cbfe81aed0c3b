// Where a person is signed in: browsers with the engine, and the shorter sessions of our own pages. Each can be ended
// from here, or all but the one that asks (attack 59); what they led to ends with them.
import type { Context } from 'koa';
import { endOtherPageSessions, endPageSession, listPageSessions } from '../../src/accounts/page-session.ts';
import {
  findBrowser,
  forgetBrowser,
  listBrowsers,
  type SignedInBrowser,
  sessionUidOf,
} from '../../src/accounts/signed-in-browser.ts';
import { renderPage } from '../../src/page/document.tsx';
import { sha256 } from '../../src/secrets.ts';
import { leave } from './leave.ts';
import { END_BROWSER, END_OTHERS, END_PAGES, SESSIONS, SessionsPage } from './sessions-page.tsx';
import type { AccountRoute, AccountTools, AccountVisit } from './visit.ts';

export function createSessionRoutes(tools: AccountTools): AccountRoute[] {
  const { db, clock } = tools;
  const leaveWith = (ctx: Context, visit: AccountVisit, isEnded: boolean) =>
    leave(
      ctx,
      tools,
      visit.account.id,
      SESSIONS,
      isEnded ? { done: 'sessionEnded' } : { problem: 'sessionGone' },
    );
  return [
    {
      method: 'GET',
      path: SESSIONS,
      async handle(ctx, visit) {
        const browsers = await livingBrowsers(tools, visit.account.id);
        const pages = await listPageSessions(db, { accountId: visit.account.id, now: clock() });
        const here = await currentHash(tools, ctx);
        ctx.body = renderPage(<SessionsPage visit={visit} browsers={browsers} pages={pages} here={here} />);
      },
    },
    {
      method: 'POST',
      path: END_BROWSER,
      async handle(ctx, visit, { session = '' }) {
        const browser = await findBrowser(db, { accountId: visit.account.id, sessionHash: session });
        if (browser) await endBrowser(tools, browser);
        leaveWith(ctx, visit, browser !== undefined);
      },
    },
    {
      method: 'POST',
      path: END_PAGES,
      async handle(ctx, visit, { session = '' }) {
        leaveWith(ctx, visit, await endPageSession(db, { id: session, accountId: visit.account.id }));
      },
    },
    {
      method: 'POST',
      path: END_OTHERS,
      async handle(ctx, visit) {
        const accountId = visit.account.id;
        const here = await currentHash(tools, ctx);
        for (const browser of await livingBrowsers(tools, accountId))
          if (browser.sessionHash !== here) await endBrowser(tools, browser);
        await endOtherPageSessions(db, { accountId, keepId: visit.session.id });
        leave(ctx, tools, accountId, SESSIONS, { done: 'sessionsEnded' });
      },
    },
  ];
}

/** The engine decides: rows of sessions that are over go on the way. */
async function livingBrowsers(tools: AccountTools, accountId: string): Promise<SignedInBrowser[]> {
  await tools.browsers.flush();
  const living: SignedInBrowser[] = [];
  for (const browser of await listBrowsers(tools.db, accountId)) {
    const uid = sessionUidOf(tools.keys, browser);
    if (uid && (await tools.engineSessions.isAlive(uid))) living.push(browser);
    else await forgetBrowser(tools.db, browser.sessionHash);
  }
  return living;
}

async function endBrowser(tools: AccountTools, browser: SignedInBrowser): Promise<void> {
  const uid = sessionUidOf(tools.keys, browser);
  if (uid) await tools.revokeSession(tools.db, uid, tools.clock());
  await forgetBrowser(tools.db, browser.sessionHash);
}

async function currentHash({ engineSessions }: AccountTools, ctx: Context): Promise<string | undefined> {
  const uid = await engineSessions.currentUid(ctx);
  return uid && sha256(uid);
}
