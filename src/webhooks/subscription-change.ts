// What an owner changes about a subscription: where it goes, what it hears, and its end.
import { eq } from 'drizzle-orm';
import { webhookSubscriptions } from '../../drizzle/schema.ts';
import type { Database } from '../database/connection.ts';
import { beginWork } from '../queue/long-work.ts';
import { type EndpointRules, parseEndpointUrl } from './endpoint-url.ts';
import { disableSubscription, lockSubscription, requireTypes } from './subscription.ts';

type Which = { workspaceId: string; subscriptionId: string };

type Change = EndpointRules & {
  url: string;
  /** Already known to belong to the workspace; null: all of its applications, later ones too. */
  applicationIds: string[] | null;
  types: string[];
};

/** What waits goes to the new endpoint; a new endpoint has not failed yet. */
export async function changeSubscription(tx: Database, options: Which & Change): Promise<void> {
  const { subscriptionId, applicationIds } = options;
  const url = parseEndpointUrl(options.url, options).href;
  const types = requireTypes(options.types);
  const before = await lockSubscription(tx, options);
  await tx
    .update(webhookSubscriptions)
    .set({ url, applicationIds, types, ...(url === before.url ? {} : { failingSince: null }) })
    .where(eq(webhookSubscriptions.id, subscriptionId));
}

/** Nothing is sent from here on, and nobody sees it any more; its history goes in bites, and the row last (backlog.ts). */
export async function deleteSubscription(tx: Database, options: Which & { now: Date }): Promise<void> {
  const { subscriptionId, now } = options;
  await lockSubscription(tx, options);
  await disableSubscription(tx, { ...options, reason: 'It is being deleted.' });
  await tx
    .update(webhookSubscriptions)
    .set({ deletedAt: now })
    .where(eq(webhookSubscriptions.id, subscriptionId));
  await beginWork(tx, { kind: DELETION, subject: subscriptionId, now });
}

/** A kind of long work (backlog.ts). */
export const DELETION = 'webhook subscription deletion';
