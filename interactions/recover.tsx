// Password recovery (section 1.3): address, code, new password. Then every session and token of the account ends, a
// notice goes out, and nobody is signed in: the new password has to prove itself first (attacks 37, 39).
import type { Context } from 'koa';
import { findAccountByEmail, setPassword } from '../src/accounts/account.ts';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { type Flow, findFlow, spendProof } from '../src/accounts/flow.ts';
import { passwordProblem } from '../src/accounts/password.ts';
import { transaction } from '../src/database.ts';
import type { FormFields } from '../src/form.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { EmailField, PasswordField, UsernameField } from '../src/page/field.tsx';
import { claim } from './finish.ts';
import { Frame } from './frame.tsx';
import { leaveFor } from './leave.ts';
import { passwordChangedMail } from './mail-texts.tsx';
import { passwordProblemTexts } from './register.tsx';
import { sendCode } from './send-code.ts';
import { seeOther, type Tools, type Visit } from './visit.ts';

export function createRecover(tools: Tools) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlow(tools.db, visit.interaction.uid);
      const email = visit.message.email ?? flow?.email ?? visit.interaction.loginHint;
      ctx.body = renderPage(<RecoverPage visit={visit} email={email} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const typed = fields.email ?? '';
      const email = parseEmailAddress(typed);
      if (!email) return leaveFor(ctx, tools, visit, 'recover', { problem: 'invalidEmail', email: typed });
      await sendCode(tools, ctx, visit, { kind: 'recover', email });
    },

    async showNewPassword(ctx: Context, visit: Visit): Promise<void> {
      const flow = await findFlow(tools.db, visit.interaction.uid);
      if (!isProven(flow)) return seeOther(ctx, visit.path('recover'));
      ctx.body = renderPage(<NewPasswordPage visit={visit} flow={flow} />);
    },

    async submitNewPassword(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const flow = await findFlow(tools.db, visit.interaction.uid);
      if (!isProven(flow)) return seeOther(ctx, visit.path('recover'));
      const password = fields.password ?? '';
      const found = await passwordProblem(password, [flow.email]);
      if (found) return leaveFor(ctx, tools, visit, 'new-password', { problem: passwordProblemTexts[found] });
      const passwordHash = await tools.passwords.hash(password);
      const isChanged = await changePassword(tools, visit, { email: flow.email, passwordHash });
      if (!isChanged) return seeOther(ctx, visit.path('recover'));
      leaveFor(ctx, tools, visit, 'password', { remark: 'passwordChanged', email: flow.email });
    },
  };
}

function isProven(flow: Flow | undefined): flow is Flow {
  return flow?.kind === 'recover' && flow.verifiedAt !== null && flow.finishedAt === null;
}

/** All of it or nothing; @returns false when this proof was used before, in another tab or by a second click. */
async function changePassword(
  tools: Tools,
  visit: Visit,
  { email, passwordHash }: { email: string; passwordHash: string },
): Promise<boolean> {
  return transaction(tools.db, async (tx) => {
    if (!(await spendProof(tx, visit.interaction.uid))) return false;
    const account = await findAccountByEmail(tx, email);
    if (!account) return false;
    await claim(tools, tx, visit, account);
    await setPassword(tx, { accountId: account.id, passwordHash, now: tools.clock() });
    await tools.revokeAccountSessions(tx, account.id);
    await tools.mailer.queue(tx, passwordChangedMail(visit, email));
    return true;
  });
}

function RecoverPage({ visit, email }: { visit: Visit; email: string | undefined }) {
  const { texts, message } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.recover.heading}
      lead={texts.recover.lead}
      foot={
        <a class="button button-quiet" href={visit.path('sign-in')}>
          {texts.recover.backToSignIn}
        </a>
      }
    >
      <Form action={visit.path('recover')} token={visit.token('recover')}>
        <EmailField
          name="email"
          label={texts.shared.email}
          autocomplete="username"
          value={email}
          problem={message.problem && texts.problems[message.problem]}
          required
          focused
        />
        <Button>{texts.recover.submit}</Button>
      </Form>
    </Frame>
  );
}

function NewPasswordPage({ visit, flow }: { visit: Visit; flow: Flow }) {
  const { texts, message } = visit;
  return (
    <Frame visit={visit} heading={texts.newPassword.heading} lead={texts.newPassword.lead}>
      <Form action={visit.path('new-password')} token={visit.token('new-password')}>
        <UsernameField name="account" label={texts.newPassword.account} value={flow.email} />
        <PasswordField
          name="password"
          label={texts.shared.newPassword}
          autocomplete="new-password"
          problem={message.problem && texts.problems[message.problem]}
          hint={texts.shared.passwordRules}
          required
          focused
        />
        <Button>{texts.newPassword.submit}</Button>
      </Form>
    </Frame>
  );
}
