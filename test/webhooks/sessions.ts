// For tests that need events of real accounts and no browser: sessions charged as the token endpoint charges them.
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/clock.ts';
import type { Connection } from '../../src/database/connection.ts';
import { createReadThenWrite } from '../../src/database/pipelined-transaction.ts';
import { newEventId, type UsageEvent } from '../../src/ledger/charge.ts';
import { createSessionCharge } from '../../src/oidc/charge/charge-transaction.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { addAccount } from '../harness/identity.ts';

export function createVisits(connection: Connection) {
  const readThenWrite = createReadThenWrite(connection);
  const charge = createSessionCharge({ readThenWrite, keys: createKeys(randomSecret()), clock: systemClock });

  async function visit(applicationId: string, accountId: string): Promise<UsageEvent> {
    const session = { applicationId, accountId, codeHash: randomUUID(), eventId: newEventId() };
    const [verdict] = await charge([session], { isShared: false, mayBeCharged: false });
    if (typeof verdict !== 'object' || !('charged' in verdict)) throw new Error('was not charged');
    return verdict.charged.event;
  }

  return {
    visit,
    /** Somebody's first session. */
    async newcomer(applicationId: string, name = 'Ada Lovelace') {
      const account = await addAccount(connection.db, { email: `${randomUUID()}@example.com`, name });
      return { account, event: await visit(applicationId, account.id) };
    },
  };
}
