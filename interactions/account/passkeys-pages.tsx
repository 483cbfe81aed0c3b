// What a person sees of their passkeys: the list with the form for one more, and the page of one.
import type { Passkey } from '../../src/accounts/passkey.ts';
import type { CreationCeremony } from '../../src/accounts/passkey-creation.ts';
import { passkeyNameCharacters } from '../../src/limits/credentials.ts';
import { Button, Form } from '../../src/page/button.tsx';
import { Facts } from '../../src/page/facts.tsx';
import { TextField } from '../../src/page/field.tsx';
import { Panel } from '../../src/page/panel.tsx';
import { PasskeyForm } from '../../src/page/passkey-form.tsx';
import { AccountFrame, backTo } from './frame.tsx';
import { Moment } from './moment.tsx';
import { type AccountVisit, accountPath } from './visit.ts';

export const PASSKEYS = '/passkeys';
export const passkeyPath = (id: string) => `${PASSKEYS}/${id}`;

type PasskeysPageProps = {
  visit: AccountVisit;
  passkeys: Passkey[];
  creation: CreationCeremony;
  /** A name for a passkey of this device. */
  suggestion: string;
};

export function PasskeysPage({ visit, passkeys, creation, suggestion }: PasskeysPageProps) {
  const { texts, flash } = visit;
  return (
    <AccountFrame
      visit={visit}
      section="signIn"
      heading={texts.passkeys.heading}
      lead={texts.passkeys.lead}
      below={backTo(visit, 'signIn')}
      scripts={['passkey']}
    >
      <Panel heading={texts.passkeys.yours} lead={passkeys.length === 0 ? texts.passkeys.none : undefined}>
        {passkeys.length > 0 && (
          <ul class="money-rows">
            {passkeys.map((passkey) => (
              <li key={passkey.id}>
                <div>
                  <strong>{passkey.name}</strong>
                  <p class="fine">
                    {texts.passkeys.lastUsed}: <LastUse visit={visit} passkey={passkey} />
                  </p>
                </div>
                <a
                  href={accountPath(passkeyPath(passkey.id))}
                  aria-label={`${texts.change}: ${passkey.name}`}
                >
                  {texts.change}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel heading={texts.passkeys.addHeading} lead={texts.passkeys.addLead}>
        <noscript>
          <p>{texts.passkeys.needsScript}</p>
        </noscript>
        <PasskeyForm
          purpose="create"
          kind="primary"
          action={accountPath(PASSKEYS)}
          token={visit.token(PASSKEYS)}
          options={creation.options}
          ticket={creation.ticket}
          label={texts.passkeys.add}
          problem={texts.passkeys.nothing}
        >
          <TextField
            name="name"
            label={texts.passkeys.name}
            autocomplete="off"
            maximum={passkeyNameCharacters}
            value={flash.typed?.name ?? suggestion}
            hint={texts.passkeys.nameHint}
            required
          />
        </PasskeyForm>
      </Panel>
    </AccountFrame>
  );
}

export function PasskeyPage({ visit, passkey }: { visit: AccountVisit; passkey: Passkey }) {
  const { texts, flash, language } = visit;
  const path = passkeyPath(passkey.id);
  return (
    <AccountFrame
      visit={visit}
      section="signIn"
      heading={passkey.name}
      below={{ path: PASSKEYS, label: texts.passkeys.heading }}
    >
      <Panel heading={texts.passkeys.rename}>
        <Facts
          facts={[
            [texts.passkeys.created, <Moment key="created" at={passkey.createdAt} language={language} />],
            [texts.passkeys.lastUsed, <LastUse key="used" visit={visit} passkey={passkey} />],
          ]}
        />
        <Form action={accountPath(path)} token={visit.token(path)}>
          <TextField
            name="name"
            label={texts.passkeys.name}
            autocomplete="off"
            maximum={passkeyNameCharacters}
            value={flash.typed?.name ?? passkey.name}
            problem={flash.problem === 'passkeyName' ? texts.problems.passkeyName : undefined}
            required
          />
          <Button>{texts.save}</Button>
        </Form>
      </Panel>
      <Panel heading={texts.passkeys.remove} lead={texts.passkeys.removeLead} danger>
        <Form action={accountPath(`${path}/remove`)} token={visit.token(`${path}/remove`)}>
          <Button kind="danger">{texts.passkeys.removeButton}</Button>
        </Form>
      </Panel>
    </AccountFrame>
  );
}

function LastUse({ visit, passkey }: { visit: AccountVisit; passkey: Passkey }) {
  if (!passkey.lastUsedAt) return <>{visit.texts.passkeys.never}</>;
  return <Moment at={passkey.lastUsedAt} language={visit.language} />;
}
