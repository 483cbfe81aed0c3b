// Starting a sign-in, registration or recovery: the flow, its code and the mail in one transaction, so that either
// all three exist or none. Nothing here asks whether the address has an account.
import type { Context } from 'koa';
import { issueCode } from '../src/accounts/one-time-code.ts';
import { findProof } from '../src/accounts/proof.ts';
import { type Flow, type FlowKind, startFlow } from '../src/accounts/sign-in-flow.ts';
import { transaction } from '../src/database/connection.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { hasLiveCode, stayOnCodePage } from './code-page.tsx';
import { proceed } from './finish.ts';
import { nameOfDevice } from './known-device-cookie.ts';
import { codeMail } from './mail-texts.ts';
import { mayMail } from './test-mode.tsx';
import { type Dependencies, note, placeOf, type Visit } from './visit.ts';

export type Start = {
  kind: FlowKind;
  /** As parseEmailAddress spells it. */
  email: string;
  name?: string | undefined;
  passwordHash?: string | undefined;
  /** The provider's word that the code is to link. */
  linkProofId?: string | undefined;
};

/** Leads to the page for the code; when no mail may go and no code is live, that page says for how long, and what else helps. */
export async function sendCode(deps: Dependencies, ctx: Context, visit: Visit, start: Start): Promise<void> {
  await deps.rateLimiter.consume('code_requests', ipAddressKey(ctx.state.ipAddress));
  const now = deps.clock();
  const { flow, mailed, waitSeconds } = await transaction(deps.db, async (tx) => {
    const flow = await startFlow(tx, {
      place: placeOf(deps, ctx, visit),
      applicationId: visit.application.id,
      ...start,
      now,
    });
    if (flow.proofId) return { flow };
    const { mailed, waitSeconds: wait } = await issueAndMail(deps, tx, ctx, visit, flow);
    // A double click, or back and forth within a minute: the code that was sent is still the one to type.
    return { flow, mailed, waitSeconds: hasLiveCode(flow, now) ? undefined : wait };
  });
  if (waitSeconds !== undefined) return noMailYet(deps, ctx, visit, flow, waitSeconds);
  // Back and forth after the code was right: this browser has proven the address for this already.
  const proof = flow.proofId ? await findProof(deps.db, flow.proofId, placeOf(deps, ctx, visit)) : undefined;
  if (proof) return proceed(deps, ctx, visit, proof);
  if (mailed) noteMail(deps, visit, mailed);
  seeOther(ctx, visit.path('code'));
}

/** @returns false within the cool-down: then the page has been shown, with the time left. */
export async function resendCode(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  flow: Flow,
): Promise<boolean> {
  await deps.rateLimiter.consume('code_requests', ipAddressKey(ctx.state.ipAddress));
  const issued = await transaction(deps.db, (tx) => issueAndMail(deps, tx, ctx, visit, flow));
  if (issued.mailed) noteMail(deps, visit, issued.mailed);
  else noMailYet(deps, ctx, visit, flow, issued.waitSeconds);
  return issued.mailed !== undefined;
}

function noMailYet(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  flow: Flow,
  retryAfterSeconds: number,
): void {
  note(deps, visit, 'code_not_mailed', 'too_many_mails');
  stayOnCodePage(ctx, { visit, flow, now: deps.clock(), refused: 'unsent', retryAfterSeconds });
}

/** Only the company's own trace tells the two apart. */
function noteMail(deps: Dependencies, visit: Visit, mailed: Mailed): void {
  if (mailed === 'sent') note(deps, visit, 'code_mailed');
  else note(deps, visit, 'code_not_mailed', 'not_a_test_address');
}

type Mailed = 'sent' | 'withheld';
type Issued = { mailed: Mailed; waitSeconds?: undefined } | { mailed?: undefined; waitSeconds: number };

/** @returns the seconds to wait when no mail may be sent yet. */
async function issueAndMail(
  deps: Dependencies,
  tx: Dependencies['db'],
  ctx: Context,
  visit: Visit,
  flow: Flow,
): Promise<Issued> {
  const { keys, mailer } = deps;
  const { email } = flow;
  const issued = await issueCode(tx, {
    key: keys.oneTimeCode,
    uid: visit.interaction.uid,
    email,
    nameOfDevice: nameOfDevice(deps, ctx),
    now: deps.clock(),
  });
  if (!issued.sent) return { waitSeconds: issued.retryAfterSeconds };
  const isWithheld = !(await mayMail(deps, tx, visit, email));
  await mailer.queue(tx, { ...codeMail(visit, flow, issued), isWithheld });
  return { mailed: isWithheld ? 'withheld' : 'sent' };
}
