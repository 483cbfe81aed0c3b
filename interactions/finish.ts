// What follows from a proof, and the end of every sign-in: the account, the links that were asked for, the flow's last mark,
// the browser remembered, the answer to the engine. The account comes from the proof, never from a form (threat 41).
import type { Context } from 'koa';
import { type Account, createAccount, findAccount } from '../src/accounts/account.ts';
import { claimAccount } from '../src/accounts/ownership.ts';
import { findProof, openAccount, type Proof } from '../src/accounts/proof.ts';
import { dropProof, type Flow, findFlowOf, finishFlow } from '../src/accounts/sign-in-flow.ts';
import { linkSocialIdentity } from '../src/accounts/social-identity.ts';
import { deleteConsents } from '../src/applications/customers-of-account.ts';
import { type Database, transaction } from '../src/database/connection.ts';
import { seeOther } from '../src/http/redirect.ts';
import { redirectTo } from './flash.ts';
import { rememberThisDevice } from './known-device-cookie.ts';
import { accountClaimedMail, socialLinkedMail } from './mail-texts.ts';
import { hasRoom, showNoRoom } from './test-mode.tsx';
import { type Dependencies, note, placeOf, type Visit } from './visit.ts';

/** The code was right (or had been, a moment ago). */
export async function proceed(deps: Dependencies, ctx: Context, visit: Visit, proof: Proof): Promise<void> {
  const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
  if (!proof.isNewAccount)
    return proof.purpose === 'recovery'
      ? seeOther(ctx, visit.path('new-password'))
      : signIn(deps, ctx, visit, proof);
  if (flow?.kind !== 'register' || !flow.name) return seeOther(ctx, visit.path('welcome'));
  const { name, passwordHash } = flow;
  await finishWithNewAccount(deps, ctx, visit, proof, { name, passwordHash });
}

type Typed = { name: string; passwordHash: string | null };

/** Of a mailbox that nobody had when it was proven, by a code or by a provider's word. */
export async function finishWithNewAccount(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  proof: Proof,
  typed: Typed,
): Promise<void> {
  const { uid } = visit.interaction;
  const account = await transaction(deps.db, async (tx) => {
    const now = deps.clock();
    const flow = await findFlowOf(tx, placeOf(deps, ctx, visit));
    const created = await createAccount(tx, { proof, ...typed, locale: visit.language, now });
    if (!created) return undefined;
    await link(deps, tx, visit, { account: created, proof, flow, isNew: true });
    await finishFlow(tx, uid, now);
    return created;
  });
  if (account) return answer(deps, ctx, visit, { account, proof });
  // Somebody registered the address meanwhile. A provider's word can still be linked to that account, by its owner.
  if (proof.method === 'provider') return seeOther(ctx, visit.path('social-proof'));
  await turnBack(deps, ctx, visit);
}

export async function signIn(deps: Dependencies, ctx: Context, visit: Visit, proof: Proof): Promise<void> {
  const { uid } = visit.interaction;
  const account = await transaction(deps.db, async (tx) => {
    const opened = await openAccount(tx, { proofId: proof.id, clock: deps.clock });
    if (!opened) return undefined;
    const flow = await findFlowOf(tx, placeOf(deps, ctx, visit));
    const isClaimed = await claim(deps, tx, visit, { account: opened, proof });
    if (isClaimed) {
      const raise = {
        accountId: opened.id,
        proofId: proof.id,
        endsCodes: true,
        exceptUid: uid,
        now: deps.clock(),
      };
      await deps.revokeAccount(tx, raise);
    }
    await link(deps, tx, visit, { account: opened, proof, flow, isNew: false });
    await finishFlow(tx, uid, deps.clock());
    return isClaimed ? findAccount(tx, opened.id) : opened;
  });
  if (!account) return turnBack(deps, ctx, visit);
  await answer(deps, ctx, visit, { account, proof });
}

/** What was proven is worth nothing any more: the person proves it again. */
async function turnBack(deps: Dependencies, ctx: Context, visit: Visit): Promise<void> {
  await dropProof(deps.db, visit.interaction.uid);
  redirectTo(ctx, deps, visit, 'sign-in', { notice: 'signInOver' });
}

async function answer(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  { account, proof }: { account: Account; proof: Proof },
): Promise<void> {
  rememberThisDevice(deps, ctx, account);
  if (!(await hasRoom(deps, visit, account))) return showNoRoom(deps, ctx, visit);
  await deps.exit.signIn(ctx, visit.interaction.uid, { accountId: account.id, proof });
  note(deps, visit, stepOf[proof.method]);
}

const stepOf = {
  code: 'signed_in_by_code',
  mail_link: 'signed_in_by_code',
  import: 'signed_in_by_code',
  password: 'signed_in_by_password',
  provider: 'signed_in_by_provider',
  passkey: 'signed_in_by_passkey',
} as const;

/**
 * The owner of an address has proven it with a code of ours. If that is the first time, since a provider's word made the
 * account, whoever was there before goes, with everything they left (threat 40). The caller raises the generation.
 * @returns whether it was the first time.
 */
export async function claim(
  deps: Dependencies,
  tx: Database,
  visit: Visit,
  { account, proof }: { account: Account; proof: Proof },
): Promise<boolean> {
  if (account.vouchedBy === null) return false;
  const isFirst = await claimAccount(tx, { account, proof, now: deps.clock() });
  if (!isFirst) return false;
  await deleteConsents(tx, account.id);
  await deps.mailer.queue(
    tx,
    accountClaimedMail(visit, account.email, providerName(deps, account.vouchedBy)),
  );
  return true;
}

type Linking = { account: Account; proof: Proof; flow: Flow | undefined; isNew: boolean };

/**
 * A new account keeps the identity that vouched for it. Any other identity is linked because its owner asked for a code for
 * just that (social-proof.tsx) and typed it; an account that existed before is told.
 */
async function link(
  deps: Dependencies,
  tx: Database,
  visit: Visit,
  { account, proof, flow, isNew }: Linking,
): Promise<void> {
  const asked = proof.method === 'code' && flow?.proofId === proof.id ? flow.linkProofId : null;
  const proofId = isNew && proof.method === 'provider' ? proof.id : asked;
  if (!proofId) return;
  const isLinked = await linkSocialIdentity(tx, { proofId, ownerProofId: proof.id, now: deps.clock() });
  if (!isLinked || proof.method === 'provider') return;
  const word = await findProof(tx, proofId, undefined);
  await deps.mailer.queue(tx, socialLinkedMail(visit, account.email, providerName(deps, word?.provider)));
}

function providerName(deps: Pick<Dependencies, 'social'>, id: string | null | undefined): string {
  return deps.social.find((provider) => provider.id === id)?.name ?? id ?? '';
}
