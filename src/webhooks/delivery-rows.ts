// The rows that recording reads and writes: one statement of each kind however many answers there are, in texts that
// never change. One order of locks for everybody who takes several: subscriptions before deliveries, each by their ids.
import { asc, type SQL, sql } from 'drizzle-orm';
import { webhookDeliveries, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import type { Clock } from '../clock.ts';
import { databaseTime } from '../database/clock.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { newId } from '../id.ts';
import type { Locks } from './delivery-batch.ts';
import type { WebhookAnswer } from './sender.ts';

const failingColumns = { id: webhookSubscriptions.id, failingSince: webhookSubscriptions.failingSince };
const deliveryColumns = {
  id: webhookDeliveries.id,
  status: webhookDeliveries.status,
  attemptCount: webhookDeliveries.attemptCount,
  finishedAt: webhookDeliveries.finishedAt,
};
export type Delivery = Pick<typeof webhookDeliveries.$inferSelect, keyof typeof deliveryColumns> & {
  /** Seconds until the next attempt, if there is one. */
  pause?: number | undefined;
};
/** By the subscription's id: since when its endpoint fails. */
export type Failing = Map<string, Date | null>;

/** Without a lock, which most answers do not need: an endpoint that answered before answers again. */
export async function readFailing(tx: Database, ids: string[]): Promise<Failing> {
  const rows = await tx
    .select(failingColumns)
    .from(webhookSubscriptions)
    .where(isOneOf(webhookSubscriptions.id, unique(ids)));
  return new Map(rows.map(({ id, failingSince }) => [id, failingSince]));
}

/** Those that are there, and not held by others if these are skipped. */
export async function lockFailing(tx: Database, ids: string[], locks: Locks): Promise<Failing> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select(failingColumns)
    .from(webhookSubscriptions)
    .where(isOneOf(webhookSubscriptions.id, unique(ids)))
    .orderBy(asc(webhookSubscriptions.id))
    .for('no key update', locks === 'skip' ? { skipLocked: true } : {});
  return new Map(rows.map(({ id, failingSince }) => [id, failingSince]));
}

/** Likewise. */
export async function lockDeliveries(
  tx: Database,
  ids: string[],
  locks: Locks,
): Promise<Map<string, Delivery>> {
  const rows = await tx
    .select(deliveryColumns)
    .from(webhookDeliveries)
    .where(isOneOf(webhookDeliveries.id, unique(ids)))
    .orderBy(asc(webhookDeliveries.id))
    .for('update', locks === 'skip' ? { skipLocked: true } : {});
  return new Map(rows.map((row) => [row.id, row]));
}

export async function writeFailing(tx: Database, failing: Failing): Promise<void> {
  if (failing.size === 0) return;
  const rows = [...failing].map(([id, failingSince]) => ({ id, failingSince }));
  await tx.execute(sql`
    update webhook_subscriptions as subscription
    set failing_since = changed."failingSince"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as changed(id text, "failingSince" timestamptz)
    where subscription.id = changed.id`);
}

/** Nobody makes an attempt any more; when the next one is due is a moment of the database's clock. */
export async function writeDeliveries(tx: Database, deliveries: Delivery[], clock: Clock): Promise<void> {
  if (deliveries.length === 0) return;
  await tx.execute(sql`
    update webhook_deliveries as delivery
    set status = changed.status, attempt_count = changed."attemptCount",
      claimed_by = null, claimed_until = null,
      next_attempt_at = ${databaseTime(clock)} + changed.pause * interval '1 second',
      finished_at = changed."finishedAt"
    from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb) as changed(
      id text, status text, "attemptCount" integer, pause float8, "finishedAt" timestamptz
    )
    where delivery.id = changed.id`);
}

export type FinishedAttempt = {
  deliveryId: string;
  /** From 1. */
  number: number;
  startedAt: Date;
  /** As sent, the signature included: it is good for this body and 300 seconds. */
  headers: Record<string, string>;
  answer: WebhookAnswer;
};

export async function insertAttempts(tx: Database, attempts: FinishedAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  await tx.execute(sql`insert into webhook_attempts (${attemptColumns}) ${attemptRows(attempts)}`);
}

export const attemptColumns = sql.raw(
  'id, delivery_id, number, started_at, duration_ms, request_headers, response_status, response_body, failure',
);

/** A query with these columns, in this order. */
export function attemptRows(attempts: FinishedAttempt[]): SQL {
  const rows = attempts.map(({ deliveryId, number, startedAt, headers, answer }) => ({
    id: newId('att'),
    deliveryId,
    number,
    startedAt,
    headers,
    ...answer,
  }));
  return sql`
    select id, "deliveryId", number, "startedAt", "durationMs", headers, status, excerpt, failure
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as attempt(
      id text, "deliveryId" text, number integer, "startedAt" timestamptz, "durationMs" integer, headers jsonb,
      status integer, excerpt text, failure text
    )`;
}

export function isAccepted({ failure, status = 0 }: WebhookAnswer): boolean {
  return !failure && status >= 200 && status < 300;
}

function unique(values: string[]): string[] {
  return [...new Set(values)];
}
