// The first page of a workspace, a dashboard: what this month costs beside the last one, how the applications are doing,
// what went wrong, what happened last, and what to do next while there is little to see.
import { listApiKeys } from '../../applications/api-key-list.ts';
import { listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { listMembers } from '../../applications/membership.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { listSubscriptions } from '../../webhooks/subscription.ts';
import { findLowBalances, LowBalanceNotices } from '../balance/notice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { LatestChanges, LatestSignIns } from './activity.tsx';
import { DailySignIns, MonthFigures } from './figures.tsx';
import { Balances, FailingWebhooks, RefusedSignIns } from './health.tsx';
import { NextSteps } from './next-steps.tsx';
import { readDashboard } from './read.ts';

export function createOverviewRoutes(deps: SettingsDependencies): SettingsRoute[] {
  return [
    {
      method: 'GET',
      path: '',
      role: 'viewer',
      async handle(ctx, visit) {
        const seen = await look(deps, visit);
        ctx.body = renderPage(<Overview visit={visit} {...seen} />);
      },
    },
  ];
}

type Seen = Awaited<ReturnType<typeof look>>;

async function look(deps: SettingsDependencies, visit: MemberVisit) {
  const { db } = deps;
  const now = deps.clock();
  const workspaceId = visit.workspace.id;
  // A service has neither sign-ins nor money.
  const applications = (await listApplications(db, workspaceId)).filter(({ isService }) => !isService);
  const subscriptions = await listSubscriptions(db, workspaceId);
  const dashboard = await visit.lane.read((reads) => readDashboard(reads, { visit, applications, now }));
  return {
    now,
    applications,
    subscriptions,
    dashboard,
    lowBalances: await findLowBalances(deps, visit),
    done: {
      application: applications.length > 0,
      signIn: dashboard.events.length > 0,
      live:
        dashboard.atWork.some(({ application, balance }) => !application.isTest && balance > 0n) ||
        dashboard.events.some(({ livemode }) => livemode),
      webhook: subscriptions.length > 0,
      apiKey: (await listApiKeys(db, workspaceId)).length > 0,
      colleague: (await listMembers(db, workspaceId)).length > 1,
    },
  };
}

function Overview({ visit, ...seen }: Seen & { visit: MemberVisit }) {
  const { applications, subscriptions, lowBalances, done } = seen;
  const canChange = isAtLeast(visit.member.role, 'developer');
  const hasEverything = done.application && done.signIn && done.live && done.webhook && done.apiKey;
  return (
    <SettingsFrame
      visit={visit}
      section="overview"
      heading={visit.workspace.name}
      lead={applications.length > 0 ? 'Sign-ins, costs, balances, and what needs your attention.' : undefined}
      actions={
        canChange &&
        applications.length > 0 && (
          <ButtonLink href={visit.path('/applications/new')}>New application</ButtonLink>
        )
      }
    >
      <div class="notices">
        <LowBalanceNotices visit={visit} balances={lowBalances} />
        <FailingWebhooks visit={visit} subscriptions={subscriptions} />
      </div>
      {done.signIn && <Board visit={visit} {...seen} />}
      {!hasEverything && canChange && <NextSteps visit={visit} done={done} first={applications[0]} />}
      {!done.signIn && applications.length > 0 && <Board visit={visit} {...seen} />}
      {applications.length === 0 && !canChange && (
        <Panel heading="Applications">
          <EmptyState heading="No applications yet">
            <p>A developer or owner of this workspace can create one.</p>
          </EmptyState>
        </Panel>
      )}
    </SettingsFrame>
  );
}

function Board({ visit, dashboard, applications, now }: Seen & { visit: MemberVisit }) {
  const { atWork, refused, events, changes } = dashboard;
  return (
    <>
      <MonthFigures visit={visit} dashboard={dashboard} />
      <DailySignIns visit={visit} dashboard={dashboard} />
      <div class="columns">
        <Balances visit={visit} atWork={atWork} now={now} />
        <RefusedSignIns visit={visit} refused={refused} />
        <LatestSignIns visit={visit} events={events} applications={applications} />
        {changes && <LatestChanges visit={visit} changes={changes} />}
      </div>
    </>
  );
}
