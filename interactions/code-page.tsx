// The page for the code from the mail. A person who has to wait stays on it: with the time left, counted down where
// scripts run, and with what else they can do meanwhile.
import type { Context } from 'koa';
import type { Flow } from '../src/accounts/sign-in-flow.ts';
import {
  oneTimeCodeAttempts,
  oneTimeCodeDigits,
  oneTimeCodeResendSeconds,
} from '../src/limits/credentials.ts';
import { Button, ButtonLink, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { CodeField } from '../src/page/field.tsx';
import { Notice } from '../src/page/notice.tsx';
import { Frame } from './frame.tsx';
import { duration } from './languages.ts';
import type { Step, Visit } from './visit.ts';

type Shown = {
  visit: Visit;
  flow: Flow;
  now: Date;
  /** Why the last answer was refused: no mail may go yet, or no code of this address is compared. */
  refused?: 'unsent' | 'locked';
  retryAfterSeconds?: number;
};

export function showCodePage(ctx: Context, shown: Shown): void {
  ctx.state.cspScript = true;
  ctx.type = 'html';
  ctx.body = renderPage(<CodePage {...shown} />);
}

/** 429 as a page of the flow, not as its end (RFC 6585 §4). */
export function stayOnCodePage(ctx: Context, shown: Required<Shown>): void {
  ctx.status = 429;
  ctx.set('Retry-After', String(Math.ceil(shown.retryAfterSeconds)));
  ctx.state.refusal = shown.refused;
  // The language switch leads back to a page that can be opened.
  showCodePage(ctx, { ...shown, visit: { ...shown.visit, step: 'code' } });
}

export function hasLiveCode(flow: Flow, now: Date): boolean {
  return (
    flow.codeHash !== null &&
    flow.codeExpiresAt !== null &&
    flow.codeExpiresAt > now &&
    flow.codeAttempts < oneTimeCodeAttempts
  );
}

export function firstStep(flow: Flow | undefined): Step {
  if (flow?.kind === 'register') return 'register';
  return flow?.kind === 'recover' ? 'recover' : 'sign-in';
}

function CodePage(shown: Shown) {
  const { visit, flow, now, refused } = shown;
  const { texts, flash } = visit;
  const takesCode = hasLiveCode(flow, now) && refused !== 'locked';
  const wasSent = flow.codeSentAt !== null;
  return (
    <Frame
      visit={visit}
      heading={wasSent ? texts.code.heading : texts.errors.tooManyHeading}
      lead={
        <>
          {wasSent ? texts.code.lead : texts.code.noneSent} <strong>{flow.email}</strong>
        </>
      }
      scripts={['countdown']}
    >
      {flash.notice === 'codeSent' && takesCode && <Notice kind="success">{texts.code.sent}</Notice>}
      {wasSent && !takesCode && <Notice kind="problem">{deadCodeText(shown)}</Notice>}
      <div class="stack">
        {takesCode && <CodeForm {...shown} />}
        <Further {...shown} takesCode={takesCode} />
      </div>
    </Frame>
  );
}

function CodeForm({ visit, flow, now }: Shown) {
  const { texts, flash, language } = visit;
  const left = oneTimeCodeAttempts - flow.codeAttempts;
  const wrong = flash.notice === 'codeWrong' && `${texts.code.wrong} ${texts.code.attemptsLeft(left)}`;
  return (
    <Form action={visit.path('code')} token={visit.token('code')}>
      <CodeField
        name="code"
        label={texts.code.label}
        digits={oneTimeCodeDigits}
        problem={wrong || undefined}
        hint={texts.code.validFor(duration(language, secondsLeft(flow, now)))}
        required
        focused
      />
      <Button>{texts.shared.continue}</Button>
    </Form>
  );
}

function deadCodeText({ visit, flow, now, refused, retryAfterSeconds = 0 }: Shown): string {
  const { code } = visit.texts;
  if (refused === 'locked') return code.locked(duration(visit.language, retryAfterSeconds));
  const isUsedUp = secondsLeft(flow, now) > 0 && flow.codeAttempts >= oneTimeCodeAttempts;
  return isUsedUp ? code.usedUp : code.expired;
}

function Further(shown: Shown & { takesCode: boolean }) {
  const { visit, flow, refused, takesCode } = shown;
  const { texts } = visit;
  const waits = Math.ceil(secondsToWait(shown));
  const isStuck = waits > 0 && (!takesCode || waits > oneTimeCodeResendSeconds);
  return (
    <div class="stack-tight" data-countdown={waits > 0 ? waits : undefined}>
      {takesCode && <p class="fine">{texts.code.notArrived}</p>}
      {waits > 0 && refused !== 'locked' && <Wait visit={visit} seconds={waits} />}
      {isStuck && flow.kind === 'sign_in' && (
        <ButtonLink href={visit.path('password')}>{texts.signIn.usePassword}</ButtonLink>
      )}
      {isStuck && <ButtonLink href={visit.path('sign-in')}>{texts.social.otherWay}</ButtonLink>}
      <div class="row pull">
        {refused !== 'locked' && (
          <Form action={visit.path('resend')} token={visit.token('resend')}>
            <Button kind={takesCode || waits > 0 ? 'quiet' : 'primary'}>{texts.code.resend}</Button>
          </Form>
        )}
        <a class="button button-quiet" href={visit.path(firstStep(flow))}>
          {texts.code.otherAddress}
        </a>
      </div>
    </div>
  );
}

/** The words stand around the time, which the script counts down. */
function Wait({ visit, seconds }: { visit: Visit; seconds: number }) {
  const shown = duration(visit.language, seconds);
  const [before, after] = visit.texts.code.resendIn('\u0000').split('\u0000');
  return (
    <p class="fine" data-countdown-text>
      {before}
      <span data-countdown-left>{shown}</span>
      {after}
    </p>
  );
}

function secondsToWait({ flow, now, retryAfterSeconds }: Shown): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds;
  // A code that was used, or ended by something else, is no reason to wait for another one.
  if (!flow.codeHash || !flow.codeSentAt) return 0;
  return oneTimeCodeResendSeconds - (now.getTime() - flow.codeSentAt.getTime()) / 1000;
}

function secondsLeft(flow: Flow, now: Date): number {
  return ((flow.codeExpiresAt?.getTime() ?? 0) - now.getTime()) / 1000;
}
