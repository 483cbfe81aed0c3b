// The person whom the engine has signed in by the time of consent, for the pages after it.
import { type Account, findAccount } from '../src/accounts/account.ts';
import type { SessionAuthority } from '../src/accounts/authority.ts';
import { TollgateError } from '../src/errors.ts';
import type { Dependencies, Visit } from './visit.ts';

/** @throws TollgateError invalid_request when nobody is, or their account is gone. */
export async function signedInAccount(
  deps: Pick<Dependencies, 'db'>,
  { interaction }: Visit,
): Promise<Account> {
  const account = interaction.accountId ? await findAccount(deps.db, interaction.accountId) : undefined;
  if (!account) throw new TollgateError('invalid_request', 'Nobody is signed in.');
  return account;
}

/** What is decided on these pages is decided in the session that the interaction found. */
export function authorityOf({ interaction }: Visit): SessionAuthority {
  const { accountId = '', sessionHash = '' } = interaction;
  return { accountId, sessionHash };
}
