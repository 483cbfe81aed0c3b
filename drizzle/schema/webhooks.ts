// What integrators are told: subscriptions, messages, deliveries and their attempts. src/webhooks owns the queries.
import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';
import { workspaces } from './workspaces.ts';

export const webhookSubscriptions = pgTable(
  'webhook_subscriptions',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    url: text('url').notNull(),
    /** null: every application of the workspace. */
    applicationIds: text('application_ids').array(),
    types: text('types').array().notNull(),
    /** Sealed with a key derived from TOLLGATE_SECRET: it must be readable to sign. */
    sealedSecret: text('sealed_secret').notNull(),
    /** During a rotation: the key that takes over at nextSecretAt. */
    sealedNextSecret: text('sealed_next_secret'),
    nextSecretAt: time('next_secret_at'),
    status: text('status', { enum: ['active', 'paused', 'disabled'] }).notNull(),
    disabledReason: text('disabled_reason'),
    /** Start of the present row of failures; null while the endpoint answers. */
    failingSince: time('failing_since'),
    /** The owner resumed it while what had waited was still being withdrawn: active when that is done. */
    resumeRequestedAt: time('resume_requested_at'),
    /** Its history goes first, in bites, and then the row. */
    deletedAt: time('deleted_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    index('webhook_subscriptions_by_workspace').on(t.workspaceId),
    index('webhook_subscriptions_deleted').on(t.id).where(sql`deleted_at is not null`),
  ],
);

/** The exact bytes of an event's webhook, the same on every attempt; kept for the replay window only. */
export const webhookMessages = pgTable(
  'webhook_messages',
  {
    eventId: text('event_id').primaryKey(),
    applicationId: text('application_id').notNull(),
    type: text('type').notNull(),
    body: text('body').notNull(),
    /** Of an application in test mode. */
    isTest: boolean('is_test').notNull().default(false),
    createdAt: time('created_at').notNull(),
  },
  (t) => [index('webhook_messages_by_age').on(t.createdAt)],
);

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => webhookSubscriptions.id),
    eventId: text('event_id')
      .notNull()
      .references(() => webhookMessages.eventId),
    status: text('status', { enum: ['pending', 'delivered', 'failed'] }).notNull(),
    attemptCount: integer('attempt_count').notNull(),
    /** By the database's clock; while an attempt is under way, when its claim runs out. */
    nextAttemptAt: time('next_attempt_at'),
    /** The process that makes an attempt now, and until when nobody else does. */
    claimedBy: text('claimed_by'),
    claimedUntil: time('claimed_until'),
    finishedAt: time('finished_at'),
    createdAt: time('created_at').notNull(),
  },
  (t) => [
    unique('webhook_deliveries_once_per_subscription').on(t.subscriptionId, t.eventId),
    index('webhook_deliveries_by_event').on(t.eventId),
    index('webhook_deliveries_due').on(t.nextAttemptAt).where(sql`status = 'pending'`),
    // Which endpoints have work, and what is next at one of them: however much waits elsewhere.
    index('webhook_deliveries_turns').on(t.subscriptionId, t.nextAttemptAt).where(sql`status = 'pending'`),
    index('webhook_deliveries_new').on(t.attemptCount, t.subscriptionId).where(sql`status = 'pending'`),
    index('webhook_deliveries_claimed').on(t.claimedUntil).where(sql`claimed_by is not null`),
    index('webhook_deliveries_failed').on(t.subscriptionId, t.eventId).where(sql`status = 'failed'`),
  ],
);

export const webhookAttempts = pgTable(
  'webhook_attempts',
  {
    id: text('id').primaryKey(),
    deliveryId: text('delivery_id')
      .notNull()
      .references(() => webhookDeliveries.id),
    number: integer('number').notNull(),
    startedAt: time('started_at').notNull(),
    durationMs: integer('duration_ms').notNull(),
    /** As sent. */
    requestHeaders: jsonb('request_headers').$type<Record<string, string>>(),
    responseStatus: integer('response_status'),
    responseBody: text('response_body'),
    /** Why no answer came: 'timeout', 'blocked_address', 'tls', 'connection', … */
    failure: text('failure'),
  },
  (t) => [index('webhook_attempts_by_delivery').on(t.deliveryId, t.number)],
);
