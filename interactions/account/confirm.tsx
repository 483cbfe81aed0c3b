// "Confirm it's you": the page before whatever needs a fresh sign-in. It says what for; the sign-in leads on to it.
import { firstPartyClients } from '../../src/first-party/clients.ts';
import { askToSignInAgain } from '../../src/first-party/gate.ts';
import { seeOther } from '../../src/http/redirect.ts';
import { Button, ButtonLink, Form } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { CardPage } from '../../src/page/layout.tsx';
import { AccountNotice, Person } from './frame.tsx';
import { type Purpose, pageOfPurpose, purposes } from './sections.ts';
import { sectionTexts } from './texts/sections.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

const CONFIRM = '/confirm';
const client = firstPartyClients.account;

/** Below `/account`. */
export function confirmationFor(purpose: Purpose): string {
  return `${CONFIRM}?for=${purpose}`;
}

export function createConfirmRoutes(deps: AccountDependencies): AccountRoute[] {
  return [
    {
      method: 'GET',
      path: CONFIRM,
      async handle(ctx, visit) {
        const purpose = known(ctx.query.for);
        if (!purpose) return seeOther(ctx, accountPath(''));
        if (visit.isFresh) return seeOther(ctx, accountPath(pageOfPurpose[purpose]));
        ctx.body = renderPage(<ConfirmPage visit={visit} purpose={purpose} />);
      },
    },
    {
      // A form, so that no other site begins a sign-in.
      method: 'POST',
      path: CONFIRM,
      async handle(ctx, { account }, fields) {
        const purpose = known(fields.for);
        const to = accountPath(purpose ? pageOfPurpose[purpose] : '');
        askToSignInAgain(ctx, deps, { client, email: account.email, to });
      },
    },
  ];
}

function known(name: unknown): Purpose | undefined {
  return purposes.find((purpose) => purpose === name);
}

function ConfirmPage({ visit, purpose }: { visit: AccountVisit; purpose: Purpose }) {
  const { language } = visit;
  const { confirm } = sectionTexts[language];
  return (
    <CardPage
      language={language}
      title={`${confirm.heading} · ${confirm.purposes[purpose]}`}
      heading={confirm.heading}
      lead={confirm.lead(confirm.purposes[purpose])}
      scripts={['form']}
      foot={
        <ButtonLink kind="soft" href={accountPath('')}>
          {confirm.back}
        </ButtonLink>
      }
    >
      <AccountNotice visit={visit} />
      <div class="stack">
        <Person visit={visit} boxed />
        <Form action={accountPath(CONFIRM)} token={visit.token(CONFIRM)}>
          <input type="hidden" name="for" value={purpose} />
          <Button>{confirm.go}</Button>
        </Form>
        <p class="fine centered">{confirm.afterwards}</p>
      </div>
    </CardPage>
  );
}
