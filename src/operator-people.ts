// Operations on a person's data: hand over a copy, or delete it. The ledger keeps its entries under the customer's
// `sub`, which nothing leads back to the person once the account is gone.
import { z } from 'zod';
import { revokeAccountInSql } from '../adapters/revoke.ts';
import { type Account, findAccount, findAccountByEmail } from './accounts/account.ts';
import { accountForOwner, deleteAccount } from './accounts/deletion.ts';
import { parseEmailAddress } from './accounts/email-address.ts';
import { deleteConsents, listCustomerships } from './applications/customerships.ts';
import { type Database, transaction } from './database.ts';
import { TollgateError } from './errors.ts';
import { type Operation, operation } from './operation.ts';
import { forgetCustomerInWebhooks } from './webhooks/forget.ts';

const person = z.strictObject({ account: z.string() });

export const peopleOperations: Record<string, Operation> = {
  'account export': operation(person, async ({ db }, input) => {
    const account = await chooseAccount(db, input.account);
    const applications = await listCustomerships(db, account.id);
    return {
      account: accountForOwner(account),
      applications: applications.map((one) => ({
        application_id: one.applicationId,
        name: one.applicationName,
        sub: one.sub,
        agreed_scopes: one.scopes,
        registered_at: one.registeredAt.toISOString(),
        last_sign_in_at: one.lastSignInAt.toISOString(),
        sign_in_count: one.signInCount,
      })),
    };
  }),

  'account delete': operation(person, async ({ db }, input) =>
    transaction(db, async (tx) => {
      const account = await chooseAccount(tx, input.account);
      const applications = await listCustomerships(tx, account.id);
      for (const customer of applications) await forgetCustomerInWebhooks(tx, customer);
      await deleteConsents(tx, account.id);
      await revokeAccountInSql(tx, account.id);
      // Whatever another store still holds of this account is worthless from here on: the engine looks it up.
      await deleteAccount(tx, account);
      return { accountId: account.id, deleted: true, applications: applications.length };
    }),
  ),
};

async function chooseAccount(db: Database, wanted: string): Promise<Account> {
  const email = parseEmailAddress(wanted);
  const account =
    (await findAccount(db, wanted)) ?? (email ? await findAccountByEmail(db, email) : undefined);
  if (account) return account;
  throw new TollgateError('not_found', `There is no account ${JSON.stringify(wanted)}.`);
}
