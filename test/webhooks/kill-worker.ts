// A process for test/webhooks/kill.test.ts to kill: works off the pending deliveries of a database on disk, in a
// time that is ahead by what the test says. Its end is announced by exit code 0.
import { readFileSync } from 'node:fs';
import { openDatabase } from '../../src/database/connection.ts';
import { createKeys } from '../../src/secrets.ts';
import { createDeliveryWorker } from '../../src/webhooks/delivery.ts';
import { claimTurn } from '../../src/webhooks/delivery-claim.ts';
import { lookForWork } from '../../src/webhooks/delivery-look.ts';
import { createWebhookSender } from '../../src/webhooks/sender.ts';

const [folder = '', caFile = '', secret = '', now = ''] = process.argv.slice(2);
const { db, close } = await openDatabase({ folder });
const clock = () => new Date(now);
const deliver = createDeliveryWorker({
  db,
  keys: createKeys(secret),
  send: createWebhookSender({ rules: { allowLoopback: true }, extraCa: readFileSync(caFile, 'utf8') }),
  clock,
  onDisabled: async () => undefined,
});
for (;;) {
  const { waiting } = await lookForWork(db, { ring: 'all', after: undefined, clock });
  const turn = { db, clock, owner: String(process.pid), random: Math.random };
  const [claimed] = await claimTurn(turn, { waiting, free: 1 });
  if (!claimed) break;
  await deliver(claimed);
}
await close();
