// What a person sees of their linked accounts: each provider that is switched on, and those that still are linked.
import type { SocialIdentity } from '../../src/accounts/social-identity.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { Notice } from '../../src/page/notice.tsx';
import { Panel } from '../../src/page/panel.tsx';
import type { SocialProvider } from '../../src/social/provider.ts';
import { AccountFrame, backTo } from './frame.tsx';
import { Moment } from './moment.tsx';
import { type AccountVisit, accountPath } from './visit.ts';

export const SOCIAL = '/social';
export const LINK = '/social/link';
export const UNLINK = '/social/unlink';

export type Named = Pick<SocialProvider, 'id' | 'name'>;
type SocialProps = { visit: AccountVisit; identities: SocialIdentity[]; providers: Named[] };

export function SocialPage({ visit, identities, providers }: SocialProps) {
  const { social } = visit.texts;
  const gone = identities.filter(({ provider }) => providers.every(({ id }) => id !== provider));
  const shown = [...providers, ...gone.map(({ provider }) => ({ id: provider, name: provider }))];
  return (
    <AccountFrame
      visit={visit}
      section="signIn"
      heading={social.heading}
      lead={social.lead}
      below={backTo(visit, 'signIn')}
    >
      <Notice kind="information">{social.always(visit.account.email)}</Notice>
      {shown.map((provider) => {
        const identity = identities.find((each) => each.provider === provider.id);
        return identity ? (
          <Linked key={provider.id} {...{ visit, provider, identity }} />
        ) : (
          <Panel
            key={provider.id}
            heading={provider.name}
            lead={social.notLinked}
            actions={
              <ProviderForm {...{ visit, provider, action: LINK, label: social.link(provider.name) }} />
            }
          />
        );
      })}
    </AccountFrame>
  );
}

type LinkedProps = { visit: AccountVisit; provider: Named; identity: SocialIdentity };

function Linked({ visit, provider, identity }: LinkedProps) {
  const { social } = visit.texts;
  const { language } = visit;
  return (
    <Panel
      heading={provider.name}
      actions={<ProviderForm {...{ visit, provider, action: UNLINK, label: social.unlink(provider.name) }} />}
    >
      <Facts
        facts={[
          ...(identity.email ? [[social.address, identity.email] satisfies [string, string]] : []),
          [social.linked, <Moment key="linked" at={identity.createdAt} language={language} />],
          [
            social.lastUsed,
            identity.lastUsedAt ? (
              <Moment key="used" at={identity.lastUsedAt} language={language} />
            ) : (
              social.never
            ),
          ],
        ]}
      />
    </Panel>
  );
}

type ProviderFormProps = { visit: AccountVisit; provider: Named; action: string; label: string };

function ProviderForm({ visit, provider, action, label }: ProviderFormProps) {
  return (
    <Form action={accountPath(action)} token={visit.token(action)} label={label}>
      <input type="hidden" name="provider" value={provider.id} />
      <Button kind="secondary">{label}</Button>
    </Form>
  );
}

export function nameOf(providers: Named[], id: string): string {
  return providers.find((provider) => provider.id === id)?.name ?? id;
}
