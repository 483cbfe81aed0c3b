// What follows from a proven address, and the end of every sign-in: the account, the flow's last mark, the browser
// remembered, the answer to the engine. The account comes from what was proven, never from a form (attack 41).
import type { Context } from 'koa';
import { type Account, createAccount, findAccountByEmail } from '../src/accounts/account.ts';
import { type Flow, finishFlow } from '../src/accounts/flow.ts';
import { transaction } from '../src/database.ts';
import { rememberThisDevice } from './known-device-cookie.ts';
import { seeOther, type Tools, type Visit } from './visit.ts';

/** The code was right (or had been, a moment ago). */
export async function proceed(tools: Tools, ctx: Context, visit: Visit, flow: Flow): Promise<void> {
  if (flow.kind === 'register') return finishWithNewAccount(tools, ctx, visit, { ...flow });
  const account = await findAccountByEmail(tools.db, flow.email);
  if (!account) return seeOther(ctx, visit.path('welcome'));
  if (flow.kind === 'recover') return seeOther(ctx, visit.path('new-password'));
  await transaction(tools.db, (tx) => finishFlow(tx, visit.interaction.uid, tools.clock()));
  await finish(tools, ctx, visit, { account, amr: 'otp' });
}

/** Whoever registers with an address that has an account, and has proven it, is signed in to that account. */
export async function finishWithNewAccount(
  tools: Tools,
  ctx: Context,
  visit: Visit,
  typed: { email: string; name: string | null; passwordHash: string | null },
): Promise<void> {
  const { email, name, passwordHash } = typed;
  const account = await transaction(tools.db, async (tx) => {
    const now = tools.clock();
    const created = await createAccount(tx, { email, name, passwordHash, locale: visit.language, now });
    await finishFlow(tx, visit.interaction.uid, now);
    return created;
  });
  await finish(tools, ctx, visit, { account, amr: 'otp' });
}

export async function finish(
  tools: Tools,
  ctx: Context,
  visit: Visit,
  { account, amr }: { account: Account; amr: 'otp' | 'pwd' },
): Promise<void> {
  rememberThisDevice(tools, ctx, account.id);
  await tools.exit.signIn(ctx, visit.interaction.uid, { accountId: account.id, amr });
}
