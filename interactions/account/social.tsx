// The person's accounts at social providers: linked by an authorization request that only this page session can end
// (threats 46 to 48), unlinked by a button. Both are told by mail. A code by mail always remains a way to sign in.
import type { Context } from 'koa';
import { parseEmailAddress } from '../../src/accounts/email-address.ts';
import { opensFor, recordProof } from '../../src/accounts/proof.ts';
import {
  beginSocialAuthorization,
  finishSocialAuthorization,
} from '../../src/accounts/social-authorization.ts';
import {
  findAccountBySocialIdentity,
  linkSocialIdentity,
  listSocialIdentities,
  unlinkSocialIdentity,
} from '../../src/accounts/social-identity.ts';
import { renderPage } from '../../src/page/document.tsx';
import { goOn } from '../../src/page/going-on.tsx';
import type { SocialPerson, SocialProvider } from '../../src/social/provider.ts';
import { stayKnown } from '../known-device-cookie.ts';
import { socialLinkedMail } from '../mail-texts.ts';
import { attempt, noticeOf } from '../social.tsx';
import { openAnswer } from '../social-callback.ts';
import type { Flash } from './flash.ts';
import { redirectTo } from './flash.ts';
import { noticeMail, ownWords } from './notices.ts';
import { LINK, SOCIAL, SocialPage, UNLINK } from './social-page.tsx';
import type { AccountDependencies, AccountRoute, AccountVisit } from './visit.ts';

export function createSocialRoutes(deps: AccountDependencies): AccountRoute[] {
  const providerOf = (id: unknown) => deps.social.find((provider) => provider.id === id);
  // Whoever was away for long is not asked to sign in again only to read what came of it.
  const back = (ctx: Context, visit: AccountVisit, flash: Flash) =>
    redirectTo(ctx, deps, visit.account.id, visit.isFresh ? SOCIAL : '', flash);
  return [
    {
      method: 'GET',
      path: SOCIAL,
      fresh: 'social',
      async handle(ctx, visit) {
        const identities = await listSocialIdentities(deps.db, visit.account.id);
        const providers = deps.social;
        ctx.body = renderPage(<SocialPage {...{ visit, identities, providers }} />);
      },
    },
    {
      // A form with a token, not a link: nobody else may begin this (they might have chosen the account there).
      method: 'POST',
      path: LINK,
      fresh: 'social',
      async handle(ctx, visit, fields) {
        const provider = providerOf(fields.provider);
        if (!provider) return back(ctx, visit, { problem: 'unknown' });
        const { keys, clock } = deps;
        const authorization = await beginSocialAuthorization(deps.db, {
          ...requestOf(visit, provider),
          keys,
          now: clock(),
        });
        const providerUrl = await attempt(deps, provider, () => provider.authorizationUrl(authorization));
        if (!providerUrl) return back(ctx, visit, { problem: 'socialFailed' });
        // Not a redirect: the policy's form-action would hold against all that the provider does on its own site.
        goOn(ctx, providerUrl);
      },
    },
    {
      // Where interactions/social-callback.ts sends the browser.
      method: 'GET',
      path: '/social-return',
      async handle(ctx, visit) {
        back(ctx, visit, await arrive(deps, visit, ctx.query.answer));
      },
    },
    {
      method: 'POST',
      path: UNLINK,
      fresh: 'social',
      async handle(ctx, visit, { provider = '' }) {
        const { account, session } = visit;
        const isUnlinked = await visit.change(async (tx) => {
          if (!(await unlinkSocialIdentity(tx, { accountId: account.id, provider }))) return false;
          // Whoever signed in with it elsewhere has to find another way.
          const raise = { accountId: account.id, keepSession: session.sessionHash, now: deps.clock() };
          await deps.revokeAccount(tx, raise);
          const name = providerOf(provider)?.name ?? provider;
          await deps.mailer.queue(tx, noticeMail(visit, 'socialUnlinked', account.email, name));
          return true;
        });
        await stayKnown(deps, ctx, account.id);
        back(ctx, visit, isUnlinked ? { done: 'socialUnlinked' } : { problem: 'unknown' });
      },
    },
  ];
}

function requestOf({ session }: AccountVisit, provider: Pick<SocialProvider, 'id'>) {
  return { provider: provider.id, purpose: 'link', uid: session.id } as const;
}

/** An answer to a request of another session, that came once before or comes too late, ends here. */
async function arrive(deps: AccountDependencies, visit: AccountVisit, sealed: unknown): Promise<Flash> {
  const answer = openAnswer(deps.keys, sealed);
  const provider = deps.social.find(({ id }) => id === answer?.provider);
  if (!answer || !provider) return { problem: 'socialOver' };
  const { state, parameters } = answer;
  const { keys, clock } = deps;
  const authorization = await finishSocialAuthorization(deps.db, {
    ...requestOf(visit, provider),
    keys,
    state,
    clock,
  });
  if (!authorization) return { problem: 'socialOver' };
  if (parameters.has('error')) return { problem: noticeOf(parameters.get('error')) };
  const person = await attempt(deps, provider, () => provider.identify(parameters, authorization));
  if (!person) return { problem: 'socialFailed' };
  return link(deps, visit, { provider, person, returnedAt: authorization.returnedAt });
}

type Identified = { provider: SocialProvider; person: SocialPerson; returnedAt: Date };

async function link(
  deps: AccountDependencies,
  visit: AccountVisit,
  { provider, person, returnedAt }: Identified,
): Promise<Flash> {
  const { account } = visit;
  const which = { provider: provider.id, subject: person.subject };
  const mailbox = parseEmailAddress(person.email);
  const isLinked = await visit.change(async (tx, owner) => {
    const proof = await recordProof(tx, {
      place: visit.place,
      purpose: 'link',
      method: 'provider',
      ...which,
      mailbox,
      isMailboxVerified: person.emailVerified && mailbox !== undefined,
      name: person.name,
      opens: opensFor(owner.account),
      provenAt: returnedAt,
    });
    const link = { proofId: proof.id, ownerProofId: owner.proofId, now: deps.clock() };
    if (!(await linkSocialIdentity(tx, link))) return false;
    await deps.mailer.queue(tx, socialLinkedMail(ownWords(visit), account.email, provider.name));
    return true;
  });
  if (isLinked) return { done: 'socialLinked' };
  const owner = await findAccountBySocialIdentity(deps.db, which);
  if (owner?.id === account.id) return { done: 'socialThere' };
  return { problem: owner ? 'socialTaken' : 'socialSecond' };
}
