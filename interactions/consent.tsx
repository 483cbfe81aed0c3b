// Consent on the first sign-in to an application, and again when it asks for more: its name and logo,
// and exactly what it will see, with the person's own values.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { withSessionAuthority } from '../src/accounts/authority.ts';
import { recordConsent } from '../src/applications/consent.ts';
import { findFirstPartyClient } from '../src/first-party/clients.ts';
import type { FormFields } from '../src/http/form.ts';
import { Button, Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { Frame } from './frame.tsx';
import { leadsToOffer } from './passkey.tsx';
import { authorityOf, signedInAccount } from './signed-in.ts';
import { hasRoom, showNoRoom } from './test-mode.tsx';
import { type Dependencies, note, type Visit } from './visit.ts';

export function createConsent(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const account = await signedInAccount(deps, visit);
      if (!(await hasRoom(deps, visit, account))) return showNoRoom(deps, ctx, visit);
      ctx.state.cspScript = true;
      ctx.body = renderPage(<ConsentPage visit={visit} account={account} />);
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
      await withSessionAuthority(deps, authorityOf(visit), (tx) =>
        recordConsent(tx, {
          applicationId: visit.application.id,
          accountId: account.id,
          scopes,
          now: deps.clock(),
        }),
      );
      note(deps, visit, 'consent_given');
      if (await leadsToOffer(deps, ctx, visit, { account, fields })) return;
      await deps.exit.consent(ctx, uid);
    },

    async useOtherAccount(ctx: Context, visit: Visit): Promise<void> {
      await deps.exit.startOver(ctx, visit.interaction.uid);
    },
  };
}

function ConsentPage({ visit, account }: { visit: Visit; account: Account }) {
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
        <ul class="facts">
          {factsOf(visit, account).map(([title, detail]) => (
            <li key={title}>
              <strong>{title}</strong>
              <span class="fine">{detail}</span>
            </li>
          ))}
        </ul>
        <Form action={visit.path('consent')} token={visit.token('consent')}>
          <input type="hidden" name="passkeys" value="" data-passkey-possible />
          <div class="stack-tight">
            <Button name="decision" value="allow">
              {texts.consent.allow}
            </Button>
            <Button kind="secondary" name="decision" value="cancel">
              {texts.consent.deny}
            </Button>
          </div>
        </Form>
        <div class="who">
          <span class="fine">
            {texts.consent.signedInAs} {account.email}
          </span>
          <Form action={visit.path('other-account')} token={visit.token('other-account')}>
            <Button kind="quiet">{texts.consent.otherAccount}</Button>
          </Form>
        </div>
      </div>
    </Frame>
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
