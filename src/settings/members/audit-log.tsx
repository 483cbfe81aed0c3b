// The audit log for owners: who changed what, when, from where; filtered, paged and as CSV.
import type { Context } from 'koa';
import { type AuditEntry, type AuditFilter, auditChoices, listAudit } from '../../applications/audit-log.ts';
import type { Database } from '../../database/connection.ts';
import type { Place } from '../../database/pagination.ts';
import type { Read } from '../../database/reading-lanes.ts';
import { csvLine } from '../../http/csv.ts';
import { auditEntriesPerRead, auditEntriesShown } from '../../limits/settings.ts';
import { Button, ButtonLink, FilterForm } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Facts, type FactsProps } from '../../page/facts.tsx';
import { DateField } from '../../page/field.tsx';
import { Pager } from '../../page/pager.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { sendDownload } from '../shell/download.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import { readPlace, writePlace } from '../shell/list-place.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { type AuditNames, findAuditNames } from './audit-names.ts';
import { actionName, auditSentence } from './audit-sentence.ts';

export function createAuditRoutes(deps: SettingsDependencies): SettingsRoute[] {
  return [
    {
      method: 'GET',
      path: '/audit-log',
      role: 'owner',
      handle: (ctx, visit, { query }) => show(ctx, visit, query),
    },
    {
      method: 'GET',
      path: '/audit-log.csv',
      role: 'owner',
      fresh: true,
      handle: async (ctx, visit, { query }) => download(deps, ctx, visit, query),
    },
  ];
}

type Query = SettingsRequest['query'];

/** How the operator stands in an address; nobody's account is called that. */
const OPERATOR = 'operator';

/** Days are those of UTC, the last one included. What cannot be read filters nothing. */
function readFilter({ person, action, from, until }: Query): AuditFilter {
  const last = dayIn(until);
  return {
    ...(person ? { accountId: person === OPERATOR ? null : person } : {}),
    ...(action ? { action } : {}),
    from: dayIn(from),
    until: last && new Date(last.getTime() + 86_400_000),
  };
}

function dayIn(text: string | undefined): Date | undefined {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const day = new Date(`${text}T00:00:00Z`);
  return Number.isNaN(day.getTime()) ? undefined : day;
}

async function show(ctx: Context, visit: MemberVisit, query: Query): Promise<void> {
  const place = readPlace(query.after);
  const { rows, hasMore, choices, names } = await visit.lane.read((db) => readEntries(db, visit, query));
  const last = rows.at(-1);
  const urlOf = (changed: Query) => `${visit.path('/audit-log')}?${queryOf({ ...query, ...changed })}`;
  ctx.body = renderPage(
    <SettingsFrame
      visit={visit}
      section="audit-log"
      heading="Audit log"
      lead="Every change in this workspace. Entries can’t be edited or deleted."
      actions={
        <ButtonLink href={`${visit.path('/audit-log.csv')}?${queryOf(query)}`}>Download CSV</ButtonLink>
      }
    >
      <Filter visit={visit} query={query} choices={choices} names={names} />
      <Panel heading="Changes">
        {rows.length === 0 ? (
          <EmptyState heading="No matching entries">
            <p>Try other dates, or another person or action.</p>
          </EmptyState>
        ) : (
          <DataTable caption="Changes" head={['What', 'Who', 'When', 'From']}>
            {rows.map((entry) => (
              <Entry key={entry.id} entry={entry} names={names} currency={visit.workspace.currency} />
            ))}
          </DataTable>
        )}
      </Panel>
      <Pager
        newer={place && urlOf({ after: '' })}
        older={
          hasMore && last ? urlOf({ after: writePlace({ time: last.occurredAt, id: last.id }) }) : undefined
        }
      />
    </SettingsFrame>,
  );
}

