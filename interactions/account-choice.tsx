// `prompt=select_account`: the application asks which account to go on with. Whoever is signed in keeps it, or signs in as
// somebody else.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { Frame } from './frame.tsx';
import { signedInAccount } from './signed-in.ts';
import { note, type Tools, type Visit } from './visit.ts';

export function createAccountChoice(tools: Tools) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      ctx.body = renderPage(
        <AccountChoicePage visit={visit} account={await signedInAccount(tools, visit)} />,
      );
    },

    async keep(ctx: Context, visit: Visit): Promise<void> {
      await tools.exit.keepAccount(ctx, visit.interaction.uid);
      note(tools, visit, 'account_kept');
    },
  };
}

function AccountChoicePage({ visit, account }: { visit: Visit; account: Account }) {
  const { texts, application } = visit;
  return (
    <Frame visit={visit} heading={texts.choice.heading} lead={texts.signIn.lead(application.name)}>
      <div class="stack">
        <Form action={visit.path('account-choice')} token={visit.token('account-choice')}>
          <Button>{texts.choice.keep(account.email)}</Button>
        </Form>
        <Form action={visit.path('other-account')} token={visit.token('other-account')}>
          <Button kind="secondary">{texts.consent.otherAccount}</Button>
        </Form>
      </div>
    </Frame>
  );
}
