// Usage: how many registrations and sign-ins each day had and what they cost, what went wrong and
// why, and the newest of both, each with the way to its trace.
import type { Context } from 'koa';
import { secondsAfter } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { countTestSessions, type TestUsage } from '../../ledger/test-usage.ts';
import { startOfDay, type UsageDay, usagePerDay } from '../../ledger/usage-days.ts';
import { listRecentEvents, type RecentEvent } from '../../ledger/usage-recent.ts';
import { DAY } from '../../limits/units.ts';
import { signInStepKeptSeconds, usageLiveSeconds, usageRecentRows } from '../../limits/usage.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Chart } from '../../page/chart.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import { Stat, StatGrid } from '../../page/stat.tsx';
import { countFailures, type Failure, type FailureCount, listFailures } from '../../traces/step-list.ts';
import { plainNumber } from '../shell/figures.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { UsageFilter, UsagePeriods } from './filter.tsx';
import { FailureReasons, RecentFailures, RecentSignIns } from './lists.tsx';
import { readUsageChoice, type UsageChoice, usageRest } from './query.ts';
import { createTraceRoutes } from './trace.tsx';

export function createUsageRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const choice = await readUsageChoice(deps, visit, request);
    if (choice.isLive) ctx.set('Refresh', String(usageLiveSeconds));
    ctx.body = renderPage(
      <UsagePage
        visit={visit}
        choice={choice}
        usage={await visit.lane.read((db) => readUsage(db, deps.clock(), visit, choice))}
      />,
    );
  };
  return [{ method: 'GET', path: '/usage', role: 'viewer', handle: show }, ...createTraceRoutes()];
}

export type Usage = {
  tested: TestUsage;
  days: UsageDay[];
  /** As many days before those. */
  before: UsageDay[];
  events: RecentEvent[];
  failures: Failure[];
  reasons: FailureCount[];
};

async function readUsage(
  db: Database,
  now: Date,
  { workspace }: MemberVisit,
  { applicationIds, days }: UsageChoice,
): Promise<Usage> {
  const scope = { workspaceId: workspace.id, applicationIds };
  const from = startOfDay(now, days - 1);
  const kept = secondsAfter(now, -signInStepKeptSeconds);
  const start = startOfDay(from, days);
  const both = await usagePerDay(db, { applicationIds, from: start, days: days * 2 });
  return {
    tested: sumOfTests([...(await countTestSessions(db, { applicationIds, from })).values()]),
    days: both.slice(days),
    before: both.slice(0, days),
    events: await listRecentEvents(db, { applicationIds, limit: usageRecentRows }),
    failures: await listFailures(db, { ...scope, limit: usageRecentRows }),
    reasons: await countFailures(db, { ...scope, since: from > kept ? from : kept }),
  };
}

type UsagePageProps = { visit: MemberVisit; choice: UsageChoice; usage: Usage };

function UsagePage({ visit, choice, usage }: UsagePageProps) {
  const { applications, chosen, days } = choice;
  const hasNothing = usage.events.length === 0 && usage.failures.length === 0;
  return (
    <SettingsFrame
      visit={visit}
      section="usage"
      heading="Usage"
      lead={`Registrations and sign-ins of ${chosen?.name ?? 'all applications'} in the last ${days} days, in UTC.`}
    >
      {applications.length === 0 ? (
        <EmptyState heading="No usage yet">
          <p>Usage appears after the first sign-in to an application.</p>
          <ButtonLink kind="primary" href={visit.path('/applications/new')}>
            New application
          </ButtonLink>
        </EmptyState>
      ) : (
        <>
          <UsagePeriods visit={visit} choice={choice} />
          <Totals visit={visit} usage={usage} />
          <TestSessions tested={usage.tested} />
          <Panel heading="Sign-ins per day">
            <Chart
              caption="Registrations and sign-ins per day"
              axis="Day"
              series={['Sign-ins', 'Registrations']}
              bars={usage.days.map(barOf)}
            />
          </Panel>
          <UsageFilter visit={visit} choice={choice} />
          <Outcome usage={usage} days={days} />
          <Live visit={visit} choice={choice} />
          <RecentSignIns visit={visit} choice={choice} events={usage.events} />
          {!hasNothing && <RecentFailures visit={visit} choice={choice} failures={usage.failures} />}
        </>
      )}
    </SettingsFrame>
  );
}

