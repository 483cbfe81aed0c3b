// The end of a trial sign-in (src/first-party/trial.ts): the code is taken in the process, and the claims are those that the ID
// Token of a real sign-in to the same application would carry, its `sub` included.
import type Provider from 'oidc-provider';
import { findAccount } from '../../accounts/account.ts';
import { pairwiseSub } from '../../applications/customer.ts';
import type { Database } from '../../database/connection.ts';
import { type RedeemTrial, trialClientId } from '../../first-party/trial.ts';
import type { Keys } from '../../secrets.ts';
import { claimsByScope, claimsOf } from './claims.ts';
import { consumeCode } from './consumed-code.ts';

type Dependencies = {
  provider: Provider;
  db: Database;
  keys: Pick<Keys, 'pairwise'>;
  config: { baseUrl: string };
};

export function createTrialRedeem({ provider, db, keys, config }: Dependencies): RedeemTrial {
  return async ({ clientId, applicationId, ...presented }) => {
    const consumed = await consumeCode(provider, { ...presented, clientId: trialClientId(clientId) });
    const person = consumed && (await findAccount(db, consumed.accountId));
    if (!consumed || !person) return undefined;
    const named = new Set<string>(
      Object.entries(claimsByScope).flatMap(([scope, claims]) =>
        consumed.scopes.includes(scope) ? claims : [],
      ),
    );
    const claims = { ...claimsOf(person), sub: pairwiseSub(keys.pairwise, applicationId, person.id) };
    return {
      iss: config.baseUrl,
      aud: clientId,
      ...Object.fromEntries(Object.entries(claims).filter(([claim]) => named.has(claim))),
    };
  };
}
