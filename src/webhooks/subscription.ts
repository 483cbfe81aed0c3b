// A company's wish to be told: an HTTPS endpoint, what it wants to hear, and whether it is heard. Paused holds
// deliveries back; disabled ends them until the owner resumes.
import { and, asc, eq, isNull, ne, sql } from 'drizzle-orm';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import { webhookSubscriptionsPerWorkspace } from '../limits/webhooks.ts';
import { beginWork } from '../queue/long-work.ts';
import type { Keys } from '../secrets.ts';
import { waitingAt } from './delivery-look.ts';
import { type EndpointRules, parseEndpointUrl } from './endpoint-url.ts';
import { requireTypes, webhookTypes } from './event-types.ts';
import { newSigningSecret } from './signing-secret.ts';

/** Without the secrets: those are shown once, by the functions that make them. */
const visible = {
  id: webhookSubscriptions.id,
  url: webhookSubscriptions.url,
  applicationIds: webhookSubscriptions.applicationIds,
  types: webhookSubscriptions.types,
  status: webhookSubscriptions.status,
  disabledReason: webhookSubscriptions.disabledReason,
  failingSince: webhookSubscriptions.failingSince,
  resumeRequestedAt: webhookSubscriptions.resumeRequestedAt,
  nextSecretAt: webhookSubscriptions.nextSecretAt,
  createdAt: webhookSubscriptions.createdAt,
};

type Which = { workspaceId: string; subscriptionId: string };
type NewSubscription = EndpointRules & {
  keys: Pick<Keys, 'sealing'>;
  workspaceId: string;
  url: string;
  /** Already known to belong to the workspace; absent: all of its applications, later ones too. */
  applicationIds?: string[] | undefined;
  types?: string[] | undefined;
  now: Date;
};

export async function createSubscription(
  tx: Database,
  options: NewSubscription,
): Promise<{ id: string; secret: string }> {
  const { workspaceId, now } = options;
  const url = parseEndpointUrl(options.url, options);
  const types = requireTypes(options.types ?? [...webhookTypes]);
  if (options.applicationIds?.length === 0) {
    throw new TollgateError('invalid_request', 'Choose at least one application, or all of them.');
  }
  await requireRoom(tx, workspaceId);
  const id = newId('whs');
  const { secret, sealed } = newSigningSecret(options.keys, id);
  await tx.insert(webhookSubscriptions).values({
    id,
    workspaceId,
    url: url.href,
    applicationIds: options.applicationIds ?? null,
    types,
    sealedSecret: sealed,
    status: 'active',
    createdAt: now,
  });
  return { id, secret };
}

/** @throws TollgateError conflict: one more would be too many. */
export async function requireRoom(tx: Database, workspaceId: string): Promise<void> {
  const existing = await tx.$count(webhookSubscriptions, isOf(workspaceId));
  if (existing < webhookSubscriptionsPerWorkspace) return;
  throw new TollgateError(
    'conflict',
    `A workspace has at most ${webhookSubscriptionsPerWorkspace} webhook subscriptions.`,
  );
}

export function listSubscriptions(db: Database, workspaceId: string) {
  return db
    .select(visible)
    .from(webhookSubscriptions)
    .where(isOf(workspaceId))
    .orderBy(asc(webhookSubscriptions.id));
}

/** From now on deliveries wait, however many there are: nobody takes their turn. Nothing is lost for as long as messages are kept. */
export async function pauseSubscription(tx: Database, which: Which): Promise<void> {
  const { status } = await lockSubscription(tx, which);
  if (status === 'disabled')
    throw new TollgateError('conflict', 'A disabled webhook subscription cannot be paused.');
  await tx.update(webhookSubscriptions).set({ status: 'paused' }).where(isThisOne(which));
}

/**
 * Active again, from paused: what waited is due. From disabled: what failed is for replay.ts, and while a part of what
 * waited is still to be withdrawn, which would be sent otherwise, active as soon as that is done (backlog.ts).
 * @returns whether it is active now
 */
export async function resumeSubscription(tx: Database, options: Which & { now: Date }): Promise<boolean> {
  const { subscriptionId, now } = options;
  const { status } = await lockSubscription(tx, options);
  if (status === 'disabled' && (await hasPending(tx, subscriptionId))) {
    await tx.update(webhookSubscriptions).set({ resumeRequestedAt: now }).where(isThisOne(options));
    return false;
  }
  await tx.update(webhookSubscriptions).set(resumed).where(isThisOne(options));
  return true;
}

export const resumed = {
  status: 'active',
  disabledReason: null,
  failingSince: null,
  resumeRequestedAt: null,
} as const;

/**
 * By the owner, or by a delivery that met 410 or five days of silence. From its commit nothing more is sent; what is
 * pending is marked as failed afterwards, in bites. Says whether it was enabled before.
 */
export async function disableSubscription(
  tx: Database,
  options: Which & { reason: string; now: Date },
): Promise<boolean> {
  const { subscriptionId, reason, now } = options;
  const disabled = await tx
    .update(webhookSubscriptions)
    .set({ status: 'disabled', disabledReason: reason, resumeRequestedAt: null })
    .where(and(isThisOne(options), ne(webhookSubscriptions.status, 'disabled')))
    .returning({ id: webhookSubscriptions.id });
  if (disabled.length === 0) return false;
  await beginWork(tx, { kind: WITHDRAWAL, subject: subscriptionId, now });
  return true;
}

/** A kind of long work (backlog.ts). */
export const WITHDRAWAL = 'webhook withdrawal';

/** Of a pending delivery to an endpoint that is switched off. */
export function withdrawn(now: Date) {
  return {
    status: 'failed',
    nextAttemptAt: null,
    claimedBy: null,
    claimedUntil: null,
    finishedAt: now,
  } as const;
}

export async function hasPending(db: Database, subscriptionId: string): Promise<boolean> {
  const found = await db.execute(sql`
    select 1 from webhook_deliveries delivery
    where delivery.status = 'pending' and ${waitingAt(sql`${subscriptionId}::text`, sql`'infinity'::timestamptz`)}
    order by delivery.subscription_id, delivery.next_attempt_at limit 1`);
  return rowsOf(found).length > 0;
}

export type Subscription = Awaited<ReturnType<typeof listSubscriptions>>[number];

/** Another company's subscription answers exactly as an unknown one. */
export async function findSubscription(db: Database, which: Which): Promise<Subscription> {
  const [row] = await db.select(visible).from(webhookSubscriptions).where(isThisOne(which));
  if (!row) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  return row;
}

/** The same, for a change. Events can still be queued for it meanwhile: their foreign key does not wait for this lock. */
export async function lockSubscription(tx: Database, which: Which): Promise<Subscription> {
  const [row] = await tx
    .select(visible)
    .from(webhookSubscriptions)
    .where(isThisOne(which))
    .for('no key update');
  if (!row) throw new TollgateError('not_found', 'There is no such webhook subscription.');
  return row;
}

function isThisOne({ workspaceId, subscriptionId }: Which) {
  return and(eq(webhookSubscriptions.id, subscriptionId), isOf(workspaceId));
}

/** One that is being deleted is gone for everybody but those who delete it. */
function isOf(workspaceId: string) {
  return and(eq(webhookSubscriptions.workspaceId, workspaceId), isNull(webhookSubscriptions.deletedAt));
}
