// The one lock on an account. Whoever changes or deletes an account takes it before anything else, so that of two at a
// time the second one sees what the first one did, or finds nobody.
import { and, eq, isNull } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import type { Database } from '../database/connection.ts';

/** Until the end of the transaction; undefined for one that its owner has ended. Who only writes of an account shares it: `lockAccounts`. */
export async function lockAccount(
  tx: Database,
  id: string,
): Promise<typeof accounts.$inferSelect | undefined> {
  const [account] = await tx
    .select()
    .from(accounts)
    .where(and(eq(accounts.id, id), isNull(accounts.deletedAt)))
    .for('update');
  return account;
}
