// Checks a webhook that a developer received against the secrets of their subscription. The secrets stay
// in here; nothing of what was pasted is kept.
import { and, eq } from 'drizzle-orm';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import type { Keys } from '../secrets.ts';
import { headersCalled, readPastedRequest } from './pasted-request.ts';
import { type Check, checkSignature, idHeader } from './signature-check.ts';
import type { CandidateSecret } from './signature-mistakes.ts';
import { secretsOverTime } from './signing-secret.ts';

export type ReceivedRequest = {
  keys: Pick<Keys, 'sealing'>;
  workspaceId: string;
  subscriptionId: string;
  headers: string;
  body: string;
  /** What the developer's own code computed; empty when they do not say. */
  computed: string;
  now: Date;
};

export async function checkReceivedRequest(db: Database, received: ReceivedRequest): Promise<Check[]> {
  const { workspaceId, subscriptionId, now } = received;
  const subscriptions = await db
    .select()
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.workspaceId, workspaceId));
  const chosen = subscriptions.find(({ id }) => id === subscriptionId);
  if (!chosen) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  const request = readPastedRequest(received.headers, received.body);
  const [timestamp] = headersCalled(request, 'x-service-webhook-timestamp');
  const signedAt = new Date(Number(timestamp?.value) * 1000);
  const ofOthers = subscriptions
    .filter(({ id }) => id !== subscriptionId)
    .map((other) => secretsOfAnother(received, other));
  return checkSignature({
    request,
    computed: received.computed,
    secrets: [...secretsOfThis(received, chosen, signedAt), ...ofOthers],
    sentBody: await findSentBody(db, subscriptionId, headersCalled(request, idHeader)[0]?.value),
    now,
  });
}

type Subscription = typeof webhookSubscriptions.$inferSelect;

function secretsOfThis(
  { keys, now }: ReceivedRequest,
  subscription: Subscription,
  signedAt: Date,
): CandidateSecret[] {
  const { current, next, previous, changesAt } = secretsOverTime(keys, subscription, now);
  const secrets: CandidateSecret[] = [{ secret: current }];
  const moment = changesAt && `${changesAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (next) {
    secrets.push({
      secret: next,
      mistake: `It was made with the next secret, which takes over on ${moment}. Until then, ${SIGNATURE} uses the current secret and ${SIGNATURE}-next the next one.`,
    });
  }
  if (previous && changesAt) {
    const wasRight = signedAt < changesAt;
    const mistake = `It was made with the previous secret, which was replaced on ${moment}.`;
    secrets.push({ secret: previous, ...(wasRight ? {} : { mistake }) });
  }
  return secrets;
}

const SIGNATURE = 'x-service-webhook-signature';

function secretsOfAnother({ keys, now }: ReceivedRequest, subscription: Subscription): CandidateSecret {
  return {
    isPlain: true,
    secret: secretsOverTime(keys, subscription, now).current,
    mistake: `It was made with the secret of another subscription of this workspace: ${subscription.url}`,
  };
}

async function findSentBody(
  db: Database,
  subscriptionId: string,
  eventId: string | undefined,
): Promise<string | undefined> {
  const isOne = eventId !== undefined && /^\w{1,64}$/.test(eventId);
  const [message] = await db
    .select({ body: webhookMessages.body })
    .from(webhookMessages)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.eventId, webhookMessages.eventId))
    .where(
      and(
        eq(webhookMessages.eventId, isOne ? eventId : ''),
        eq(webhookDeliveries.subscriptionId, subscriptionId),
      ),
    );
  return message?.body;
}
