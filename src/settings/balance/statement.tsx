// Statements of an application: what a month began with, every entry, what it ended with. The page
// sums charges per day and prints well; the download has a line for each. They outlive the application.
import type { Application } from '../../applications/application.ts';
import { requireKeptApplication } from '../../applications/application-change.ts';
import { type Month, monthOf, monthsBetween, parseMonth, readableMonth } from '../../ledger/month.ts';
import { type DayOfUsage, type Entry, readStatement, type Statement } from '../../ledger/statement.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { ApplicationFrame, applicationPath } from '../applications/frame.tsx';
import { NarrowTable, NumberHead } from '../shell/money-table.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { downloadStatement } from './statement-download.ts';

const PATH = '/applications/:application/statement';

export function createStatementRoutes(deps: SettingsDependencies): SettingsRoute[] {
  return [
    {
      method: 'GET',
      path: PATH,
      role: 'viewer',
      async handle(ctx, visit, request) {
        const { application, month } = await chosen(deps, visit, request);
        const statement = await visit.lane.read((db) =>
          readStatement(db, { applicationId: application.id, month }),
        );
        const months = monthsBetween(application.createdAt, deps.clock());
        const props = { visit, application, month, months, statement, now: deps.clock() };
        ctx.body = renderPage(<StatementPage {...props} />);
      },
    },
    {
      method: 'GET',
      path: `${PATH}/csv`,
      role: 'viewer',
      async handle(ctx, visit, request) {
        const { application, month } = await chosen(deps, visit, request);
        await downloadStatement(ctx, deps, { visit, application, month });
      },
    },
  ];
}

async function chosen(
  { db, clock }: SettingsDependencies,
  visit: MemberVisit,
  { params, query }: SettingsRequest,
) {
  const key = { id: params.application ?? '', workspaceId: visit.workspace.id };
  const application = await requireKeptApplication(db, key);
  return { application, month: query.month === undefined ? monthOf(clock()) : parseMonth(query.month) };
}

type Props = {
  visit: MemberVisit;
  application: Application;
  month: Month;
  months: Month[];
  statement: Statement;
  now: Date;
};

function StatementPage(props: Props) {
  const { visit, application, month, statement, now } = props;
  const rest = `/statement/csv?month=${month.name}`;
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="balance"
      heading={`Statement, ${readableMonth(month)}`}
      lead={`${application.name}, ${visit.workspace.name}. All times are UTC.`}
      actions={<ButtonLink href={applicationPath(visit, application, rest)}>Download CSV</ButtonLink>}
    >
      {statement.isShortened && (
        <Notice kind="warning">
          This month has more entries than fit on this page. The download has all of them.
        </Notice>
      )}
      <Panel heading="Summary">
        <NarrowTable caption="Summary" head={['Entry', amountHead]}>
          <SummaryRows {...statement} />
        </NarrowTable>
        <p class="fine">{finality(statement, month, now)}</p>
      </Panel>
      <Panel heading="Top-ups, refunds and corrections">
        <Entries statement={statement} />
      </Panel>
      <Panel heading="Usage, by day" lead="The download lists each charge with its event.">
        <Usage statement={statement} />
      </Panel>
      <MonthsPanel {...props} />
    </ApplicationFrame>
  );
}

/** Whether somebody may rely on it yet. */
function finality({ sealed }: Statement, { end }: Month, now: Date) {
  if (sealed)
    return (
      <>
        Final since <Time utc at={sealed.sealedAt} />: {sealed.entryCount.toLocaleString('en')} entries,
        SHA-256 <code>{sealed.hash}</code>
      </>
    );
  return now < end
    ? 'This month is not over yet.'
    : 'Not final yet. It closes an hour or two after the end of the month.';
}

const amountHead = <NumberHead key="amount">Amount</NumberHead>;

const kinds: Record<Entry['kind'], string> = {
  top_up: 'Top-up',
  welcome_credit: 'Welcome credit',
  charge: 'Charge',
  reversal: 'Reversal',
  refund: 'Refund',
  correction: 'Correction',
};

function SummaryRows({ currency, opening, closing, usage, entries, isShortened }: Statement) {
  const sums = [...usage, ...entries].reduce(
    (all, { kind, change }) => all.set(kind, (all.get(kind) ?? 0n) + change),
    new Map<Entry['kind'], bigint>(),
  );
  return (
    <>
      <tr class="statement-total">
        <td>Opening balance</td>
        <td class="number">{showMoney(opening, currency)}</td>
      </tr>
      {/* Sums of a part would not add up. */}
      {!isShortened &&
        [...sums].map(([kind, change]) => (
          <tr key={kind}>
            <td>{kinds[kind]}s</td>
            <td class="number">{showMoney(change, currency)}</td>
          </tr>
        ))}
      <tr class="statement-total">
        <td>Closing balance</td>
        <td class="number">{showMoney(closing, currency)}</td>
      </tr>
    </>
  );
}

function Entries({ statement: { entries, currency } }: { statement: Statement }) {
  if (entries.length === 0) return <p class="fine">None this month.</p>;
  return (
    <DataTable
      caption="Top-ups, refunds and corrections"
      head={['Time', 'Entry', amountHead, 'By', 'Transfer']}
    >
      {entries.map((entry) => (
        <tr key={entry.id}>
          <td>
            <Time utc at={entry.at} />
          </td>
          <td>
            {kinds[entry.kind]}
            {entry.reason && <span class="fine">{entry.reason}</span>}
            {entry.eventId && <code class="fine">{entry.eventId}</code>}
          </td>
          <td class="number">{showMoney(entry.change, currency)}</td>
          <td>{actorWords(entry)}</td>
          <td>
            <code>{entry.id}</code>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

function actorWords({ actor }: Entry): string {
  if (actor === null) return '';
  return actor.startsWith('acc_') ? 'Member' : actor;
}

function Usage({ statement: { usage, currency } }: { statement: Statement }) {
  if (usage.length === 0) return <p class="fine">None this month.</p>;
  return (
    <NarrowTable
      caption="Usage by day"
      head={['Day', 'What', <NumberHead key="count">Count</NumberHead>, amountHead]}
    >
      {usage.map((line) => (
        <tr key={`${line.day} ${line.kind} ${line.eventKind}`}>
          <td>
            <time dateTime={line.day}>{line.day}</time>
          </td>
          <td>{usageWords(line)}</td>
          <td class="number">{line.count.toLocaleString('en')}</td>
          <td class="number">{showMoney(line.change, currency)}</td>
        </tr>
      ))}
    </NarrowTable>
  );
}

function usageWords({ kind, eventKind }: DayOfUsage): string {
  const what = eventKind === 'registration' ? 'Registrations' : 'Sign-ins';
  return kind === 'charge' ? what : `${what}, reversed`;
}

function MonthsPanel({ visit, application, month, months }: Props) {
  return (
    <Panel heading="Months">
      <ul class="statement-months">
        {months.map((each) => (
          <li key={each.name}>
            <a
              href={applicationPath(visit, application, `/statement?month=${each.name}`)}
              {...(each.name === month.name ? { 'aria-current': 'page' as const } : {})}
            >
              {readableMonth(each)}
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
