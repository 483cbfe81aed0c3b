// Sign-in: the first page. An address is enough, a code by mail proves it; the same happens for
// addresses that have an account and for those that have none (threat 30).
import type { Context } from 'koa';
import type { ComponentChildren } from 'preact';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { findFlowOf } from '../src/accounts/sign-in-flow.ts';
import type { FormFields } from '../src/http/form.ts';
import { Button, Divider, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField } from '../src/page/field.tsx';
import { Notice } from '../src/page/notice.tsx';
import { redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { passkeySignInForm } from './passkey.tsx';
import { sendCode } from './send-code.ts';
import { offeredProviders, SocialButtons } from './social-buttons.tsx';
import { type Dependencies, placeOf, type Visit } from './visit.ts';

export function createSignIn(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlowOf(deps.db, placeOf(deps, ctx, visit));
      const email = visit.flash.email ?? flow?.email ?? visit.interaction.loginHint;
      const passkey = await passkeySignInForm(deps, ctx, visit);
      ctx.body = renderPage(
        <SignInPage
          visit={visit}
          email={email}
          providers={offeredProviders(deps, visit)}
          passkey={passkey}
        />,
      );
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const typed = fields.email ?? '';
      if (fields.method === 'password') {
        redirectTo(ctx, deps, visit, 'password', { email: typed });
        return;
      }
      const email = parseEmailAddress(typed);
      if (!email) {
        redirectTo(ctx, deps, visit, 'sign-in', { problem: 'invalidEmail', email: typed });
        return;
      }
      await sendCode(deps, ctx, visit, { kind: 'sign_in', email });
    },
  };
}

type SignInPageProps = {
  visit: Visit;
  email: string | undefined;
  providers: Dependencies['social'];
  passkey: ComponentChildren;
};

function SignInPage({ visit, email, providers, passkey }: SignInPageProps) {
  const { texts, flash } = visit;
  const notice = noticeText(visit);
  const problem = flash.problem && texts.problems[flash.problem];
  return (
    <Frame
      visit={visit}
      heading={texts.signIn.heading}
      scripts={['passkey']}
      lead={texts.signIn.lead(visit.application.name)}
      foot={
        <p>
          {texts.signIn.newHere}{' '}
          <a class="button button-quiet" href={visit.path('register')}>
            {texts.signIn.createAccount}
          </a>
        </p>
      }
    >
      {notice && <Notice kind="problem">{notice}</Notice>}
      <Form action={visit.path('sign-in')} token={visit.token('sign-in')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          autocomplete="username webauthn"
          value={email}
          problem={problem}
          hint={texts.signIn.hint}
          required
          focused
        />
        <Button name="method" value="code">
          {texts.shared.continue}
        </Button>
        <Divider>{texts.shared.or}</Divider>
        <Button kind="secondary" name="method" value="password" skipsValidation>
          {texts.signIn.usePassword}
        </Button>
      </Form>
      <div class="more-ways">
        {passkey}
        {providers.length > 0 && <SocialButtons visit={visit} providers={providers} />}
      </div>
    </Frame>
  );
}

/** Why another way to sign in led back here. */
function noticeText({ texts, flash }: Visit): string | undefined {
  const { notice, provider = '' } = flash;
  if (notice === 'socialFailed') return texts.social.failed(provider);
  if (notice === 'socialCancelled') return texts.social.cancelled(provider);
  if (notice === 'passkeyRefused') return texts.passkey.refused;
  if (notice === 'signInOver') return texts.signIn.over;
  return notice === 'socialOver' ? texts.social.over : undefined;
}
