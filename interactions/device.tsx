// Whether a device may sign in (RFC 8628 §5.4): asked of whoever is signed in, for each device, whatever they agreed to
// before. Names the application and what it will see, and warns of codes that came from somebody else.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { withSessionAuthority } from '../src/accounts/authority.ts';
import { recordConsent } from '../src/applications/consent.ts';
import type { FormFields } from '../src/http/form.ts';
import { Form } from '../src/page/button.tsx';
import { renderPage } from '../src/page/document.tsx';
import { Notice } from '../src/page/notice.tsx';
import { Decision, SharedFacts, SignedInAs } from './consent.tsx';
import { Frame } from './frame.tsx';
import { authorityOf, signedInAccount } from './signed-in.ts';
import { hasRoom, showNoRoom } from './test-mode.tsx';
import { deviceTexts } from './texts/device.ts';
import { type Dependencies, note, type Visit } from './visit.ts';

export function createDevice(deps: Dependencies) {
  return {
    async show(ctx: Context, visit: Visit): Promise<void> {
      const account = await signedInAccount(deps, visit);
      if (!(await hasRoom(deps, visit, account))) return showNoRoom(deps, ctx, visit);
      ctx.body = renderPage(<ConfirmationPage visit={visit} account={account} />);
    },

    async submit(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const { uid, scopes } = visit.interaction;
      // Anything but an outspoken yes is a no.
      if (fields.decision !== 'allow') {
        await deps.exit.cancel(ctx, uid);
        return note(deps, visit, 'device_refused', 'device_denied');
      }
      const { id: accountId } = await signedInAccount(deps, visit);
      const applicationId = visit.application.id;
      await withSessionAuthority(deps, authorityOf(visit), (tx) =>
        recordConsent(tx, { applicationId, accountId, scopes, now: deps.clock() }),
      );
      await deps.exit.confirmDevice(ctx, uid);
      note(deps, visit, 'device_confirmed');
    },
  };
}

function ConfirmationPage({ visit, account }: { visit: Visit; account: Account }) {
  const { application, language } = visit;
  const texts = deviceTexts[language];
  return (
    <Frame
      visit={visit}
      heading={texts.confirmHeading(application.name)}
      lead={texts.confirmLead(application.name)}
      cancels="in the page"
    >
      <div class="stack">
        <Notice kind="warning">{texts.warning}</Notice>
        <SharedFacts visit={visit} account={account} />
        <Form action={visit.path('device')} token={visit.token('device')}>
          <Decision allow={texts.allow} deny={texts.deny} />
        </Form>
        <SignedInAs visit={visit} account={account} />
      </div>
    </Frame>
  );
}
