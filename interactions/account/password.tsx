// Setting, changing and removing the password. Each ends every other session and every token of the account and is told by
// mail (threat 39); a code by mail remains a way in whatever happens here.
import type { Context } from 'koa';
import { removePassword, setPassword } from '../../src/accounts/account.ts';
import { passwordProblem } from '../../src/accounts/password.ts';
import { passwordMinimumCharacters } from '../../src/limits/credentials.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { UsernameField } from '../../src/page/field.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { PasswordField } from '../../src/page/password-field.tsx';
import { stayKnown } from '../known-device-cookie.ts';
import { catalogue } from '../languages.ts';
import { passwordProblemTexts } from '../register.tsx';
import { passwordTexts } from '../texts/password.ts';
import { redirectTo } from './flash.ts';
import { AccountFrame, backTo, problemText } from './frame.tsx';
import { noticeMail } from './notices.ts';
import { sections } from './sections.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

const PASSWORD = '/password';
const REMOVE = '/password/remove';

export function createPasswordRoutes(deps: AccountDependencies): AccountRoute[] {
  const change = async (ctx: Context, visit: AccountVisit, passwordHash: string | null) => {
    const { account, session } = visit;
    const now = deps.clock();
    await visit.change(async (tx) => {
      const which = { accountId: account.id, now };
      await (passwordHash ? setPassword(tx, { ...which, passwordHash }) : removePassword(tx, which));
      await deps.revokeAccount(tx, {
        ...which,
        keepSession: session.sessionHash,
        endsOwnTokens: true,
        endsCodes: true,
      });
      const notice = passwordHash ? 'passwordSet' : 'passwordRemoved';
      await deps.mailer.queue(tx, noticeMail(visit, notice));
    });
    await stayKnown(deps, ctx, account.id);
  };
  return [
    {
      method: 'GET',
      path: PASSWORD,
      fresh: 'password',
      async handle(ctx, visit) {
        ctx.body = renderPage(<PasswordPage visit={visit} />);
      },
    },
    {
      method: 'POST',
      path: PASSWORD,
      fresh: 'password',
      async handle(ctx, visit, { password = '' }) {
        const { account } = visit;
        const found = await passwordProblem(password, [account.email, account.name ?? '']);
        if (found)
          return redirectTo(ctx, deps, account.id, PASSWORD, { problem: passwordProblemTexts[found] });
        await change(ctx, visit, await deps.passwords.hash(password));
        redirectTo(ctx, deps, account.id, sections.signIn.path, { done: 'passwordSet' });
      },
    },
    {
      method: 'POST',
      path: REMOVE,
      fresh: 'password',
      async handle(ctx, visit) {
        await change(ctx, visit, null);
        redirectTo(ctx, deps, visit.account.id, sections.signIn.path, { done: 'passwordRemoved' });
      },
    },
  ];
}

function PasswordPage({ visit }: { visit: AccountVisit }) {
  const { texts, account, language } = visit;
  const { shared } = catalogue[language];
  const hasOne = account.passwordHash !== null;
  return (
    <AccountFrame
      visit={visit}
      section="signIn"
      heading={texts.password.heading}
      scripts={['password']}
      below={backTo(visit, 'signIn')}
    >
      <Panel heading={hasOne ? texts.password.change : texts.password.set} lead={texts.password.changeLead}>
        <Form action={accountPath(PASSWORD)} token={visit.token(PASSWORD)}>
          <UsernameField name="account" label={texts.account} value={account.email} />
          <PasswordField
            name="password"
            label={shared.newPassword}
            autocomplete="new-password"
            minimum={passwordMinimumCharacters}
            words={passwordTexts[language]}
            hint={shared.passwordRules}
            problem={problemText(visit)}
            required
            focused
          />
          <Button>{texts.save}</Button>
        </Form>
      </Panel>
      {hasOne && (
        <Panel heading={texts.password.remove} lead={texts.password.removeLead} danger>
          <Form action={accountPath(REMOVE)} token={visit.token(REMOVE)} label={texts.password.remove}>
            <Button kind="danger">{texts.password.remove}</Button>
          </Form>
        </Panel>
      )}
    </AccountFrame>
  );
}
