// What the overview shows, read in the company's lane: sums of days, balances and forecasts of all applications with one
// statement each, and the newest of what has no end.
import type { Application } from '../../applications/application.ts';
import { listAudit } from '../../applications/audit-log.ts';
import { secondsAfter } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { readBalances } from '../../ledger/balance.ts';
import { type Forecast, readForecasts } from '../../ledger/forecast.ts';
import { countTestSessions } from '../../ledger/test-usage.ts';
import { type KindOfDay, startOfDay, usageByKind } from '../../ledger/usage-days.ts';
import { listRecentEvents } from '../../ledger/usage-recent.ts';
import { overviewChartDays, overviewFailureDays, overviewRows } from '../../limits/settings.ts';
import { DAY } from '../../limits/units.ts';
import { countFailures } from '../../traces/step-list.ts';
import { findAuditNames } from '../members/audit-names.ts';
import type { MemberVisit } from '../shell/visit.ts';
import { monthFigures, startOfLastMonth } from './months.ts';

export type AtWork = {
  application: Application;
  balance: bigint;
  currency: string;
  forecast: Forecast;
  /** Of the days that the chart shows. */
  sessions: number;
};

export type Dashboard = Awaited<ReturnType<typeof readDashboard>>;

type Asked = { visit: MemberVisit; applications: Application[]; now: Date };

export async function readDashboard(db: Database, { visit, applications, now }: Asked) {
  const applicationIds = applications.map(({ id }) => id);
  const chartFrom = startOfDay(now, overviewChartDays - 1);
  const from = new Date(Math.min(chartFrom.getTime(), startOfLastMonth(now).getTime()));
  const days = Math.round((startOfDay(now, -1).getTime() - from.getTime()) / (DAY * 1000));
  const usage = await usageByKind(db, { applicationIds, from, days });
  const failuresSince = secondsAfter(now, -overviewFailureDays * DAY);
  const scope = { workspaceId: visit.workspace.id, applicationIds };
  return {
    months: monthFigures(usage, now),
    days: chartDays(usage, chartFrom),
    atWork: await readAtWork(db, { applications, usage, chartFrom, now }),
    refused: await countFailures(db, { ...scope, since: failuresSince }),
    events: await listRecentEvents(db, { applicationIds, limit: overviewRows }),
    changes: visit.member.role === 'owner' ? await readChanges(db, visit) : undefined,
  };
}

type Usage = { applications: Application[]; usage: KindOfDay[]; chartFrom: Date; now: Date };

async function readAtWork(db: Database, { applications, usage, chartFrom, now }: Usage): Promise<AtWork[]> {
  const balances = await readBalances(
    db,
    applications.map(({ id }) => id),
  );
  const found = applications.map((application) => {
    const { amount: balance = 0n, currency = '' } = balances.get(application.id) ?? {};
    return { application, balance, currency };
  });
  const forecasts = await readForecasts(db, {
    applications: found.map(({ application: { id, createdAt }, balance }) => ({
      applicationId: id,
      createdAt,
      balance,
    })),
    now,
  });
  const firstDay = chartFrom.toISOString().slice(0, 10);
  const tested = await countTestSessions(db, {
    applicationIds: applications.map(({ id }) => id),
    from: chartFrom,
  });
  return found.map((one) => ({
    ...one,
    forecast: forecasts.get(one.application.id) ?? { kind: 'idle' },
    sessions: one.application.isTest
      ? (tested.get(one.application.id)?.count ?? 0)
      : usage
          .filter(({ applicationId, day }) => applicationId === one.application.id && day >= firstDay)
          .reduce((sum, { count }) => sum + count, 0),
  }));
}

/** Oldest first, days without any included. */
function chartDays(usage: KindOfDay[], from: Date) {
  return Array.from({ length: overviewChartDays }, (_, place) => {
    const day = startOfDay(from, -place);
    const ofDay = usage.filter((each) => each.day === day.toISOString().slice(0, 10));
    const sumOf = (kind: KindOfDay['kind']) =>
      ofDay.filter((each) => each.kind === kind).reduce((sum, { count }) => sum + count, 0);
    return { day, signIns: sumOf('sign_in'), registrations: sumOf('registration') };
  });
}

async function readChanges(db: Database, { workspace }: MemberVisit) {
  const { rows } = await listAudit(db, { workspaceId: workspace.id, filter: {}, limit: overviewRows });
  return { rows, names: await findAuditNames(db, workspace.id, rows) };
}