async function readEntries(db: Database, { workspace: { id: workspaceId } }: MemberVisit, query: Query) {
  const found = await listAudit(db, {
    workspaceId,
    filter: readFilter(query),
    after: readPlace(query.after),
    limit: auditEntriesShown,
  });
  const choices = await auditChoices(db, workspaceId);
  const actors = choices.accountIds.map((accountId) => ({ accountId, target: null }));
  return { ...found, choices, names: await findAuditNames(db, workspaceId, [...found.rows, ...actors]) };
}

function queryOf(query: Query): string {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString();
}

type FilterProps = {
  visit: MemberVisit;
  query: Query;
  choices: Awaited<ReturnType<typeof auditChoices>>;
  names: AuditNames;
};

function Filter({ visit, query, choices, names }: FilterProps) {
  const persons = choices.accountIds.map((id) => ({ value: id ?? OPERATOR, label: names.actor(id) }));
  const actions = choices.actions.map((action) => ({ value: action, label: actionName(action) }));
  return (
    <FilterForm action={visit.path('/audit-log')}>
      <SelectField
        name="person"
        label="Person"
        value={query.person}
        options={[{ value: '', label: 'Everybody' }, ...persons]}
      />
      <SelectField
        name="action"
        label="Action"
        value={query.action}
        options={[{ value: '', label: 'Every action' }, ...actions]}
      />
      <DateField name="from" label="From (UTC)" value={query.from} />
      <DateField name="until" label="Until (UTC)" value={query.until} />
      <Button kind="secondary">Show</Button>
    </FilterForm>
  );
}

type EntryProps = { entry: AuditEntry; names: AuditNames; currency: string };

function Entry({ entry, names, currency }: EntryProps) {
  const details = Object.entries(entry.detail);
  return (
    <tr>
      <td>
        {auditSentence(entry, { names, currency })}
        <details class="raw">
          <summary>Details</summary>
          <Facts
            facts={[
              ['Action', <code key="action">{entry.action}</code>],
              ...(entry.target ? [['Target', <code key="target">{entry.target}</code>] as Fact] : []),
              ...details.map(([name, value]): Fact => [name.replaceAll('_', ' '), shown(value)]),
            ]}
          />
        </details>
      </td>
      <td>{names.actor(entry.accountId)}</td>
      <td>
        <Time relative at={entry.occurredAt} />
      </td>
      <td>{entry.ipAddress}</td>
    </tr>
  );
}

type Fact = FactsProps['facts'][number];

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** As it is read, so that any number of entries takes the memory of a page. */
function download(deps: SettingsDependencies, ctx: Context, visit: MemberVisit, query: Query): void {
  const workspaceId = visit.workspace.id;
  sendDownload(ctx, deps, visit, {
    type: 'text/csv; charset=utf-8',
    name: `audit-log-${workspaceId}.csv`,
    lines: (read) => csvLines(read, { workspaceId, filter: readFilter(query) }),
  });
}

async function* csvLines(read: Read, list: { workspaceId: string; filter: AuditFilter }) {
  yield csvLine(['id', 'time', 'person', 'account', 'action', 'target', 'about', 'detail', 'address']);
  let after: Place | undefined;
  for (;;) {
    const place = after;
    const { rows, hasMore, names } = await read(async (db) => {
      const found = await listAudit(db, { ...list, after: place, limit: auditEntriesPerRead });
      return { ...found, names: await findAuditNames(db, list.workspaceId, found.rows) };
    });
    for (const row of rows) yield csvLine(cellsOf(row, names));
    const last = rows.at(-1);
    if (!hasMore || !last) return;
    after = { time: last.occurredAt, id: last.id };
  }
}

function cellsOf(entry: AuditEntry, names: AuditNames) {
  const { id, occurredAt, accountId, action, target, detail, ipAddress } = entry;
  return [
    id,
    occurredAt,
    names.actor(accountId),
    accountId,
    action,
    target,
    names.target(target),
    JSON.stringify(detail),
    ipAddress,
  ];
}
