// Sign-in (section 1.3): the first page. An address is enough, a code by mail proves it; the same happens for
// addresses that have an account and for those that have none (attack 30).
import type { Context } from 'koa';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { findFlow } from '../src/accounts/flow.ts';
import type { FormFields } from '../src/form.ts';
import { Button, Divider, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField } from '../src/page/field.tsx';
import { Frame } from './frame.tsx';
import { leaveMessage, type Message } from './message.ts';
import { sendCode } from './send-code.ts';
import { seeOther, type Tools, type Visit } from './visit.ts';

export function createSignIn(tools: Tools) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlow(tools.db, visit.interaction.uid);
      const email = visit.message.email ?? flow?.email ?? visit.interaction.loginHint;
      ctx.body = renderPage(<SignInPage visit={visit} email={email} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const typed = fields.email ?? '';
      if (fields.method === 'password') {
        leaveFor(ctx, tools, visit, 'password', { email: typed });
        return;
      }
      const email = parseEmailAddress(typed);
      if (!email) {
        leaveFor(ctx, tools, visit, 'sign-in', { problem: 'invalidEmail', email: typed });
        return;
      }
      await sendCode(tools, ctx, visit, { kind: 'sign_in', email });
    },
  };
}

/** To a page of the same interaction, with something for it to say. */
export function leaveFor(
  ctx: Context,
  tools: Pick<Tools, 'keys'>,
  visit: Visit,
  step: Visit['step'],
  message: Message,
): void {
  const shown = { ...message, ...(message.email ? { email: message.email.slice(0, 254) } : {}) };
  leaveMessage(ctx, {
    keys: tools.keys,
    uid: visit.interaction.uid,
    step,
    message: shown,
  });
  seeOther(ctx, visit.path(step));
}

function SignInPage({ visit, email }: { visit: Visit; email: string | undefined }) {
  const { texts, message } = visit;
  const problem = message.problem && texts.problems[message.problem];
  return (
    <Frame
      visit={visit}
      heading={texts.signIn.heading}
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
      <Form action={visit.path('sign-in')} token={visit.token('sign-in')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          autocomplete="username"
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
    </Frame>
  );
}
