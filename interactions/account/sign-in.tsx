// The section "Ways to sign in": every way into the account in one list, each with the way to change it.
import { listPasskeys } from '../../src/accounts/passkey.ts';
import { listSocialIdentities, type SocialIdentity } from '../../src/accounts/social-identity.ts';
import { Badge } from '../../src/page/badge.tsx';
import { renderPage } from '../../src/page/document.tsx';
import { Icon } from '../../src/page/icon.tsx';
import { AccountFrame } from './frame.tsx';
import { PASSKEYS } from './passkeys-pages.tsx';
import { Row, Rows } from './rows.tsx';
import { sections } from './sections.ts';
import { type Named, nameOf, SOCIAL } from './social-page.tsx';
import { sectionTexts } from './texts/sections.ts';
import type { AccountDependencies, AccountRoute, AccountVisit } from './visit.ts';

export type WaysIn = { passkeys: number; identities: SocialIdentity[]; providers: Named[] };

export function createSignInRoutes(deps: AccountDependencies): AccountRoute[] {
  return [
    {
      method: 'GET',
      path: sections.signIn.path,
      async handle(ctx, visit) {
        const ways = await findWaysIn(deps, visit);
        const texts = sectionTexts[visit.language];
        ctx.body = renderPage(
          <AccountFrame visit={visit} section="signIn" heading={texts.signIn} lead={texts.signInLead}>
            <section class="panel">
              <WaysInRows visit={visit} ways={ways} />
            </section>
          </AccountFrame>,
        );
      },
    },
  ];
}

export async function findWaysIn(
  { db, social: providers }: Pick<AccountDependencies, 'db' | 'social'>,
  { account }: AccountVisit,
): Promise<WaysIn> {
  const passkeys = await listPasskeys(db, account.id);
  const identities = await listSocialIdentities(db, account.id);
  return { passkeys: passkeys.length, identities, providers };
}

/** For the overview as well. */
export function WaysInRows({ visit, ways }: { visit: AccountVisit; ways: WaysIn }) {
  const { texts, account, language } = visit;
  const { passkeys, identities, providers } = ways;
  const { social } = texts;
  const own = sectionTexts[language];
  const linked = identities.map(({ provider }) => nameOf(providers, provider)).join(', ');
  const hasPassword = account.passwordHash !== null;
  return (
    <Rows>
      <li>
        <span class="row-icon">
          <Icon name="mail" />
        </span>
        <div class="row-words">
          <strong>{own.code}</strong>
          <span class="fine">{own.codeAlways(account.email)}</span>
        </div>
      </li>
      <Row
        icon="passkey"
        name={texts.passkeys.heading}
        path={PASSKEYS}
        action={passkeys === 0 ? texts.passkeys.add : own.manage}
      >
        {passkeys === 0 ? texts.passkeys.none : texts.passkeys.count(passkeys)}
      </Row>
      <Row
        icon="lock"
        name={texts.password.heading}
        path="/password"
        action={hasPassword ? texts.change : texts.password.set}
      >
        {hasPassword ? <Badge kind="good">{own.passwordSet}</Badge> : own.notSet}
      </Row>
      {(providers.length > 0 || identities.length > 0) && (
        <Row icon="link" name={social.heading} path={SOCIAL} action={own.manage}>
          {linked === '' ? social.none : social.some(linked)}
        </Row>
      )}
    </Rows>
  );
}
