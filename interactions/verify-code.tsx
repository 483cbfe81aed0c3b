// The page for the code from the mail, shared by sign-in, registration and recovery, and what follows from a right
// one. Only here, to the proven owner of an address, does the service say whether an account exists.
import type { Context } from 'koa';
import { type Flow, findFlowOf } from '../src/accounts/flow.ts';
import { checkCode } from '../src/accounts/one-time-code.ts';
import { findProof, type Proof } from '../src/accounts/proof.ts';
import { tooManyRequests } from '../src/errors.ts';
import type { FormFields } from '../src/http/form.ts';
import { seeOther } from '../src/http/redirect.ts';
import { oneTimeCodeAttempts, oneTimeCodeDigits, oneTimeCodeResendSeconds } from '../src/limits/protocol.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { CodeField } from '../src/page/field.tsx';
import { Notice } from '../src/page/notice.tsx';
import { proceed } from './finish.ts';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { nameOfDevice } from './known-device-cookie.ts';
import { duration } from './languages.ts';
import { hasLiveCode, resendCode } from './send-code.ts';
import { note, placeOf, type Step, type Dependencies, type Visit } from './visit.ts';

const noticeOf = { wrong: 'codeWrong', expired: 'codeExpired', used_up: 'codeUsedUp' } as const;
const reasonOf = { wrong: 'wrong_code', expired: 'late_code', used_up: 'spent_code' } as const;

export function createVerifyCode(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const proof = await proofOf(deps, ctx, visit, flow);
      if (proof) return seeOther(ctx, visit.path(nextStep(proof)));
      if (!flow?.codeSentAt) return seeOther(ctx, visit.path(firstStep(flow)));
      ctx.body = renderPage(<CodePage visit={visit} flow={flow} now={deps.clock()} />);
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
        throw tooManyRequests(outcome.retryAfterSeconds * 1000, 'wrong codes');
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
      await resendCode(deps, ctx, visit, flow);
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

function firstStep(flow: Flow | undefined): Step {
  if (flow?.kind === 'register') return 'register';
  return flow?.kind === 'recover' ? 'recover' : 'sign-in';
}

function CodePage({ visit, flow, now }: { visit: Visit; flow: Flow; now: Date }) {
  const { texts, flash, language } = visit;
  const isLive = hasLiveCode(flow, now);
  const secondsLeft = ((flow.codeExpiresAt?.getTime() ?? 0) - now.getTime()) / 1000;
  const left = oneTimeCodeAttempts - flow.codeAttempts;
  const wrong = flash.notice === 'codeWrong' && `${texts.code.wrong} ${texts.code.attemptsLeft(left)}`;
  return (
    <Frame
      visit={visit}
      heading={texts.code.heading}
      lead={
        <>
          {texts.code.lead} <strong>{flow.email}</strong>
        </>
      }
    >
      {flash.notice === 'codeSent' && isLive && <Notice kind="success">{texts.code.sent}</Notice>}
      {!isLive && <Notice kind="problem">{deadCodeText(visit, flow, secondsLeft)}</Notice>}
      <div class="stack">
        {isLive && (
          <Form action={visit.path('code')} token={visit.token('code')}>
            <CodeField
              name="code"
              label={texts.code.label}
              digits={oneTimeCodeDigits}
              problem={wrong || undefined}
              hint={texts.code.validFor(duration(language, secondsLeft))}
              required
              focused
            />
            <Button>{texts.shared.continue}</Button>
          </Form>
        )}
        <Resend visit={visit} flow={flow} now={now} isLive={isLive} />
      </div>
    </Frame>
  );
}

function deadCodeText({ texts }: Visit, flow: Flow, secondsLeft: number): string {
  const isUsedUp = secondsLeft > 0 && flow.codeAttempts >= oneTimeCodeAttempts;
  return isUsedUp ? texts.code.usedUp : texts.code.expired;
}

function Resend({ visit, flow, now, isLive }: { visit: Visit; flow: Flow; now: Date; isLive: boolean }) {
  const { texts, language } = visit;
  const sinceSent = (now.getTime() - (flow.codeSentAt?.getTime() ?? 0)) / 1000;
  const waits = oneTimeCodeResendSeconds - sinceSent;
  return (
    <div class="stack-tight">
      {isLive && (
        <p class="fine">
          {texts.code.notArrived}
          {waits > 0 && ` ${texts.code.resendIn(duration(language, waits))}`}
        </p>
      )}
      <div class="row pull">
        <Form action={visit.path('resend')} token={visit.token('resend')}>
          <Button kind={isLive ? 'quiet' : 'primary'}>{texts.code.resend}</Button>
        </Form>
        <a class="button button-quiet" href={visit.path(firstStep(flow))}>
          {texts.code.otherAddress}
        </a>
      </div>
    </div>
  );
}
