// Passkeys on the hosted pages: a way to sign in beside code and password, and the offer of one to somebody
// who signed in to an application for the first time and has none yet.
import type { Context } from 'koa';
import type { Account } from '../src/accounts/account.ts';
import { findLivingSession, withSessionAuthority } from '../src/accounts/authority.ts';
import {
  listPasskeys,
  relyingPartyOf,
  startPasskeySignIn,
  verifyPasskeySignIn,
} from '../src/accounts/passkey.ts';
import {
  type CreationCeremony,
  createPasskey,
  startPasskeyCreation,
} from '../src/accounts/passkey-creation.ts';
import { FIRST_PARTY_NAME } from '../src/first-party/clients.ts';
import type { FormFields } from '../src/http/form.ts';
import { seeOther } from '../src/http/redirect.ts';
import { Button, Form } from '../src/page/button.tsx';
import { deviceName } from '../src/page/device.ts';
import { renderPage } from '../src/page/document.tsx';
import { Notice } from '../src/page/notice.tsx';
import { PasskeyForm } from '../src/page/passkey-form.tsx';
import { seal, unseal } from '../src/secrets.ts';
import { signIn } from './finish.ts';
import { redirectAt, redirectTo } from './flash.ts';
import { Frame } from './frame.tsx';
import { passkeyAddedMail } from './mail-texts.ts';
import { authorityOf, signedInAccount } from './signed-in.ts';
import { type Dependencies, note, placeOf, type Visit } from './visit.ts';

export function createPasskeys(deps: Dependencies) {
  return {
    /** The sign-in page's form, answered. */
    async signIn(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const { ticket = '', response = '' } = fields;
      const { browser } = placeOf(deps, ctx, visit);
      const attempt = { ...ceremonyOf(deps, visit), browser, clock: deps.clock, ticket, response };
      const outcome = await verifyPasskeySignIn(deps.db, attempt);
      if (outcome.result === 'right') return signIn(deps, ctx, visit, outcome.proof);
      if (outcome.reason === 'cloned')
        deps.log.warn({ passkey: 'cloned' }, 'the counter of a passkey went back');
      note(deps, visit, 'passkey_refused', `passkey_${outcome.reason}`);
      redirectTo(ctx, deps, visit, 'sign-in', { notice: 'passkeyRefused' });
    },

    async showOffer(ctx: Context, visit: Visit): Promise<void> {
      if (!hasAnswered(deps, ctx, visit)) return seeOther(ctx, visit.path('consent'));
      const account = await signedInAccount(deps, visit);
      const isFresh = (await findLivingSession(deps, authorityOf(visit)))?.isFresh === true;
      const ceremony = { ...ceremonyOf(deps, visit), account };
      const creation = isFresh ? await startPasskeyCreation(deps.db, ceremony) : undefined;
      ctx.state.cspScript = true;
      ctx.body = renderPage(<OfferPage visit={visit} creation={creation} action={offerPath(deps, visit)} />);
    },

    /** Whatever the answer is, the sign-in goes on, once the person has agreed to it. */
    async answerOffer(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      if (!hasAnswered(deps, ctx, visit)) return seeOther(ctx, visit.path('consent'));
      const { ticket = '', response = '' } = fields;
      if (response !== '') {
        const name = deviceName(ctx.get('user-agent'));
        if (!(await createOffered(deps, visit, { ticket, response, name })))
          return redirectAt(ctx, deps, visit, offerPath(deps, visit), { notice: 'passkeyRefused' });
      }
      await deps.exit.consent(ctx, visit.interaction.uid);
    },
  };
}

/**
 * The yes to this very request, on its way through the offer: that page is no answer to the question before it, whatever
 * the person agreed to at other times.
 */
function offerPath(deps: Dependencies, visit: Visit): string {
  const { interaction } = visit;
  const agreed = seal(deps.keys, AGREED, agreementOf(interaction));
  return `${visit.path('passkey-offer')}?agreed=${agreed}`;
}

function hasAnswered(deps: Dependencies, ctx: Context, { interaction }: Visit): boolean {
  try {
    return unseal(deps.keys, String(ctx.query.agreed), agreementOf(interaction)) === AGREED;
  } catch {
    // Cut, forged or another request's: as good as none.
    return false;
  }
}

const AGREED = 'agreed';

function agreementOf({ uid, sessionHash }: Visit['interaction']): string {
  return `consent ${uid} ${sessionHash}`;
}

type Answer = { ticket: string; response: string; name: string };

/** A lasting way in needs a sign-in of the last five minutes, here as on the account page. */
async function createOffered(deps: Dependencies, visit: Visit, answer: Answer): Promise<boolean> {
  return withSessionAuthority(deps, authorityOf(visit), async (tx, { account, proofId, isFresh }) => {
    const passkey = { ...ceremonyOf(deps, visit), ...answer, account, ownerProofId: proofId };
    if (!isFresh || !(await createPasskey(tx, passkey))) return false;
    await deps.mailer.queue(tx, passkeyAddedMail(visit, account.email, answer.name));
    return true;
  });
}

/** After a yes to an application: on a device that could have a passkey, to somebody who has none and just signed in. */
export async function leadsToOffer(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  { account, fields }: { account: Account; fields: FormFields },
): Promise<boolean> {
  if (fields.passkeys !== 'yes' || (await listPasskeys(deps.db, account.id)).length > 0) return false;
  if (!(await findLivingSession(deps, authorityOf(visit)))?.isFresh) return false;
  seeOther(ctx, offerPath(deps, visit));
  return true;
}

/** For the sign-in page. */
export async function passkeySignInForm(deps: Dependencies, ctx: Context, visit: Visit) {
  const { options, ticket } = await startPasskeySignIn(ceremonyOf(deps, visit));
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

function ceremonyOf({ config, keys, clock }: Dependencies, { interaction }: Visit) {
  return {
    rp: relyingPartyOf(config.baseUrl, FIRST_PARTY_NAME),
    keys,
    boundTo: interaction.uid,
    now: clock(),
  };
}

function OfferPage({
  visit,
  creation,
  action,
}: {
  visit: Visit;
  creation: CreationCeremony | undefined;
  action: string;
}) {
  const { texts, flash } = visit;
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
        {flash.notice === 'passkeyRefused' && <Notice kind="problem">{texts.passkey.notCreated}</Notice>}
        {creation && (
          <PasskeyForm
            purpose="create"
            kind="primary"
            action={action}
            token={token}
            options={creation.options}
            ticket={creation.ticket}
            label={texts.passkey.create}
            problem={texts.passkey.nothingHappened}
          />
        )}
        <Form action={action} token={token}>
          <Button kind="secondary">{texts.passkey.later}</Button>
        </Form>
      </div>
    </Frame>
  );
}
