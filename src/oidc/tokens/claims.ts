// Who a person is to an application: claims by scope, in the ID Token and at UserInfo alike, under a `sub` that
// means nothing to any other application (promise 11).
import type { Account, Client, FindAccount, KoaContextWithOIDC } from 'oidc-provider';
import { accountsFinder, type Account as Person } from '../../accounts/account.ts';
import { pairwiseSub } from '../../applications/customer.ts';
import { personalClaims } from '../../applications/scopes.ts';
import { type AskedAhead, createAskedAhead } from '../../database/asked-ahead.ts';
import { createReader } from '../../database/batch.ts';
import type { Database } from '../../database/connection.ts';
import { readBatches } from '../../limits/stores.ts';
import type { Keys } from '../../secrets.ts';
import { applicationIdOf } from '../clients/client.ts';
import { applyLogin, type LoginDependencies, loginOf } from '../sessions/login.ts';

/** How the person signed in (`acr`, `amr`) is in the ID Token without being asked for; it is no claim of UserInfo. */
export const claimsByScope = {
  openid: ['sub', 'acr', 'amr'],
  ...personalClaims,
};

/** Accounts as they are when a request asks. */
export type AccountsAhead = AskedAhead<Person | undefined>;

export function createAccountsAhead(lookUps: Database): AccountsAhead {
  return createAskedAhead(createReader({ find: accountsFinder(lookUps), ...readBatches }));
}

/**
 * A deleted account is `undefined`: its codes answer invalid_grant, its access tokens invalid_token. So is the account of
 * a sign-in that no longer counts, or was made in another browser: the person is asked to sign in again.
 */
export function accountsForEngine(accounts: AccountsAhead, logins: LoginDependencies): FindAccount {
  return async (ctx, accountId) => {
    const login = loginOf(ctx);
    if (login && !(await applyLogin(logins, ctx, login))) return undefined;
    const person = await accounts.find(ctx.req, accountId);
    return person && forEngine(person);
  };
}

function forEngine(person: Person): Account {
  const claims = claimsOf(person);
  return { accountId: person.id, claims: () => claims };
}

/** All that there are; the engine and trial-sign-in.ts pick by scope and put the application's own `sub` in. */
export function claimsOf(person: Person) {
  return {
    sub: person.id,
    email: person.email,
    email_verified: person.emailVerified,
    // A claim without a value is left out, never null (OpenID Connect Core §5.3.2).
    ...(person.name ? { name: person.name } : {}),
    updated_at: Math.floor(person.updatedAt.getTime() / 1000),
  };
}

export function pairwiseIdentifier(keys: Pick<Keys, 'pairwise'>) {
  return (_ctx: KoaContextWithOIDC, accountId: string, client: Client): string =>
    pairwiseSub(keys.pairwise, applicationIdOf(client), accountId);
}
