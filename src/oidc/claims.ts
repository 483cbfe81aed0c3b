// Who a person is to an application: claims by scope, in the ID Token and at UserInfo alike, under a `sub` that
// means nothing to any other application (sections 1.10, 2 and 4.4 of the specification).
import type { Account, Client, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { findAccounts, type Account as Person } from '../accounts/account.ts';
import { pairwiseSub } from '../applications/customer.ts';
import { createReader } from '../batch.ts';
import type { Database } from '../database.ts';
import { readBatches } from '../limits.ts';
import type { Keys } from '../secrets.ts';
import { applicationIdOf } from './client.ts';

export const claimsByScope = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name', 'updated_at'],
};

/** A deleted account is `undefined`: its codes answer invalid_grant, its access tokens invalid_token. */
export function accountsForEngine(db: Database): FindAccount {
  const read = createReader({ find: (ids) => findAccounts(db, ids), ...readBatches });
  return async (_ctx, accountId) => {
    const person = await read(accountId);
    return person && forEngine(person);
  };
}

function forEngine(person: Person): Account {
  const claims = {
    sub: person.id,
    email: person.email,
    email_verified: person.emailVerified,
    // A claim without a value is left out, never null (OpenID Connect Core §5.3.2).
    ...(person.name ? { name: person.name } : {}),
    updated_at: Math.floor(person.updatedAt.getTime() / 1000),
  };
  return { accountId: person.id, claims: () => claims };
}

export function pairwiseIdentifier(keys: Pick<Keys, 'pairwise'>) {
  return (_ctx: KoaContextWithOIDC, accountId: string, client: Client): string =>
    pairwiseSub(keys.pairwise, applicationIdOf(client), accountId);
}
