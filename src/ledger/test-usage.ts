// How much an application was used in test mode: beside the figures of live usage, and never in them.
import { sql } from 'drizzle-orm';
import { testUsageEvents } from '../../drizzle/schema/usage.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { testSessionsCounted } from '../limits/usage.ts';

export type TestUsage = { count: number; isMore: boolean };

/** Of each application from a moment on, up to a limit: counting takes as long as there is to count. */
export async function countTestSessions(
  db: Database,
  { applicationIds, from }: { applicationIds: string[]; from: Date },
): Promise<Map<string, TestUsage>> {
  const start = sql`${sql.param(from, testUsageEvents.occurredAt)}::timestamptz`;
  const rows = rowsOf(
    await db.execute(sql`
      select application.id, counted.count from unnest(${sql.param(applicationIds)}::text[]) as application(id)
      cross join lateral (
        select count(*)::int as count from (
          select 1 from test_usage_events where application_id = application.id and occurred_at >= ${start}
          order by occurred_at desc nulls last, id desc nulls last limit ${testSessionsCounted + 1}
        ) as event
      ) as counted`),
  );
  return new Map(
    rows.map(({ id, count }) => {
      const isMore = Number(count) > testSessionsCounted;
      return [String(id), { count: Math.min(Number(count), testSessionsCounted), isMore }];
    }),
  );
}
