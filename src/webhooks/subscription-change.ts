// What an owner changes about a subscription: where it goes, what it hears, its end, and its return within minutes.
import { and, desc, eq, isNotNull } from 'drizzle-orm';
import { longWork } from '../../drizzle/schema/operations.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { beginWork, isToBeginAfter, takeBackWork } from '../queue/long-work.ts';
import { type EndpointRules, parseEndpointUrl } from './endpoint-url.ts';
import { requireTypes } from './event-types.ts';
import { disableSubscription, lockSubscription, requireRoom, resumeSubscription } from './subscription.ts';

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

type Deletion = Which & {
  /** For so long it can be restored; its history stays as well until then. */
  restorableSeconds?: number;
  now: Date;
};

/** Nothing is sent from here on, and nobody sees it any more; its history goes in bites, and the row last (backlog.ts). */
export async function deleteSubscription(tx: Database, options: Deletion): Promise<void> {
  const { subscriptionId, restorableSeconds = 0, now } = options;
  const { status, disabledReason } = await lockSubscription(tx, options);
  await disableSubscription(tx, { ...options, reason: 'It is being deleted.' });
  await tx
    .update(webhookSubscriptions)
    .set({ deletedAt: now })
    .where(eq(webhookSubscriptions.id, subscriptionId));
  await beginWork(tx, {
    kind: DELETION,
    subject: subscriptionId,
    detail: { status, disabledReason },
    notBefore: secondsAfter(now, restorableSeconds),
    now,
  });
}

/**
 * As it was before its deletion, with its address, secret and history. What waited then has been marked as failed, and what
 * happened meanwhile was never meant for it. @throws TollgateError not_found, also when it is too late
 */
export async function restoreSubscription(tx: Database, options: Which & { now: Date }): Promise<void> {
  const { workspaceId, subscriptionId, now } = options;
  const isDeleted = and(
    eq(webhookSubscriptions.id, subscriptionId),
    eq(webhookSubscriptions.workspaceId, workspaceId),
    isNotNull(webhookSubscriptions.deletedAt),
  );
  const found = await tx.$count(webhookSubscriptions, isDeleted);
  // First the work, then the subscription: in the order in which a bite holds them.
  const before =
    found === 1 ? await takeBackWork(tx, { kind: DELETION, subject: subscriptionId, now }) : undefined;
  if (!before) throw new TollgateError('not_found', 'This webhook subscription can no longer be restored.');
  await requireRoom(tx, workspaceId);
  const { status, disabledReason } = before;
  await tx
    .update(webhookSubscriptions)
    .set({
      deletedAt: null,
      ...(status === 'paused' && { status: 'paused', disabledReason: null }),
      ...(status === 'disabled' && { disabledReason: disabledReason as string | null }),
    })
    .where(isDeleted);
  if (status === 'active') await resumeSubscription(tx, options);
}

/** Those that can still be restored, the last one first. */
export function listRestorable(db: Database, { workspaceId, now }: { workspaceId: string; now: Date }) {
  return db
    .select({
      id: webhookSubscriptions.id,
      url: webhookSubscriptions.url,
      until: longWork.nextBiteAt,
    })
    .from(webhookSubscriptions)
    .innerJoin(longWork, and(eq(longWork.kind, DELETION), eq(longWork.subject, webhookSubscriptions.id)))
    .where(
      and(
        eq(webhookSubscriptions.workspaceId, workspaceId),
        isNotNull(webhookSubscriptions.deletedAt),
        isToBeginAfter(now),
      ),
    )
    .orderBy(desc(webhookSubscriptions.deletedAt));
}

export type Restorable = Awaited<ReturnType<typeof listRestorable>>[number];

/** A kind of long work (backlog.ts). */
export const DELETION = 'webhook subscription deletion';
