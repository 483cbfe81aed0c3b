// The form for the code from the mail, shared by sign-in, registration and recovery, and what follows from a right one
// (its page is in code-page.tsx). Only here, to the proven owner of an address, does the service say whether an account exists.
import type { Context } from 'koa';
import { checkCode } from '../src/accounts/one-time-code.ts';
import { findProof, type Proof } from '../src/accounts/proof.ts';
import { type Flow, findFlowOf } from '../src/accounts/sign-in-flow.ts';
import type { FormFields } from '../src/http/form.ts';
import { seeOther } from '../src/http/redirect.ts';
import { firstStep, showCodePage, stayOnCodePage } from './code-page.tsx';
import { proceed } from './finish.ts';
import { redirectTo } from './flash.ts';
import { nameOfDevice } from './known-device-cookie.ts';
import { resendCode } from './send-code.ts';
import { type Dependencies, note, placeOf, type Step, type Visit } from './visit.ts';

const noticeOf = { wrong: 'codeWrong', expired: 'codeExpired', used_up: 'codeUsedUp' } as const;
const reasonOf = { wrong: 'wrong_code', expired: 'late_code', used_up: 'spent_code' } as const;

export function createVerifyCode(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const proof = await proofOf(deps, ctx, visit, flow);
      if (proof) return seeOther(ctx, visit.path(nextStep(proof)));
      if (!flow?.codeSentAt) return seeOther(ctx, visit.path(firstStep(flow)));
      showCodePage(ctx, { visit, flow, now: deps.clock() });
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      if (!flow) return seeOther(ctx, visit.path('sign-in'));
      // A second click on the button, or back from the next page: this browser has proven the address already.
      const proof = await proofOf(deps, ctx, visit, flow);
      if (proof) return proceed(deps, ctx, visit, proof);
      const outcome = await checkCode(deps.db, {
        key: deps.keys.oneTimeCode,
        place: placeOf(deps, ctx, visit),
        typed: fields.code ?? '',
        nameOfDevice: nameOfDevice(deps, ctx),
        clock: deps.clock,
      });
      if (outcome.result === 'right') return proceed(deps, ctx, visit, outcome.proof);
      if (outcome.result === 'locked') {
        note(deps, visit, 'code_refused', 'too_many_codes');
        const { retryAfterSeconds } = outcome;
        return stayOnCodePage(ctx, { visit, flow, now: deps.clock(), refused: 'locked', retryAfterSeconds });
      }
      const ofOtherClick = await proofOf(
        deps,
        ctx,
        visit,
        await findFlowOf(deps.db, placeOf(deps, ctx, visit)),
      );
      if (ofOtherClick) return proceed(deps, ctx, visit, ofOtherClick);
      note(deps, visit, 'code_refused', reasonOf[outcome.result]);
      redirectTo(ctx, deps, visit, 'code', { notice: noticeOf[outcome.result] });
    },

    async resend(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      if (!flow || flow.proofId) return seeOther(ctx, visit.path(flow ? 'code' : 'sign-in'));
      if (await resendCode(deps, ctx, visit, flow))
        redirectTo(ctx, deps, visit, 'code', { notice: 'codeSent' });
    },
  };
}

/** What this browser has proven in this flow, if it has. */
export async function proofOf(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  flow: Flow | undefined,
): Promise<Proof | undefined> {
  return flow?.proofId ? findProof(deps.db, flow.proofId, placeOf(deps, ctx, visit)) : undefined;
}

function nextStep(proof: Proof): Step {
  if (proof.isNewAccount) return 'welcome';
  return proof.purpose === 'recovery' ? 'new-password' : 'sign-in';
}
