// Changing the address: the new one is proven by a code first, the old one is told, with a link that undoes it. A taken
// address gets the same answers as a free one; its owner gets a mail that says so.
import type { Context } from 'koa';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { parseEmailAddress } from '../../src/accounts/email-address.ts';
import {
  applyEmailChange,
  checkEmailChange,
  findPendingChange,
  startEmailChange,
} from '../../src/accounts/email-change.ts';
import { type EmailChange, endPendingChanges } from '../../src/accounts/email-return.ts';
import { isUniqueViolation } from '../../src/database/sql-state.ts';
import { isCode, tooManyRequests } from '../../src/errors.ts';
import { ipAddressKey } from '../../src/http/rate-limit.ts';
import { renderPage } from '../../src/page/document.tsx';
import { stayKnown } from '../known-device-cookie.ts';
import { known } from '../languages.ts';
import { changedMails, codeMail, takenMail } from './email-address-mail.ts';
import { CODE, CodePage, EMAIL_ADDRESS, EmailAddressPage } from './email-address-pages.tsx';
import { returnUrl } from './email-address-return.tsx';
import { redirectTo } from './flash.ts';
import type { AccountDependencies, AccountRoute, AccountVisit } from './visit.ts';

export function createEmailAddressRoutes(deps: AccountDependencies): AccountRoute[] {
  return [
    {
      method: 'GET',
      path: EMAIL_ADDRESS,
      fresh: 'address',
      async handle(ctx, visit) {
        ctx.body = renderPage(<EmailAddressPage visit={visit} />);
      },
    },
    {
      method: 'POST',
      path: EMAIL_ADDRESS,
      fresh: 'address',
      async handle(ctx, visit, { email: typed = '' }) {
        const { id, email } = visit.account;
        const newEmail = parseEmailAddress(typed);
        const problem = newEmail === email ? 'sameAddress' : 'invalidEmail';
        if (!newEmail || newEmail === email)
          return redirectTo(ctx, deps, id, EMAIL_ADDRESS, { problem, typed: { email: typed } });
        await start(deps, visit, newEmail);
        redirectTo(ctx, deps, id, CODE);
      },
    },
    {
      method: 'GET',
      path: CODE,
      async handle(ctx, visit) {
        const now = deps.clock();
        const change = await findPendingChange(deps.db, { accountId: visit.account.id, now });
        if (!change) return redirectTo(ctx, deps, visit.account.id, EMAIL_ADDRESS, { problem: 'changeOver' });
        ctx.body = renderPage(<CodePage visit={visit} change={change} now={now} />);
      },
    },
    {
      // The sign-in was fresh when the code was asked for, and the code is the proof now.
      method: 'POST',
      path: CODE,
      handle: (ctx, visit, { code = '' }) => confirm(deps, ctx, visit, code),
    },
  ];
}

async function start(deps: AccountDependencies, visit: AccountVisit, newEmail: string): Promise<void> {
  const { keys, mailer, rateLimiter, clock } = deps;
  const { account, language } = visit;
  await rateLimiter.consume('code_requests', ipAddressKey(visit.ipAddress));
  const change = { key: keys.oneTimeCode, accountId: account.id, newEmail, now: clock() };
  const started = await visit.change(async (tx) => {
    const result = await startEmailChange(tx, change);
    if (result.result !== 'mail') return result;
    const { code, expiresAt } = result;
    const owner = await findAccountByEmail(tx, newEmail);
    const mail = code
      ? codeMail(language, { to: newEmail, email: account.email, code, expiresAt, request: visit.request })
      : takenMail(known(owner?.locale) ?? language, { to: newEmail, expiresAt });
    await mailer.queue(tx, mail);
    return result;
  });
  if (started.result === 'later') throw tooManyRequests(started.retryAfterSeconds * 1000, 'code mails');
}

async function confirm(
  deps: AccountDependencies,
  ctx: Context,
  visit: AccountVisit,
  typed: string,
): Promise<void> {
  const accountId = visit.account.id;
  const { keys, clock } = deps;
  const checked = await checkEmailChange(deps.db, { key: keys.oneTimeCode, accountId, typed, clock });
  if (checked.result === 'locked') throw tooManyRequests(checked.retryAfterSeconds * 1000, 'wrong codes');
  if (checked.result === 'expired')
    return redirectTo(ctx, deps, accountId, EMAIL_ADDRESS, { problem: 'changeOver' });
  // The page itself says how many attempts are left.
  if (checked.result !== 'right') return redirectTo(ctx, deps, accountId, CODE, { typed: { wrong: 'yes' } });
  if (await apply(deps, visit, checked)) {
    await stayKnown(deps, ctx, accountId);
    return redirectTo(ctx, deps, accountId, '', { done: 'address' });
  }
  await visit.change((tx) => endPendingChanges(tx, { accountId, now: clock() }));
  redirectTo(ctx, deps, accountId, EMAIL_ADDRESS, { problem: 'addressTaken' });
}

/** @returns false when somebody else has the address by now: only who has proven it learns that. */
async function apply(
  deps: AccountDependencies,
  visit: AccountVisit,
  { change, provenAt }: { change: EmailChange; provenAt: Date },
): Promise<boolean> {
  const { account, session, place } = visit;
  const now = deps.clock();
  try {
    await visit.change(async (tx) => {
      const { cancelToken } = await applyEmailChange(tx, { change, place, provenAt, now });
      // A code to the old address was a way in, and is none any more.
      const raise = { accountId: account.id, keepSession: session.sessionHash, now };
      await deps.revokeAccount(tx, raise);
      const told = { undo: cancelToken && returnUrl(deps, cancelToken), request: visit.request };
      for (const mail of changedMails(visit.language, change, told)) await deps.mailer.queue(tx, mail);
    });
    return true;
  } catch (error) {
    if (isUniqueViolation(error) || isCode(error, 'conflict')) return false;
    throw error;
  }
}
