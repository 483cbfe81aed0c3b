// Consent on the first sign-in to an application, and again when it asks for more: its name and logo,
// and exactly what it will see, with the person's own values; APIs of the company's and what it may do there, in its words.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { withSessionAuthority } from '../src/accounts/authority.ts';
import { recordConsent } from '../src/applications/consent.ts';
import { agreedScope, type ResourceScope } from '../src/applications/resource.ts';
import { findResourcesToAgree } from '../src/applications/resource-list.ts';
import type { Database } from '../src/database/connection.ts';
import { findFirstPartyClient } from '../src/first-party/clients.ts';
import type { FormFields } from '../src/http/form.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { Frame } from './frame.tsx';
import { leadsToOffer } from './passkey.tsx';
import { authorityOf, signedInAccount } from './signed-in.ts';
import { hasRoom, showNoRoom } from './test-mode.tsx';
import { apiTexts } from './texts/api.ts';
import { type Dependencies, note, type Visit } from './visit.ts';

export function createConsent(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const account = await signedInAccount(deps, visit);
      if (!(await hasRoom(deps, visit, account))) return showNoRoom(deps, ctx, visit);
      ctx.state.cspScript = true;
      const apis = await apisOf(deps.db, visit);
      ctx.body = renderPage(<ConsentPage visit={visit} account={account} apis={apis} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const { uid, scopes } = visit.interaction;
      // Anything but an outspoken yes is a no.
      if (fields.decision !== 'allow') {
        await deps.exit.cancel(ctx, uid);
        return note(deps, visit, 'consent_denied', 'person_denied');
      }
      const account = await signedInAccount(deps, visit);
      // Pages of our own never ask for consent; somebody made this address up.
      if (findFirstPartyClient(visit.application.clientId)) return deps.exit.consent(ctx, uid);
      await withSessionAuthority(deps, authorityOf(visit), async (tx) => {
        const ofApis = (await apisOf(tx, visit)).flatMap((api) =>
          api.scopes.map(({ scope }) => agreedScope(api.identifier, scope)),
        );
        await recordConsent(tx, {
          applicationId: visit.application.id,
          accountId: account.id,
          scopes: [...scopes, ...ofApis],
          now: deps.clock(),
        });
      });
      note(deps, visit, 'consent_given');
      if (await leadsToOffer(deps, ctx, visit, { account, fields })) return;
      await deps.exit.consent(ctx, uid);
    },

    async useOtherAccount(ctx: Context, visit: Visit): Promise<void> {
      await deps.exit.startOver(ctx, visit.interaction.uid);
    },
  };
}

type Api = { identifier: string; name: string; scopes: ResourceScope[] };

/** With the scopes that are asked for. */
async function apisOf(db: Database, { interaction, application }: Visit): Promise<Api[]> {
  const { identifiers, scopes } = interaction.apis;
  const found = await findResourcesToAgree(db, { applicationId: application.id, identifiers });
  return found.map(({ identifier, name, ...api }) => ({
    identifier,
    name,
    scopes: api.scopes.filter(({ scope }) => scopes.includes(scope)),
  }));
}

function ConsentPage({ visit, account, apis }: { visit: Visit; account: Account; apis: Api[] }) {
  const { texts, application } = visit;
  return (
    <Frame
      visit={visit}
      heading={texts.consent.heading(application.name)}
      lead={texts.consent.lead(application.name)}
      scripts={['passkey']}
      cancels="in the page"
    >
      <div class="stack">
        <SharedFacts visit={visit} account={account} apis={apis} />
        <Form action={visit.path('consent')} token={visit.token('consent')}>
          <input type="hidden" name="passkeys" value="" data-passkey-possible />
          <Decision allow={texts.consent.allow} deny={texts.consent.deny} />
        </Form>
        <SignedInAs visit={visit} account={account} />
      </div>
    </Frame>
  );
}

/** Yes and no, one as plain as the other. */
export function Decision({ allow, deny }: { allow: string; deny: string }) {
  return (
    <div class="stack-tight">
      <Button name="decision" value="allow">
        {allow}
      </Button>
      <Button kind="secondary" name="decision" value="cancel">
        {deny}
      </Button>
    </div>
  );
}

type WhoseFacts = { visit: Visit; account: Account };

/** What the application will see, with the person's own values. */
export function SharedFacts({ visit, account, apis = [] }: WhoseFacts & { apis?: Api[] }) {
  return (
    <ul class="facts">
      {factsOf(visit, account).map(([title, detail]) => (
        <li key={title}>
          <strong>{title}</strong>
          <span class="fine">{detail}</span>
        </li>
      ))}
      {apis.map(({ identifier, name, scopes }) => (
        <li key={identifier}>
          <strong>{apiTexts[visit.language](name)}</strong>
          {scopes.map(({ scope, description }) => (
            <span class="fine" key={scope}>
              {description}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}

export function SignedInAs({ visit, account }: WhoseFacts) {
  const { consent } = visit.texts;
  return (
    <div class="who">
      <span class="fine">
        {consent.signedInAs} {account.email}
      </span>
      <Form action={visit.path('other-account')} token={visit.token('other-account')}>
        <Button kind="quiet">{consent.otherAccount}</Button>
      </Form>
    </div>
  );
}

function factsOf({ texts, interaction }: Visit, account: Account): [title: string, detail: string][] {
  const { consent } = texts;
  const facts: Record<string, [string, string]> = {
    openid: [consent.identifier, consent.identifierDetail],
    email: [consent.email, account.email],
    profile: [consent.profile, account.name ?? consent.profileEmpty],
    offline_access: [consent.offline, consent.offlineDetail],
  };
  return Object.keys(facts).flatMap((scope) => {
    const fact = facts[scope];
    return fact && interaction.scopes.includes(scope) ? [fact] : [];
  });
}
