// One process that charges one hot application as fast as the database lets it, through the same function as the
// token endpoint.
import { randomBytes } from 'node:crypto';
import { systemClock } from '../src/clock.ts';
import { type Connection, openDatabase } from '../src/database/connection.ts';
import { newEventId } from '../src/ledger/charge.ts';
import { createLog } from '../src/log.ts';
import { createCharges } from '../src/oidc/charge/charge-and-release.ts';
import { answerCalls } from './processes.ts';

type Work = {
  databaseUrl: string;
  applicationIds: string[];
  accountIds: string[];
  callers: number;
  seconds: number;
};

let connection: Connection | undefined;

answerCalls(
  {
    async charge({ databaseUrl, applicationIds, accountIds, callers, seconds }: Work): Promise<number> {
      connection ??= await openDatabase({ databaseUrl });
      const charging = createCharges({
        connection,
        log: createLog({ level: 'warn' }),
        keys: { pairwise: randomBytes(32) },
        clock: systemClock,
      });
      const until = performance.now() + seconds * 1000;
      let charges = 0;
      const caller = async () => {
        while (performance.now() < until) {
          const session = {
            eventId: newEventId(),
            applicationId: oneOf(applicationIds),
            accountId: oneOf(accountIds),
            codeHash: randomBytes(32).toString('base64url'),
          };
          charging.release(session, await charging.charge(session));
          charges += 1;
        }
      };
      await Promise.all(Array.from({ length: callers }, caller));
      await charging.stop();
      return charges;
    },
  },
  async () => connection?.close(),
);

function oneOf(values: string[]): string {
  const value = values[Math.floor(Math.random() * values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
}
