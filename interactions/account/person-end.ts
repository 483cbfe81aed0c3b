// What is left to do once a person's account is closed: everything that names them, across all rooms, a bite at a time.
// What applications hold first, which are told of the end; then customers, with their webhooks, since they lead from the account to what companies keep; the account itself last.
import { z } from 'zod';
import { deleteSomeOfAccount } from '../../src/accounts/deletion.ts';
import type { EndedPerson } from '../../src/accounts/proof-end.ts';
import {
  deleteSomeConsents,
  findCustomerOfAccount,
  forgetCustomerOfAccount,
} from '../../src/applications/customers-of-account.ts';
import type { Database } from '../../src/database/connection.ts';
import type { Place } from '../../src/database/pagination.ts';
import { beginWork, type WorkKind } from '../../src/queue/long-work.ts';
import { forgetSomeInWebhooks } from '../../src/webhooks/forget-person.ts';
import { endSomeGrants } from '../../src/webhooks/logout-notice.ts';

/** Of `long_work`; its subject is the account's id. */
export const ACCOUNT_END = 'account_end';

const detailOf = z.object({
  email: z.string(),
  identities: z.array(z.string()),
  closedAt: z.iso.datetime().transform((text) => new Date(text)),
});

/** In the transaction that closes the account. `total`: rows, about. */
export async function beginForgetting(tx: Database, person: EndedPerson, total: number): Promise<void> {
  const { id: subject, email, identities, closedAt } = person;
  const detail = { email, identities, closedAt: closedAt.toISOString() };
  await beginWork(tx, { kind: ACCOUNT_END, subject, detail, total, now: closedAt });
}

export const accountEnd: WorkKind = {
  async bite(tx, { subject: id, detail, cursor, rows, now }) {
    const grants = await endSomeGrants(tx, { accountId: id, rows, now });
    if (grants > 0) return { rows: grants, cursor: OF_THE_ACCOUNT };
    const person = { id, ...detailOf.parse(detail) };
    const customer = await forgetNextCustomer(tx, { accountId: id, cursor, rows });
    if (customer) return customer;
    const consents = await deleteSomeConsents(tx, id, rows);
    if (consents > 0) return { rows: consents, cursor: OF_THE_ACCOUNT };
    const deleted = await deleteSomeOfAccount(tx, person, rows);
    return { rows: deleted, cursor: deleted > 0 ? OF_THE_ACCOUNT : null };
  },
};

const NEXT_CUSTOMER = 'customer';
const OF_THE_ACCOUNT = 'account';

/** Some of the webhooks of one customer; with the last of them goes its name. undefined: there is no customer left. */
async function forgetNextCustomer(
  tx: Database,
  { accountId, cursor, rows }: { accountId: string; cursor: string | null; rows: number },
): Promise<{ rows: number; cursor: string } | undefined> {
  const customer = await findCustomerOfAccount(tx, accountId);
  if (!customer) return undefined;
  const after = readPlace(cursor, customer.applicationId);
  const forgotten = await forgetSomeInWebhooks(tx, customer, { after, rows });
  if (forgotten.next)
    return { rows: forgotten.rows, cursor: writePlace(customer.applicationId, forgotten.next) };
  await forgetCustomerOfAccount(tx, { accountId, applicationId: customer.applicationId });
  return { rows: forgotten.rows + 1, cursor: NEXT_CUSTOMER };
}

function writePlace(applicationId: string, { time, id }: Place): string {
  return [applicationId, time.toISOString(), id].join(' ');
}

/** Within the events of this application; the first one for any other cursor. */
function readPlace(cursor: string | null, applicationId: string): Place | undefined {
  const [of, time = '', id = ''] = (cursor ?? '').split(' ');
  return of === applicationId ? { time: new Date(time), id } : undefined;
}