function Totals({ visit, usage }: Pick<UsagePageProps, 'visit' | 'usage'>) {
  const { currency } = visit.workspace;
  const [now, before] = [sumOf(usage.days), sumOf(usage.before)];
  const failures = usage.reasons.reduce((total, { count }) => total + count, 0);
  const isKnown = usage.days.length * DAY <= signInStepKeptSeconds;
  return (
    <StatGrid>
      <Stat
        name="Registrations"
        figure={plainNumber(now.registrations)}
        note={`${plainNumber(before.registrations)} in the period before`}
      />
      <Stat
        name="Sign-ins"
        figure={plainNumber(now.signIns)}
        note={`${plainNumber(before.signIns)} in the period before`}
      />
      <Stat
        name="Cost"
        figure={showMoney(now.cost, currency)}
        note={`${showMoney(before.cost, currency)} in the period before`}
      />
      <Stat
        name="Failures"
        figure={plainNumber(failures)}
        note={isKnown && successRate(now.registrations + now.signIns, failures)}
      />
    </StatGrid>
  );
}

/** Apart: nothing of it is in the figures above. */
export function TestSessions({ tested: { count, isMore } }: { tested: TestUsage }) {
  if (count === 0) return null;
  return (
    <p class="fine">
      In test mode: {isMore && 'more than '}
      {plainNumber(count)} {count === 1 ? 'session' : 'sessions'} in these days. They are free and not in any
      figure or chart on this page.
    </p>
  );
}

function sumOfTests(each: TestUsage[]): TestUsage {
  const count = each.reduce((sum, one) => sum + one.count, 0);
  return { count, isMore: each.some(({ isMore }) => isMore) };
}

function sumOf(days: UsageDay[]) {
  return {
    registrations: days.reduce((sum, { registrations }) => sum + registrations, 0),
    signIns: days.reduce((sum, { signIns }) => sum + signIns, 0),
    cost: days.reduce((sum, { cost }) => sum + cost, 0n),
  };
}

/** Of all that ended: a person who fails twice and then signs in counts as one success in three. */
function successRate(successes: number, failures: number): string | undefined {
  if (successes + failures === 0) return undefined;
  return `Success rate ${percent.format(successes / (successes + failures))}`;
}

function Outcome({ usage, days }: { usage: Usage; days: number }) {
  const wasCut = usage.reasons.some(({ reason }) => reason === 'too_many_steps');
  const keptDays = signInStepKeptSeconds / DAY;
  return (
    <Panel
      heading="What went wrong"
      lead={
        days > keptDays
          ? `Failures are kept for ${keptDays} days. If someone succeeds after a failure, the sign-in is counted above as well.`
          : 'If someone succeeds after a failure, the sign-in is counted above as well.'
      }
    >
      {wasCut && (
        <Notice kind="warning">
          At times there were more steps than we keep, so these counts are too low. Sign-ins and costs are
          complete.
        </Notice>
      )}
      <FailureReasons reasons={usage.reasons} />
    </Panel>
  );
}

function Live({ visit, choice }: Pick<UsagePageProps, 'visit' | 'choice'>) {
  return (
    <div class="row">
      <p class="fine">
        {choice.isLive
          ? `This page refreshes every ${usageLiveSeconds} seconds.`
          : 'The lists below show the state when you opened the page.'}
      </p>
      <div class="actions">
        <ButtonLink href={visit.path(usageRest(choice))}>Reload</ButtonLink>
        <ButtonLink href={visit.path(usageRest(choice, { isLive: !choice.isLive }))}>
          {choice.isLive ? 'Stop watching' : 'Watch live'}
        </ButtonLink>
      </div>
    </div>
  );
}

function barOf({ day, registrations, signIns }: UsageDay) {
  const start = new Date(`${day}T00:00:00Z`);
  return { label: longDay.format(start), short: shortDay.format(start), values: [signIns, registrations] };
}

const percent = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 1 });
const utc = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
const shortDay = new Intl.DateTimeFormat('en-GB', utc);
const longDay = new Intl.DateTimeFormat('en-GB', { ...utc, year: 'numeric', weekday: 'short' });
