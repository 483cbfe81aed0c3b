// The person's passkeys: a list, one more, another name, one less. Each that is added or removed is
// told by mail.
import type { Context } from 'koa';
import { listPasskeys, relyingPartyOf } from '../../src/accounts/passkey.ts';
import {
  type CreationCeremony,
  createPasskey,
  removePasskey,
  renamePasskey,
  startPasskeyCreation,
} from '../../src/accounts/passkey-creation.ts';
import { isCode, TollgateError } from '../../src/errors.ts';
import { FIRST_PARTY_NAME } from '../../src/first-party/clients.ts';
import { deviceName } from '../../src/page/device.ts';
import { renderPage } from '../../src/page/document.tsx';
import { stayKnown } from '../known-device-cookie.ts';
import { passkeyAddedMail } from '../mail-texts.ts';
import { redirectTo } from './flash.ts';
import { noticeMail, ownWords } from './notices.ts';
import { PASSKEYS, PasskeyPage, PasskeysPage, passkeyPath } from './passkeys-pages.tsx';
import type { AccountDependencies, AccountRoute, AccountVisit } from './visit.ts';

export function createPasskeyRoutes(deps: AccountDependencies): AccountRoute[] {
  const { db } = deps;
  return [
    {
      method: 'GET',
      path: PASSKEYS,
      fresh: 'passkeys',
      async handle(ctx, visit) {
        const passkeys = await listPasskeys(db, visit.account.id);
        const creation = await startCreation(deps, visit);
        ctx.state.cspScript = true;
        const suggestion = deviceName(ctx.get('user-agent'));
        ctx.body = renderPage(<PasskeysPage {...{ visit, passkeys, creation, suggestion }} />);
      },
    },
    {
      method: 'POST',
      path: PASSKEYS,
      fresh: 'passkeys',
      async handle(ctx, visit, { ticket = '', response = '', name = '' }) {
        const problem = await add(deps, visit, { ticket, response, name: name.trim() });
        if (problem) return showProblem(deps, ctx, visit, PASSKEYS, { problem, name });
        redirectTo(ctx, deps, visit.account.id, PASSKEYS, { done: 'passkeyAdded' });
      },
    },
    {
      method: 'GET',
      path: '/passkeys/:passkey',
      fresh: 'passkeys',
      async handle(ctx, visit) {
        const passkeys = await listPasskeys(db, visit.account.id);
        const passkey = passkeys.find(({ id }) => id === ctx.params.passkey);
        if (!passkey) throw new TollgateError('not_found', 'There is no such passkey.');
        ctx.body = renderPage(<PasskeyPage visit={visit} passkey={passkey} />);
      },
    },
    {
      method: 'POST',
      path: '/passkeys/:passkey',
      fresh: 'passkeys',
      async handle(ctx, visit, { name = '' }) {
        const id = String(ctx.params.passkey);
        try {
          await visit.change((tx) => renamePasskey(tx, { accountId: visit.account.id, id, name }));
        } catch (error) {
          if (!isCode(error, 'invalid_request')) throw error;
          return showProblem(deps, ctx, visit, passkeyPath(id), { problem: 'passkeyName', name });
        }
        redirectTo(ctx, deps, visit.account.id, PASSKEYS, { done: 'passkeyRenamed' });
      },
    },
    {
      method: 'POST',
      path: '/passkeys/:passkey/remove',
      fresh: 'passkeys',
      async handle(ctx, visit) {
        const { account, session } = visit;
        await visit.change(async (tx) => {
          const which = { accountId: account.id, id: String(ctx.params.passkey) };
          const name = await removePasskey(tx, which);
          // Whoever signed in with it elsewhere has to do so again.
          const raise = { accountId: account.id, keepSession: session.sessionHash, now: deps.clock() };
          await deps.revokeAccount(tx, raise);
          await deps.mailer.queue(tx, noticeMail(visit, 'passkeyRemoved', account.email, name));
        });
        await stayKnown(deps, ctx, account.id);
        redirectTo(ctx, deps, account.id, PASSKEYS, { done: 'passkeyRemoved' });
      },
    },
  ];
}

function ceremonyOf({ config, keys, clock }: AccountDependencies, { session }: AccountVisit) {
  return { rp: relyingPartyOf(config.baseUrl, FIRST_PARTY_NAME), keys, boundTo: session.id, now: clock() };
}

function startCreation(deps: AccountDependencies, visit: AccountVisit): Promise<CreationCeremony> {
  return startPasskeyCreation(deps.db, { ...ceremonyOf(deps, visit), account: visit.account });
}

type Answer = { ticket: string; response: string; name: string };

/** @returns what was wrong, a key of `texts.problems`. */
async function add(
  deps: AccountDependencies,
  visit: AccountVisit,
  answer: Answer,
): Promise<'passkeyName' | 'passkeyTooMany' | 'passkeyNotMade' | undefined> {
  const { account } = visit;
  try {
    return await visit.change(async (tx, { proofId: ownerProofId }) => {
      const passkey = { ...ceremonyOf(deps, visit), ...answer, account, ownerProofId };
      const isMade = await createPasskey(tx, passkey);
      if (!isMade) return 'passkeyNotMade';
      await deps.mailer.queue(tx, passkeyAddedMail(ownWords(visit), account.email, answer.name));
    });
  } catch (error) {
    if (isCode(error, 'invalid_request')) return 'passkeyName';
    if (isCode(error, 'conflict')) return 'passkeyTooMany';
    throw error;
  }
}

function showProblem(
  deps: AccountDependencies,
  ctx: Context,
  { account }: AccountVisit,
  rest: string,
  { problem, name }: { problem: string; name: string },
): void {
  redirectTo(ctx, deps, account.id, rest, { problem, typed: { name } });
}
