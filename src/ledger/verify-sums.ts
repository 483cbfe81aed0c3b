// The rules of the books whose sums reach beyond one bite: a balance has any number of transfers, a sealed month any
// number of entries. Here the parts of each bite, or of each day, are put together.
import { createHash } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { Tools, Walker } from '../database/verification.ts';
import type { Row } from '../database/walk.ts';
import { dayHash, monthHash, signedAmount } from './statement-hash.ts';

export const balances = { table: 'balances', key: ['application_id'] } as const;
export const statementSeals = { table: 'statement_seals', key: ['application_id', 'month'] } as const;

/** Entries of a month that is read at once. */
const BITES_OF_A_MONTH = 2;

/** Keeps one number for each application. */
export async function* balancesUnlikeTheirTransfers(walker: Walker): AsyncGenerator<Row[]> {
  const sums = new Map<unknown, bigint>();
  const changes = walker({
    table: 'transfers',
    key: ['id'],
    read: (bite) => sql`
      select t.application_id, sum(
        case when t.credit_account = 'application:' || t.application_id then t.amount
             when t.debit_account = 'application:' || t.application_id then -t.amount else 0 end)::text as change
      from ${bite} t group by t.application_id`,
  });
  for await (const rows of changes) {
    for (const { application_id: id, change } of rows)
      sums.set(id, (sums.get(id) ?? 0n) + BigInt(String(change)));
  }
  const read = (bite: SQL) => sql`
    select b.application_id, b.amount::text as balance from ${bite} b`;
  for await (const rows of walker({ ...balances, read })) {
    yield rows.flatMap((row) => {
      const transfers = String(sums.get(row.application_id) ?? 0n);
      return transfers === row.balance ? [] : [{ ...row, transfers }];
    });
  }
}

/** Entries of `month` ('2026-11') of table `t`. */
const isOfMonth = sql`t.created_at >= (s.month || '-01')::timestamp at time zone 'UTC'
  and t.created_at < ((s.month || '-01')::timestamp + interval '1 month') at time zone 'UTC'`;

/** A month at once where it is short; what is long is read day by day. */
export async function* sealsUnlikeTheirEntries(
  walker: Walker,
  { ask, biteRows }: Tools,
): AsyncGenerator<Row[]> {
  const longMonth = BITES_OF_A_MONTH * biteRows;
  yield* walker({
    ...statementSeals,
    read: (bite) => sql`
      select s.application_id, s.month from ${bite} s,
        lateral (
          select coalesce(sum(d.count), 0) as count, coalesce(sum(d.change), 0) as change, ${monthHash} as hash
          from (
            select to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD') as day, count(*) as count,
              sum(${signedAmount()}) as change, ${dayHash} as hash
            from transfers t where t.application_id = s.application_id and ${isOfMonth} group by 1
          ) d
        ) m
      where s.entry_count <= ${longMonth}
        and (s.closing - s.opening <> m.change or s.entry_count <> m.count or s.hash <> m.hash)`,
  });
  const long = walker({
    ...statementSeals,
    read: (bite) => sql`
      select s.application_id, s.month, (s.closing - s.opening)::text as change, s.entry_count as count, s.hash
      from ${bite} s where s.entry_count > ${longMonth}`,
  });
  for await (const seals of long) {
    for (const seal of seals) {
      const { application_id, month } = seal;
      if (!(await isAsSealed(seal, ask))) yield [{ application_id, month }];
    }
  }
}

async function isAsSealed(
  { application_id: id, month, ...sealed }: Row,
  ask: Tools['ask'],
): Promise<boolean> {
  let change = 0n;
  let count = 0;
  const lines: string[] = [];
  for (const day of daysOf(String(month))) {
    const [found] = await ask(sql`
      select count(*)::int as count, coalesce(sum(${signedAmount()}), 0)::text as change, ${dayHash} as hash
      from transfers t where t.application_id = ${id} and t.created_at >= ${`${day}T00:00:00Z`}::timestamptz
        and t.created_at < ${`${day}T00:00:00Z`}::timestamptz + interval '24 hours'`);
    if (!found || Number(found.count) === 0) continue;
    change += BigInt(String(found.change));
    count += Number(found.count);
    lines.push(`${day} ${found.count} ${found.hash}`);
  }
  const hash = createHash('sha256').update(lines.join('\n')).digest('hex');
  return change === BigInt(String(sealed.change)) && count === sealed.count && hash === sealed.hash;
}

/** '2026-11' → '2026-11-01' and those that follow. */
function daysOf(month: string): string[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return Array.from({ length: count }, (_, index) => `${month}-${String(index + 1).padStart(2, '0')}`);
}
