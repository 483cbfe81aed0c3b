// The person's name, as applications see it from the next sign-in or UserInfo request on.
import { parsePersonName, setName } from '../../src/accounts/account.ts';
import { personNameCharacters } from '../../src/limits/requests.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { TextField } from '../../src/page/field.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { redirectTo } from './flash.ts';
import { AccountFrame, backTo } from './frame.tsx';
import { Row, Rows } from './rows.tsx';
import { emailAddressTexts } from './texts/email-address.ts';
import { sectionTexts } from './texts/sections.ts';
import { type AccountDependencies, type AccountRoute, type AccountVisit, accountPath } from './visit.ts';

const PROFILE = '/profile';
const NAME = '/name';

export function createProfileRoutes(deps: AccountDependencies): AccountRoute[] {
  return [
    {
      method: 'GET',
      path: PROFILE,
      async handle(ctx, visit) {
        ctx.body = renderPage(<ProfilePage visit={visit} />);
      },
    },
    {
      method: 'GET',
      path: NAME,
      async handle(ctx, visit) {
        ctx.body = renderPage(<NamePage visit={visit} />);
      },
    },
    {
      method: 'POST',
      path: NAME,
      async handle(ctx, { account, change }, fields) {
        const typed = fields.name ?? '';
        const name = parsePersonName(typed);
        if (!name)
          return redirectTo(ctx, deps, account.id, NAME, { problem: 'name', typed: { name: typed } });
        await change((tx) => setName(tx, { accountId: account.id, name, now: deps.clock() }));
        redirectTo(ctx, deps, account.id, PROFILE, { done: 'name' });
      },
    },
  ];
}

function ProfilePage({ visit }: { visit: AccountVisit }) {
  const texts = sectionTexts[visit.language];
  return (
    <AccountFrame visit={visit} section="profile" heading={texts.profile} lead={texts.profileLead}>
      <section class="panel">
        <ProfileRows visit={visit} />
      </section>
    </AccountFrame>
  );
}

/** For the overview as well. */
export function ProfileRows({ visit: { texts, account, language } }: { visit: AccountVisit }) {
  return (
    <Rows>
      <Row icon="account" name={texts.profile.heading} path={NAME} action={texts.change}>
        {account.name ?? texts.profile.noName}
      </Row>
      <Row icon="mail" name={emailAddressTexts[language].heading} path="/address" action={texts.change}>
        {account.email}
      </Row>
    </Rows>
  );
}

function NamePage({ visit }: { visit: AccountVisit }) {
  const { texts, account, flash } = visit;
  return (
    <AccountFrame
      visit={visit}
      section="profile"
      heading={texts.profile.changeName}
      below={backTo(visit, 'profile')}
    >
      <Panel heading={texts.profile.name} lead={texts.profile.nameLead}>
        <Form action={accountPath(NAME)} token={visit.token(NAME)}>
          <TextField
            name="name"
            label={texts.profile.name}
            autocomplete="name"
            maximum={personNameCharacters}
            value={flash.typed?.name ?? account.name ?? undefined}
            problem={flash.problem === 'name' ? texts.problems.name : undefined}
            required
            focused
          />
          <Button>{texts.save}</Button>
        </Form>
      </Panel>
    </AccountFrame>
  );
}
