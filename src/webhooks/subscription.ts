// A company's wish to be told (section 2, "Webhook subscription"): an HTTPS endpoint, what it wants to hear, and
// whether it is heard. Paused holds deliveries back; disabled ends them until the owner resumes.
import { and, asc, eq, isNull, ne } from 'drizzle-orm';
import { webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
import { TollgateError } from '../errors.ts';
import { newId } from '../id.ts';
import type { Jobs } from '../jobs.ts';
import { webhookSubscriptionsPerWorkspace } from '../limits-webhooks.ts';
import type { Keys } from '../secrets.ts';
import { type AddressRules, parseEndpointUrl } from './address.ts';
import { sendHeldDeliveries } from './delivery-job.ts';
import { newSigningSecret } from './signing-secret.ts';

/** Section 6: every kind of event there is. */
export const webhookTypes = ['identity.registration.completed.v1', 'identity.login.completed.v1'] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Without the secrets: those are shown once, by the functions that make them. */
const visible = {
  id: webhookSubscriptions.id,
  url: webhookSubscriptions.url,
  applicationIds: webhookSubscriptions.applicationIds,
  types: webhookSubscriptions.types,
  status: webhookSubscriptions.status,
  disabledReason: webhookSubscriptions.disabledReason,
  failingSince: webhookSubscriptions.failingSince,
  nextSecretAt: webhookSubscriptions.nextSecretAt,
  createdAt: webhookSubscriptions.createdAt,
};

type Which = { workspaceId: string; subscriptionId: string };
type NewSubscription = AddressRules & {
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
  const existing = await tx.$count(webhookSubscriptions, eq(webhookSubscriptions.workspaceId, workspaceId));
  if (existing >= webhookSubscriptionsPerWorkspace) {
    throw new TollgateError(
      'conflict',
      `A workspace has at most ${webhookSubscriptionsPerWorkspace} webhook subscriptions.`,
    );
  }
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

export function requireTypes(types: string[]): string[] {
  const known: readonly string[] = webhookTypes;
  if (types.length === 0 || !types.every((type) => known.includes(type))) {
    throw new TollgateError('invalid_request', `The types of events are ${known.join(' and ')}.`);
  }
  return [...new Set(types)];
}

export function listSubscriptions(db: Database, workspaceId: string) {
  return db
    .select(visible)
    .from(webhookSubscriptions)
    .where(eq(webhookSubscriptions.workspaceId, workspaceId))
    .orderBy(asc(webhookSubscriptions.id));
}

/** From now on deliveries wait. Nothing is lost for as long as messages are kept. */
export async function pauseSubscription(tx: Database, which: Which): Promise<void> {
  const { status } = await lockSubscription(tx, which);
  if (status === 'disabled')
    throw new TollgateError('conflict', 'A disabled webhook subscription cannot be paused.');
  await tx.update(webhookSubscriptions).set({ status: 'paused' }).where(isThisOne(which));
}

/** Active again, from paused or disabled. What waited is sent now; what failed is for replay.ts. */
export async function resumeSubscription(
  tx: Database,
  options: Which & { jobs: Pick<Jobs, 'send'>; now: Date },
): Promise<void> {
  await lockSubscription(tx, options);
  await tx
    .update(webhookSubscriptions)
    .set({ status: 'active', disabledReason: null, failingSince: null })
    .where(isThisOne(options));
  const isHeld = and(
    eq(webhookDeliveries.subscriptionId, options.subscriptionId),
    isNull(webhookDeliveries.nextAttemptAt),
  );
  await sendHeldDeliveries(tx, { which: isHeld, jobs: options.jobs, now: options.now });
}

/** By the owner, or by a delivery that met 410 or five days of silence. Says whether it was enabled before. */
export async function disableSubscription(
  tx: Database,
  options: Which & { reason: string; now: Date },
): Promise<boolean> {
  const { subscriptionId, reason, now } = options;
  const disabled = await tx
    .update(webhookSubscriptions)
    .set({ status: 'disabled', disabledReason: reason })
    .where(and(isThisOne(options), ne(webhookSubscriptions.status, 'disabled')))
    .returning({ id: webhookSubscriptions.id });
  await tx
    .update(webhookDeliveries)
    .set({ status: 'failed', nextAttemptAt: null, finishedAt: now })
    .where(
      and(eq(webhookDeliveries.subscriptionId, subscriptionId), eq(webhookDeliveries.status, 'pending')),
    );
  return disabled.length > 0;
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
  return and(eq(webhookSubscriptions.id, subscriptionId), eq(webhookSubscriptions.workspaceId, workspaceId));
}
