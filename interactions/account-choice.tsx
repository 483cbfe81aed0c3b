// `prompt=select_account`: the application asks which account to go on with. Whoever is signed in keeps it, or signs in as
// somebody else.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { Frame } from './frame.tsx';
import { signedInAccount } from './signed-in.ts';
import { note, type Dependencies, type Visit } from './visit.ts';

export function createAccountChoice(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      ctx.body = renderPage(<AccountChoicePage visit={visit} account={await signedInAccount(deps, visit)} />);
    },

    async keep(ctx: Context, visit: Visit): Promise<void> {
      await deps.exit.keepAccount(ctx, visit.interaction.uid);
      note(deps, visit, 'account_kept');
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
