// The first page of the account: everything at a glance, each part with the way to change it.
import { listPasskeys } from '../../src/accounts/passkey.ts';
import { listSocialIdentities } from '../../src/accounts/social-identity.ts';
import { ButtonLink } from '../../src/page/button.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { EmailAddressPanel } from './email-address-pages.tsx';
import { ApplicationsPanel } from './applications.tsx';
import { DataPanel } from './data-pages.tsx';
import { AccountFrame } from './frame.tsx';
import { PasskeysPanel } from './passkeys-pages.tsx';
import { SessionsPanel } from './sessions-page.tsx';
import { SocialPanel } from './social-page.tsx';
import { type AccountRoute, type AccountDependencies, type AccountVisit, accountPath } from './visit.ts';

export function createOverview({ db, social: providers }: AccountDependencies): AccountRoute[] {
  return [
    {
      method: 'GET',
      path: '',
      async handle(ctx, visit) {
        const passkeys = await listPasskeys(db, visit.account.id);
        const identities = await listSocialIdentities(db, visit.account.id);
        ctx.body = renderPage(
          <AccountFrame visit={visit} heading={visit.texts.heading} lead={visit.texts.lead}>
            <NamePanel visit={visit} />
            <EmailAddressPanel visit={visit} />
            <PasswordPanel visit={visit} />
            <PasskeysPanel visit={visit} count={passkeys.length} />
            <SocialPanel {...{ visit, identities, providers }} />
            <SessionsPanel visit={visit} />
            <ApplicationsPanel visit={visit} />
            <DataPanel visit={visit} />
          </AccountFrame>,
        );
      },
    },
  ];
}

function NamePanel({ visit: { texts, account } }: { visit: AccountVisit }) {
  return (
    <Panel
      heading={texts.profile.heading}
      lead={account.name ?? texts.profile.noName}
      actions={<ButtonLink href={accountPath('/name')}>{texts.change}</ButtonLink>}
    />
  );
}

function PasswordPanel({ visit: { texts, account } }: { visit: AccountVisit }) {
  return (
    <Panel
      heading={texts.password.heading}
      lead={account.passwordHash ? texts.password.isSet : texts.password.isNotSet}
      actions={
        <ButtonLink href={accountPath('/password')}>
          {account.passwordHash ? texts.change : texts.password.set}
        </ButtonLink>
      }
    />
  );
}
