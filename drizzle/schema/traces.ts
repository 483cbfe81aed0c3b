// What happened in one attempt to sign in. src/traces owns the queries.
import { sql } from 'drizzle-orm';
import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { time } from './column-types.ts';

/** What happened on the way to a sign-in, for the company's own eyes; one trace ties page, token and charge. */
export const signInSteps = pgTable(
  'sign_in_steps',
  {
    id: text('id').primaryKey(),
    applicationId: text('application_id').notNull(),
    /** src/traces/trace-id.ts: of one attempt, the same from the first page to the charge. */
    traceId: text('trace_id').notNull(),
    step: text('step').notNull(),
    /** Of a closed vocabulary; null when the step went well. */
    reason: text('reason'),
    /** Names that the reason is about: parameters, scopes, an origin. */
    detail: text('detail'),
    occurredAt: time('occurred_at').notNull(),
  },
  (t) => [
    index('sign_in_steps_newest_first').on(t.applicationId, t.occurredAt.desc(), t.id.desc()),
    // For the usage page, which would otherwise read all that went well.
    index('sign_in_steps_failures')
      .on(t.applicationId, t.occurredAt.desc(), t.id.desc())
      .where(sql`reason is not null`),
    index('sign_in_steps_by_trace').on(t.traceId),
    // For the attempts that begin alike: `like` reads no index in the database's own order of letters.
    index('sign_in_steps_by_beginning').on(t.traceId.op('text_pattern_ops')),
    index('sign_in_steps_by_age').on(t.occurredAt),
  ],
);
