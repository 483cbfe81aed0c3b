// The statement as CSV: a line for every entry with its transfer and its event, streamed while it is read, between the
// opening and the closing balance, which the lines in between add up to.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import type { Read } from '../../database/reading-lanes.ts';
import { csvLine } from '../../http/csv.ts';
import type { Month } from '../../ledger/month.ts';
import { type Entry, readBounds, streamEntries } from '../../ledger/statement.ts';
import { formatAmount } from '../../money.ts';
import { sendDownload } from '../shell/download.ts';
import type { MemberVisit, SettingsDependencies } from '../shell/visit.ts';

type Wanted = { application: Pick<Application, 'id'>; month: Month };

export async function downloadStatement(
  ctx: Context,
  deps: Pick<SettingsDependencies, 'clock' | 'log'>,
  { visit, application, month }: Wanted & { visit: Pick<MemberVisit, 'lane'> },
): Promise<void> {
  const { clock } = deps;
  const now = clock();
  const until = now < month.end ? now : month.end;
  // Before the first byte: a failure here still becomes an error page.
  const bounds = await visit.lane.read((db) => readBounds(db, { applicationId: application.id, month }));
  sendDownload(ctx, deps, visit, {
    type: 'text/csv; charset=utf-8',
    name: `statement-${application.id}-${month.name}.csv`,
    lines: (read) => statementLines(read, { application, month, until, ...bounds }),
  });
}

type Lines = Wanted & { until: Date; opening: bigint; currency: string };

async function* statementLines(read: Read, wanted: Lines): AsyncGenerator<string> {
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
  for await (const entry of streamEntries(read, { applicationId: application.id, month, until })) {
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
