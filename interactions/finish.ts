// What follows from a proven address, and the end of every sign-in: the account, the flow's last mark, the browser
// remembered, the answer to the engine. The account comes from what was proven, never from a form (attack 41).
import type { Context } from 'koa';
import { type Account, createAccount, findAccountByEmail } from '../src/accounts/account.ts';
import { type Flow, finishFlow } from '../src/accounts/flow.ts';
import { claimAccount } from '../src/accounts/ownership.ts';
import { linkSocialIdentity } from '../src/accounts/social-identity.ts';
import { findWaiting, stopWaiting } from '../src/accounts/social-trip.ts';
import { deleteConsents } from '../src/applications/customerships.ts';
import { type Database, transaction } from '../src/database.ts';
import type { Amr } from './exit.ts';
import { rememberThisDevice } from './known-device-cookie.ts';
import { accountClaimedMail, socialLinkedMail } from './mail-texts.tsx';
import { note, seeOther, type Tools, type Visit } from './visit.ts';

/** The code was right (or had been, a moment ago). */
export async function proceed(tools: Tools, ctx: Context, visit: Visit, flow: Flow): Promise<void> {
  if (flow.kind === 'register') return finishWithNewAccount(tools, ctx, visit, { ...flow });
  const account = await findAccountByEmail(tools.db, flow.email);
  if (!account) return seeOther(ctx, visit.path('welcome'));
  if (flow.kind === 'recover') return seeOther(ctx, visit.path('new-password'));
  await transaction(tools.db, (tx) => finishFlow(tx, visit.interaction.uid, tools.clock()));
  await finish(tools, ctx, visit, { account, amr: 'otp' });
}

/**
 * Whoever registers with an address that has an account, and has proven it, is signed in to that account. A social
 * provider's word is no such proof: it only ever makes a new account.
 */
export async function finishWithNewAccount(
  tools: Tools,
  ctx: Context,
  visit: Visit,
  typed: { email: string; name: string | null; passwordHash: string | null },
  amr: 'otp' | 'fed' = 'otp',
): Promise<void> {
  const { email, name, passwordHash } = typed;
  const account = await transaction(tools.db, async (tx) => {
    const now = tools.clock();
    const vouchedBy = amr === 'fed' ? (await findWaiting(tx, visit.interaction.uid))?.provider : null;
    const person = { email, name, passwordHash, vouchedBy, locale: visit.language, now };
    const created = await createAccount(tx, person);
    const isNew = created.createdAt.getTime() === now.getTime();
    if (amr === 'fed' && !isNew) return undefined;
    await finishFlow(tx, visit.interaction.uid, now);
    return created;
  });
  if (!account) return seeOther(ctx, visit.path('social-proof'));
  await finish(tools, ctx, visit, { account, amr });
}

export async function finish(
  tools: Tools,
  ctx: Context,
  visit: Visit,
  { account, amr }: { account: Account; amr: Amr },
): Promise<void> {
  if (amr !== 'pwd')
    await transaction(tools.db, async (tx) => {
      if (amr === 'otp') await claim(tools, tx, visit, account);
      await linkWaitingIdentity(tools, tx, visit, { account, amr });
    });
  rememberThisDevice(tools, ctx, account.id);
  await tools.exit.signIn(ctx, visit.interaction.uid, { accountId: account.id, amr });
  note(tools, visit, stepOf[amr]);
}

const stepOf = {
  otp: 'signed_in_by_code',
  pwd: 'signed_in_by_password',
  fed: 'signed_in_by_provider',
  pop: 'signed_in_by_passkey',
} as const;

/**
 * The owner of an address has proven it with a code of ours. If that is the first time, since a provider's word made the
 * account, whoever was there before goes, with everything they left (attack 40).
 */
export async function claim(tools: Tools, tx: Database, visit: Visit, account: Account): Promise<void> {
  if (account.vouchedBy === null) return;
  const isFirst = await claimAccount(tx, { account, uid: visit.interaction.uid, now: tools.clock() });
  if (!isFirst) return;
  await deleteConsents(tx, account.id);
  await tools.revokeAccountSessions(tx, account.id);
  const provider = tools.social.find(({ id }) => id === account.vouchedBy)?.name ?? account.vouchedBy;
  await tools.mailer.queue(tx, accountClaimedMail(visit, account.email, provider));
}

/**
 * The identity that came back from a social provider in this interaction belongs to the account that was proven in it,
 * if that is the account of its address. An account that existed before is told.
 */
async function linkWaitingIdentity(
  tools: Tools,
  tx: Database,
  visit: Visit,
  { account, amr }: { account: Account; amr: Amr },
): Promise<void> {
  const { uid } = visit.interaction;
  const waiting = await findWaiting(tx, uid);
  if (!waiting || waiting.email !== account.email) return;
  const isLinked = await linkSocialIdentity(tx, { ...waiting, accountId: account.id, now: tools.clock() });
  await stopWaiting(tx, uid);
  if (!isLinked || amr === 'fed') return;
  const provider = tools.social.find(({ id }) => id === waiting.provider)?.name ?? waiting.provider;
  await tools.mailer.queue(tx, socialLinkedMail(visit, account.email, provider));
}
