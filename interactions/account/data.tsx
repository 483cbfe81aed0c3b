// The person's data in their own hands: a copy of everything as a file, and the end of the account, at once and for good.

import { parseEmailAddress } from '../../src/accounts/email-address.ts';
import { listCustomersOfAccount } from '../../src/applications/customers-of-account.ts';
import { listWorkspacesToHandOver } from '../../src/applications/membership.ts';
import { transaction } from '../../src/database/connection.ts';
import { seeOther } from '../../src/http/redirect.ts';
import { renderPage } from '../../src/page/document.tsx';
import { DATA, DataPage, DELETION, DeletionPage, DOWNLOAD } from './data-pages.tsx';
import { DELETED } from './entry.tsx';
import { redirectTo } from './flash.ts';
import { noticeMail } from './notices.ts';
import { copyOfPerson, endPerson } from './person.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

export function createDataRoutes(deps: AccountDependencies): AccountRoute[] {
  const { db } = deps;
  return [
    {
      method: 'GET',
      path: DATA,
      fresh: 'data',
      async handle(ctx, visit) {
        ctx.body = renderPage(<DataPage visit={visit} />);
      },
    },
    {
      // A form, so that no other site can begin the download.
      method: 'POST',
      path: DOWNLOAD,
      fresh: 'data',
      async handle(ctx, { account }) {
        await deps.browsers.flush();
        const copy = await copyOfPerson(db, account);
        ctx.type = 'application/json; charset=utf-8';
        ctx.set('Cache-Control', 'no-store');
        ctx.attachment('my-data.json');
        ctx.body = `${JSON.stringify(copy, null, 2)}\n`;
      },
    },
    {
      method: 'GET',
      path: DELETION,
      fresh: 'deletion',
      async handle(ctx, visit) {
        const applications = await listCustomersOfAccount(db, visit.account.id);
        const workspaces = await transaction(db, (tx) => listWorkspacesToHandOver(tx, visit.account.id));
        ctx.body = renderPage(<DeletionPage {...{ visit, applications, workspaces }} />);
      },
    },
    {
      method: 'POST',
      path: DELETION,
      fresh: 'deletion',
      async handle(ctx, visit, { email = '' }) {
        const { account } = visit;
        if (parseEmailAddress(email) !== account.email)
          return redirectTo(ctx, deps, account.id, DELETION, {
            problem: 'deletionAddress',
            typed: { email },
          });
        if (!(await end(deps, visit)))
          return redirectTo(ctx, deps, account.id, DELETION, { problem: 'deletionOwner' });
        deps.sessions.forget(ctx);
        seeOther(ctx, accountPath(DELETED));
      },
    },
  ];
}

/** All of it or nothing; false while a company still depends on this person. */
async function end(deps: AccountDependencies, visit: AccountVisit): Promise<boolean> {
  const { account, ipAddress } = visit;
  return visit.change(async (tx) => {
    if ((await listWorkspacesToHandOver(tx, account.id)).length > 0) return false;
    await endPerson(tx, {
      account,
      by: { action: 'member.left', accountId: account.id, ipAddress },
      now: deps.clock(),
    });
    await deps.mailer.queue(tx, noticeMail(visit, 'accountDeleted'));
    return true;
  });
}
