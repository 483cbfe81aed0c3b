// Operations on people's data: hand over a copy or delete it, as the person's own account page does; prove all of it.
import { z } from 'zod';
import { copyOfPerson, endPerson } from '../../interactions/account/person.ts';
import { type Account, findAccount, findAccountByEmail } from '../accounts/account.ts';
import { parseEmailAddress } from '../accounts/email-address.ts';
import { accountsProof } from '../accounts/verify.ts';
import { type Database, transaction } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { byOperator, type Operation, operation, proof } from './operation.ts';

const person = z.strictObject({ account: z.string() });

export const peopleOperations: Record<string, Operation> = {
  'account export': operation(person, async ({ db }, input) =>
    copyOfPerson(db, await chooseAccount(db, input.account)),
  ),

  'account delete': operation(person, async ({ db, clock }, input) =>
    transaction(db, async (tx) => {
      const account = await chooseAccount(tx, input.account);
      const { now, ...operator } = byOperator(clock());
      const applications = await endPerson(tx, {
        account,
        by: { action: 'member.removed', ...operator },
        now,
      });
      return { accountId: account.id, deleted: true, applications };
    }),
  ),

  'accounts verify': proof(accountsProof),
};

async function chooseAccount(db: Database, wanted: string): Promise<Account> {
  const email = parseEmailAddress(wanted);
  const account =
    (await findAccount(db, wanted)) ?? (email ? await findAccountByEmail(db, email) : undefined);
  if (account) return account;
  throw new TollgateError('not_found', `There is no account ${JSON.stringify(wanted)}.`);
}
