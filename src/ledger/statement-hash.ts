// The hash of a statement: whoever has the download can compute it, and `ledger verify` asks whether it still is so.
// A day is `transfer,kind,change in micro-units` of each entry, oldest first; a month is `day count hash` of each day that
// has any. Both are joined by line feeds, hashed with SHA-256 and written in hexadecimal.
import { type SQL, sql } from 'drizzle-orm';

/** Of table or alias `t`, for one application and one day. */
export const dayHash: SQL = hashOf(
  sql`string_agg(t.id || ',' || t.code || ',' || ${signedAmount()}::text, chr(10)
    order by t.created_at, t.id collate "C")`,
);

/** Of `d` with its `day`, `count` and `hash`, for one application and one month. */
export const monthHash: SQL = hashOf(
  sql`string_agg(d.day || ' ' || d.count || ' ' || d.hash, chr(10) order by d.day)`,
);

/** What the application's balance gained, or lost. */
export function signedAmount(): SQL {
  return sql`(case when t.credit_account = 'application:' || t.application_id then t.amount else -t.amount end)`;
}

function hashOf(lines: SQL): SQL {
  return sql`encode(sha256(convert_to(coalesce(${lines}, ''), 'UTF8')), 'hex')`;
}
