// A process for test/webhooks-kill.test.ts to kill: works off the pending deliveries of a database on disk, in a
// time that is ahead by what the test says. Its end is announced by exit code 0.
import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { webhookDeliveries } from '../drizzle/schema.ts';
import { openDatabase } from '../src/database.ts';
import { createKeys } from '../src/secrets.ts';
import { createDeliveryWorker } from '../src/webhooks/delivery.ts';
import { createWebhookSender } from '../src/webhooks/sender.ts';

const [folder = '', caFile = '', secret = '', now = ''] = process.argv.slice(2);
const { db, close } = await openDatabase({ folder });
const deliver = createDeliveryWorker({
  db,
  keys: createKeys(secret),
  jobs: { send: async () => undefined },
  send: createWebhookSender({ rules: { allowLoopback: true }, extraCa: readFileSync(caFile, 'utf8') }),
  clock: () => new Date(now),
  onDisabled: async () => undefined,
});
const pending = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.status, 'pending'));
for (const { id, attemptCount } of pending) {
  await deliver({ deliveryId: id, number: attemptCount + 1, lane: 'patient' });
}
await close();
