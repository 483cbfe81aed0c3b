// Passkeys on the hosted pages (issue 5): a way to sign in beside code and password, and the offer of one to somebody
// who signed in to an application for the first time and has none yet.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import {
  listPasskeys,
  relyingPartyOf,
  startPasskeySignIn,
  verifyPasskeySignIn,
} from '../src/accounts/passkey.ts';
import { createPasskey, startPasskeyCreation } from '../src/accounts/passkey-creation.ts';
import type { FormFields } from '../src/form.ts';
import { OWN_NAME } from '../src/own-pages.ts';
import { Button, Form } from '../src/page/button.tsx';
import { deviceName } from '../src/page/device.ts';
import { renderPage } from '../src/page/document.tsx';
import { Notice } from '../src/page/notice.tsx';
import { PasskeyForm } from '../src/page/passkey-form.tsx';
import { finish } from './finish.ts';
import { Frame } from './frame.tsx';
import { leaveFor } from './leave.ts';
import { passkeyAddedMail } from './mail-texts.tsx';
import { signedInAccount } from './signed-in.ts';
import { note, seeOther, type Tools, type Visit } from './visit.ts';

export function createPasskeys(tools: Tools) {
  return {
    /** The sign-in page's form, answered. */
    async signIn(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const { ticket = '', response = '' } = fields;
      const outcome = await verifyPasskeySignIn(tools.db, { ...ceremonyOf(tools, visit), ticket, response });
      if (outcome.result === 'right')
        return finish(tools, ctx, visit, { account: outcome.account, amr: 'pop' });
      if (outcome.reason === 'cloned')
        tools.log.warn({ passkey: 'cloned' }, 'the counter of a passkey went back');
      note(tools, visit, 'passkey_refused', `passkey_${outcome.reason}`);
      leaveFor(ctx, tools, visit, 'sign-in', { remark: 'passkeyRefused' });
    },

    async showOffer(ctx: Context, visit: Visit): Promise<void> {
      const account = await signedInAccount(tools, visit);
      const creation = await startPasskeyCreation(tools.db, { ...ceremonyOf(tools, visit), account });
      ctx.state.cspScript = true;
      ctx.body = renderPage(<OfferPage visit={visit} {...creation} />);
    },

    /** Whatever the answer is, the sign-in goes on. */
    async answerOffer(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const account = await signedInAccount(tools, visit);
      const { ticket = '', response = '' } = fields;
      if (response !== '') {
        const name = deviceName(ctx.get('user-agent'));
        const answer = { ...ceremonyOf(tools, visit), account, ticket, response, name };
        if (!(await createPasskey(tools.db, answer)))
          return leaveFor(ctx, tools, visit, 'passkey-offer', { remark: 'passkeyRefused' });
        await tools.mailer.queue(tools.db, passkeyAddedMail(visit, account.email, name));
      }
      await tools.exit.consent(ctx, visit.interaction.uid);
    },
  };
}

/** After a yes to an application: on a device that could have a passkey, to somebody who has none. */
export async function leadsToOffer(
  tools: Tools,
  ctx: Context,
  visit: Visit,
  { account, fields }: { account: Account; fields: FormFields },
): Promise<boolean> {
  if (fields.passkeys !== 'yes' || (await listPasskeys(tools.db, account.id)).length > 0) return false;
  seeOther(ctx, visit.path('passkey-offer'));
  return true;
}

/** For the sign-in page. */
export async function passkeySignInForm(tools: Tools, ctx: Context, visit: Visit) {
  const { options, ticket } = await startPasskeySignIn(ceremonyOf(tools, visit));
  ctx.state.cspScript = true;
  const { texts } = visit;
  return (
    <PasskeyForm
      purpose="get"
      action={visit.path('passkey')}
      token={visit.token('passkey')}
      options={options}
      ticket={ticket}
      label={texts.passkey.use}
      problem={texts.passkey.nothingHappened}
    />
  );
}

function ceremonyOf({ config, keys, clock }: Tools, { interaction }: Visit) {
  return { rp: relyingPartyOf(config.baseUrl, OWN_NAME), keys, boundTo: interaction.uid, now: clock() };
}

function OfferPage({ visit, options, ticket }: { visit: Visit; options: object; ticket: string }) {
  const { texts, message } = visit;
  const action = visit.path('passkey-offer');
  const token = visit.token('passkey-offer');
  return (
    <Frame
      visit={visit}
      heading={texts.passkey.offerHeading}
      lead={texts.passkey.offerLead}
      scripts={['passkey']}
      cancels="in the page"
    >
      <div class="stack-tight">
        {message.remark === 'passkeyRefused' && <Notice kind="problem">{texts.passkey.notCreated}</Notice>}
        <PasskeyForm
          purpose="create"
          kind="primary"
          action={action}
          token={token}
          options={options}
          ticket={ticket}
          label={texts.passkey.create}
          problem={texts.passkey.nothingHappened}
        />
        <Form action={action} token={token}>
          <Button kind="secondary">{texts.passkey.later}</Button>
        </Form>
      </div>
    </Frame>
  );
}
