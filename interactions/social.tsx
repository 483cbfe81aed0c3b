// Sign-in with a social provider: to the provider, back, and what follows. The identity is the provider's
// subject. An address that the provider vouches for makes a new account; one that has an account already leads to that
// account only after its owner has proven it once; one that nobody vouches for is no key to anything (threats 50, 51).
import type { Context } from 'koa';
import { findAccountByEmail, parsePersonName } from '../src/accounts/account.ts';
import { parseEmailAddress } from '../src/accounts/email-address.ts';
import { findProviderProof, opensFor, opensNothing, type Proof, recordProof } from '../src/accounts/proof.ts';
import { beginSocialAuthorization, finishSocialAuthorization } from '../src/accounts/social-authorization.ts';
import { findAccountBySocialIdentity, recordSocialUse } from '../src/accounts/social-identity.ts';
import type { FormFields } from '../src/http/form.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { seeOther } from '../src/http/redirect.ts';
import { withinPatience } from '../src/social/patience.ts';
import type { SocialPerson, SocialProvider } from '../src/social/provider.ts';
import { finishWithNewAccount, signIn } from './finish.ts';
import type { FlashNotice } from './flash.ts';
import { redirectTo } from './flash.ts';
import { sendCode } from './send-code.ts';
import { offeredProviders } from './social-buttons.tsx';
import { openAnswer } from './social-callback.ts';
import { showSocialProof } from './social-proof.tsx';
import { type Dependencies, placeOf, type Visit } from './visit.ts';

export function createSocial(deps: Dependencies) {
  const providerOf = (id: unknown) => deps.social.find((provider) => provider.id === id);
  const turnBack = (ctx: Context, visit: Visit, notice: FlashNotice, provider?: SocialProvider) =>
    redirectTo(ctx, deps, visit, 'sign-in', { notice, ...(provider && { provider: provider.name }) });

  return {
    /** To the provider. */
    async start(ctx: Context, visit: Visit): Promise<void> {
      await deps.rateLimiter.consume('sign_in_posts', ipAddressKey(ctx.state.ipAddress));
      const provider = offeredProviders(deps, visit).find(({ id }) => id === ctx.query.provider);
      if (!provider) return seeOther(ctx, visit.path('sign-in'));
      await deps.keepInteraction(visit.interaction.uid);
      const authorization = await beginSocialAuthorization(deps.db, {
        ...requestOf(visit, provider),
        keys: deps.keys,
        now: deps.clock(),
      });
      const providerUrl = await attempt(deps, provider, () => provider.authorizationUrl(authorization));
      if (!providerUrl) return turnBack(ctx, visit, 'socialFailed', provider);
      seeOther(ctx, providerUrl);
    },

    /** Back from the provider, in the browser that went there. */
    async arrive(ctx: Context, visit: Visit): Promise<void> {
      const answer = openAnswer(deps.keys, ctx.query.answer);
      const provider = providerOf(answer?.provider);
      if (!answer || !provider) return turnBack(ctx, visit, 'socialOver');
      const { state, parameters } = answer;
      const { keys, clock } = deps;
      const authorization = await finishSocialAuthorization(deps.db, {
        ...requestOf(visit, provider),
        keys,
        state,
        clock,
      });
      if (!authorization || !deps.formGuard.browser(ctx)) return turnBack(ctx, visit, 'socialOver', provider);
      if (parameters.has('error')) return turnBack(ctx, visit, noticeOf(parameters.get('error')), provider);
      const person = await attempt(deps, provider, () => provider.identify(parameters, authorization));
      if (!person) return turnBack(ctx, visit, 'socialFailed', provider);
      await welcome(deps, ctx, visit, { provider, person, returnedAt: authorization.returnedAt });
    },

    async showProof(ctx: Context, visit: Visit): Promise<void> {
      const pending = await findPendingIdentity(deps, ctx, visit);
      if (!pending) return seeOther(ctx, visit.path('sign-in'));
      const provider = providerOf(pending.provider)?.name ?? pending.provider ?? '';
      showSocialProof(ctx, visit, { pending, provider });
    },

    async submitProof(ctx: Context, visit: Visit, fields: FormFields): Promise<void> {
      const pending = await findPendingIdentity(deps, ctx, visit);
      if (!pending) return seeOther(ctx, visit.path('sign-in'));
      // What a provider vouches for is not the form's to change.
      const typed = pending.isMailboxVerified ? pending.mailbox : fields.email;
      const email = parseEmailAddress(typed);
      if (!email)
        return redirectTo(ctx, deps, visit, 'social-proof', { problem: 'invalidEmail', email: typed ?? '' });
      await sendCode(deps, ctx, visit, { kind: 'sign_in', email, linkProofId: pending.id });
    },
  };
}

type Arrival = { provider: SocialProvider; person: SocialPerson; returnedAt: Date };

/** What the provider says becomes a proof, whatever follows from it; an address that it does not vouch for stays its word. */
async function welcome(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
  { provider, person, returnedAt }: Arrival,
): Promise<void> {
  const which = { provider: provider.id, subject: person.subject };
  const account = await findAccountBySocialIdentity(deps.db, which);
  const mailbox = parseEmailAddress(person.email);
  const isMailboxVerified = person.emailVerified && mailbox !== undefined;
  const name = parsePersonName(person.name);
  const isFree = isMailboxVerified && !(await findAccountByEmail(deps.db, mailbox));
  const proof = await recordProof(deps.db, {
    place: placeOf(deps, ctx, visit),
    purpose: 'sign_in',
    method: 'provider',
    ...which,
    mailbox,
    isMailboxVerified,
    name,
    opens: account || isFree ? opensFor(account) : opensNothing,
    provenAt: returnedAt,
  });
  if (account) {
    await recordSocialUse(deps.db, { ...which, now: deps.clock() });
    return signIn(deps, ctx, visit, proof);
  }
  if (!proof.isNewAccount) return seeOther(ctx, visit.path('social-proof'));
  if (!name) return seeOther(ctx, visit.path('welcome'));
  await deps.rateLimiter.consume('registrations', ipAddressKey(ctx.state.ipAddress));
  await finishWithNewAccount(deps, ctx, visit, proof, { name, passwordHash: null });
}

/** The identity that came last, as long as it opens no account by itself. */
async function findPendingIdentity(
  deps: Dependencies,
  ctx: Context,
  visit: Visit,
): Promise<Proof | undefined> {
  const word = await findProviderProof(deps.db, placeOf(deps, ctx, visit));
  return word && (word.isNewAccount || word.accountId === null) ? word : undefined;
}

function requestOf(visit: Visit, provider: SocialProvider) {
  return { provider: provider.id, purpose: 'sign_in', uid: visit.interaction.uid } as const;
}

/** undefined when the provider did not do its part; why is for the log. */
export async function attempt<T>(
  deps: Pick<Dependencies, 'log'>,
  provider: SocialProvider,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await withinPatience(ask());
  } catch (error) {
    deps.log.warn({ err: error, provider: provider.id }, 'social sign-in failed');
    return undefined;
  }
}

/** Both are the person's own decision; anything else is a fault of the provider or of our registration there. */
export function noticeOf(error: string | null): 'socialCancelled' | 'socialFailed' {
  return error === 'access_denied' || error === 'user_cancelled_authorize'
    ? 'socialCancelled'
    : 'socialFailed';
}
