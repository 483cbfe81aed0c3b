// The figures at the top of the overview, and the sessions of each day below them.
import { overviewChartDays, overviewFailureDays } from '../../limits/settings.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Chart } from '../../page/chart.tsx';
import { Panel } from '../../page/panel.tsx';
import { Stat, StatGrid } from '../../page/stat.tsx';
import { plainNumber } from '../shell/figures.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { changeInPercent, type Months } from './months.ts';
import type { Dashboard } from './read.ts';

type Props = { visit: MemberVisit; dashboard: Dashboard };

export function MonthFigures({ visit, dashboard: { months, refused } }: Props) {
  const { currency } = visit.workspace;
  const failed = refused.reduce((sum, { count }) => sum + count, 0);
  return (
    <StatGrid>
      <Stat
        name="Cost this month"
        figure={showMoney(months.now.cost, currency)}
        note={comparison(months, ({ cost }) => cost, `Last month: ${showMoney(months.last.cost, currency)}`)}
      />
      <Stat
        name="Sign-ins this month"
        figure={plainNumber(months.now.sessions)}
        note={comparison(
          months,
          ({ sessions }) => sessions,
          `Last month: ${plainNumber(months.last.sessions)}`,
        )}
      />
      <Stat
        name="New customers this month"
        figure={plainNumber(months.now.registrations)}
        note={comparison(
          months,
          ({ registrations }) => registrations,
          `Last month: ${plainNumber(months.last.registrations)}`,
        )}
      />
      <Stat
        name={`Failures, last ${overviewFailureDays} days`}
        figure={plainNumber(failed)}
        note={failed === 0 ? 'Nothing went wrong' : 'The reasons are below'}
      />
    </StatGrid>
  );
}

type Sum = Months['now'];

/** "+12% on the same days", and all of the last month. */
function comparison({ now, lastByToday }: Months, of: (sum: Sum) => number | bigint, last: string) {
  const change = changeInPercent(of(now), of(lastByToday));
  if (change === undefined) return last;
  return (
    <>
      <span class="stat-change">{signed.format(change).replace('-', '−')}%</span> on the same days
      <br />
      {last}
    </>
  );
}

export function DailySignIns({ visit, dashboard: { days } }: Props) {
  return (
    <Panel
      heading="Sign-ins per day"
      lead={`The last ${overviewChartDays} days, in UTC.`}
      actions={<ButtonLink href={visit.path('/usage')}>All usage</ButtonLink>}
    >
      <Chart
        caption="Registrations and sign-ins per day"
        axis="Day"
        series={['Sign-ins', 'Registrations']}
        bars={days.map(({ day, signIns, registrations }) => ({
          label: longDay.format(day),
          short: shortDay.format(day),
          values: [signIns, registrations],
        }))}
      />
    </Panel>
  );
}

const signed = new Intl.NumberFormat('en-GB', { signDisplay: 'exceptZero' });
const utc = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const shortDay = new Intl.DateTimeFormat('en-GB', utc);
const longDay = new Intl.DateTimeFormat('en-GB', { ...utc, year: 'numeric', weekday: 'short' });
