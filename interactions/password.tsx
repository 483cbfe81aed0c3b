// Sign-in with a password. One answer for a wrong password, an unknown address and an account without
// one; a code by mail is always the way out, also while guesses by others have used up the attempts (threat 91).
import type { Context } from 'koa';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { passwordSignIn } from '../src/accounts/sign-in.ts';
import { findFlowOf } from '../src/accounts/sign-in-flow.ts';
import { tooManyRequests } from '../src/errors.ts';
import type { FormFields } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { Button, Divider, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField } from '../src/page/field.tsx';
import { Notice } from '../src/page/notice.tsx';
import { PasswordField } from '../src/page/password-field.tsx';
import { signIn } from './finish.ts';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { nameOfDevice } from './known-device-cookie.ts';
import { sendCode } from './send-code.ts';
import { passwordTexts } from './texts/password.ts';
import { type Dependencies, note, placeOf, type Visit } from './visit.ts';

export function createPassword(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const email = visit.flash.email ?? flow?.email ?? visit.interaction.loginHint;
      ctx.state.cspScript = true;
      ctx.body = renderPage(<PasswordPage visit={visit} email={email} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const typed = fields.email ?? '';
      if (fields.method === 'recover') return redirectTo(ctx, deps, visit, 'recover', { email: typed });
      const email = parseEmailAddress(typed);
      if (!email) return redirectTo(ctx, deps, visit, 'password', { problem: 'invalidEmail', email: typed });
      if (fields.method === 'code') return sendCode(deps, ctx, visit, { kind: 'sign_in', email });
      const password = fields.password ?? '';
      if (!password)
        return redirectTo(ctx, deps, visit, 'password', { problem: 'missingPassword', email: typed });
      const outcome = await passwordSignIn(deps.db, {
        passwords: deps.passwords,
        place: placeOf(deps, ctx, visit),
        email,
        password,
        ipAddress: ipAddressKey(ctx.state.ipAddress),
        nameOfDevice: nameOfDevice(deps, ctx),
        clock: deps.clock,
      });
      if (outcome.result === 'locked') {
        note(deps, visit, 'password_refused', 'too_many_passwords');
        throw tooManyRequests(outcome.retryAfterSeconds * 1000, 'wrong passwords');
      }
      if (outcome.result === 'wrong') {
        note(deps, visit, 'password_refused', 'wrong_password');
        return redirectTo(ctx, deps, visit, 'password', { notice: 'passwordWrong', email: typed });
      }
      await signIn(deps, ctx, visit, outcome.proof);
    },
  };
}

function PasswordPage({ visit, email }: { visit: Visit; email: string | undefined }) {
  const { texts, flash } = visit;
  const { problem, notice } = flash;
  return (
    <Frame
      visit={visit}
      heading={texts.password.heading}
      scripts={['password']}
      lead={texts.password.lead(visit.application.name)}
      foot={
        <Button kind="quiet" form="password-form" name="method" value="recover" skipsValidation>
          {texts.password.forgot}
        </Button>
      }
    >
      {notice === 'passwordWrong' && <Notice kind="problem">{texts.password.wrong}</Notice>}
      <Form id="password-form" action={visit.path('password')} token={visit.token('password')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          autocomplete="username"
          value={email}
          problem={problem === 'invalidEmail' ? texts.problems.invalidEmail : undefined}
          required
          focused={!email}
        />
        <PasswordField
          name="password"
          label={texts.shared.password}
          autocomplete="current-password"
          words={passwordTexts[visit.language]}
          problem={problem === 'missingPassword' ? texts.problems.missingPassword : undefined}
          required
          focused={Boolean(email)}
        />
        <Button name="method" value="password">
          {texts.password.submit}
        </Button>
        <Divider>{texts.shared.or}</Divider>
        <Button kind="secondary" name="method" value="code" skipsValidation>
          {texts.password.useCode}
        </Button>
      </Form>
    </Frame>
  );
}
