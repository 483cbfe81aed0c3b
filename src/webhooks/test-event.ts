// A test event: a real signed delivery to one endpoint, with retries and a place in the log like every other, of
// something that did not happen. Its data says `"test": true`; no usage event stands behind it and nothing is charged.
import { and, eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { enqueueAll } from './enqueue.ts';
import type { WebhookEvent } from './event-body.ts';
import { type WebhookType, webhookTypes } from './event-types.ts';
import { lockSubscription } from './subscription.ts';

export async function sendTestEvent(
  tx: Database,
  options: {
    workspaceId: string;
    subscriptionId: string;
    /** Already known to belong to the workspace. */
    applicationId: string;
    currency: string;
    type: string;
    now: Date;
  },
): Promise<{ deliveryId: string; eventId: string }> {
  const { subscriptionId, now } = options;
  const type = webhookTypes.find((known) => known === options.type);
  if (!type) throw new TollgateError('invalid_request', 'Choose an event type.');
  const { status } = await lockSubscription(tx, options);
  if (status !== 'active')
    throw new TollgateError('conflict', `The webhook subscription is ${status}: resume it first.`);
  const [subscription] = await tx
    .select()
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.id, subscriptionId));
  if (!subscription) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  const [application] = await tx
    .select({ isTest: applications.isTest })
    .from(applications)
    .where(eq(applications.id, options.applicationId));
  // As its real ones say.
  const event = testEvent({ ...options, type, livemode: application?.isTest !== true });
  // To this endpoint alone, whatever it listens to.
  const subscribers = [{ ...subscription, types: [type], applicationIds: null }];
  await enqueueAll(tx, { now, events: [event], subscribers });
  const [delivery] = await tx
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(
      and(eq(webhookDeliveries.eventId, event.id), eq(webhookDeliveries.subscriptionId, subscriptionId)),
    );
  if (!delivery) throw new Error('a test event was not queued');
  return { deliveryId: delivery.id, eventId: event.id };
}

/** Nobody's address: example.com never receives mail (RFC 2606). */
function testEvent(options: {
  type: WebhookType;
  workspaceId: string;
  applicationId: string;
  livemode: boolean;
  currency: string;
  now: Date;
}): WebhookEvent {
  const { type, workspaceId, applicationId, livemode, currency, now } = options;
  return {
    id: newId('evt'),
    type,
    workspaceId,
    applicationId,
    livemode,
    createdAt: now,
    data: {
      test: true,
      customer: { sub: 'test', email: 'test@example.com', email_verified: true, name: 'Test Customer' },
      kind: type === 'identity.registration.completed.v1' ? 'registration' : 'sign_in',
      amount: '0.000000',
      currency,
      status: 'committed',
    },
  };
}

/** Of a message's body. */
export function isTestEvent(body: string): boolean {
  const message: { data?: { test?: unknown } } = JSON.parse(body);
  return message.data?.test === true;
}
