// The statement as CSV: a line for every entry with its transfer and its event, streamed while it is read, between the
// opening and the closing balance, which the lines in between add up to.
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Application } from '../applications/application.ts';
import { csvLine } from '../csv.ts';
import type { Database } from '../database.ts';
import type { Month } from '../ledger/month.ts';
import { type Entry, readBounds, streamEntries } from '../ledger/statement.ts';
import { formatAmount } from '../money.ts';
import type { SettingsTools } from './visit.ts';

type Wanted = { application: Pick<Application, 'id'>; month: Month };

export async function downloadStatement(
  ctx: Context,
  { db, clock, log }: SettingsTools,
  { application, month }: Wanted,
): Promise<void> {
  const now = clock();
  const until = now < month.end ? now : month.end;
  // Before the first byte: a failure here still becomes an error page.
  const bounds = await readBounds(db, { applicationId: application.id, month });
  const lines = Readable.from(statementLines(db, { application, month, until, ...bounds }));
  lines.on('error', (error) => log.warn({ err: error }, 'a statement was cut off'));
  ctx.type = 'text/csv; charset=utf-8';
  ctx.set('Cache-Control', 'no-store');
  ctx.attachment(`statement-${application.id}-${month.name}.csv`);
  ctx.body = lines;
}

type Lines = Wanted & { until: Date; opening: bigint; currency: string };

async function* statementLines(db: Database, wanted: Lines): AsyncGenerator<string> {
  const { application, month, until, opening, currency } = wanted;
  const bound = (at: Date, kind: string, balance: bigint) =>
    csvLine([at, kind, '', formatAmount(balance), currency]);
  yield csvLine([
    'time',
    'kind',
    'amount',
    'balance',
    'currency',
    'transfer_id',
    'event_id',
    'event_kind',
    'sub',
    'reference',
    'reason',
    'actor',
  ]);
  yield bound(month.start, 'opening_balance', opening);
  let balance = opening;
  for await (const entry of streamEntries(db, { applicationId: application.id, month, until })) {
    balance += entry.change;
    yield csvLine([
      entry.at,
      entry.kind,
      formatAmount(entry.change),
      '',
      currency,
      entry.id,
      entry.eventId,
      entry.eventKind,
      entry.sub,
      ownReference(entry),
      entry.reason,
      entry.actor,
    ]);
  }
  yield bound(until, 'closing_balance', balance);
}

/** What whoever paid or corrected called it; the names that the ledger gives by itself say nothing to a company. */
function ownReference({ kind, reference }: Entry): string {
  return kind === 'top_up' || kind === 'correction' ? reference.slice(reference.indexOf(':') + 1) : '';
}
