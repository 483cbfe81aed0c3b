// The first page of a workspace: how its applications are doing, and what to do next while there is little to see.
import { listApiKeys } from '../../applications/api-key-list.ts';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { listMembers } from '../../applications/membership.ts';
import type { Database } from '../../database/connection.ts';
import { readBalances } from '../../ledger/balance.ts';
import { type KindOfDay, startOfDay, usageByKind } from '../../ledger/usage-days.ts';
import { overviewDays } from '../../limits/settings.ts';
import { showMoney } from '../../money.ts';
import { Badge } from '../../page/badge.tsx';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { listSubscriptions } from '../../webhooks/subscription.ts';
import { findLowBalances, LowBalanceNotices } from '../balance/notice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { NextSteps } from './next-steps.tsx';

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

type AtWork = { application: Application; balance: string; registrations: number; signIns: number };
type Seen = Awaited<ReturnType<typeof look>>;

async function look(deps: SettingsDependencies, visit: MemberVisit) {
  const { db } = deps;
  const workspaceId = visit.workspace.id;
  const applications = await listApplications(db, workspaceId);
  const atWork = await visit.lane.read((reads) => lookAt(reads, deps.clock(), applications));
  return {
    lowBalances: await findLowBalances(deps, visit),
    atWork,
    done: {
      application: applications.length > 0,
      signIn: atWork.some(({ registrations }) => registrations > 0),
      webhook: (await listSubscriptions(db, workspaceId)).length > 0,
      apiKey: (await listApiKeys(db, workspaceId)).length > 0,
      colleague: (await listMembers(db, workspaceId)).length > 1,
    },
  };
}

/** Two statements, however many applications there are. */
async function lookAt(db: Database, now: Date, applications: Application[]): Promise<AtWork[]> {
  const applicationIds = applications.map(({ id }) => id);
  const balances = await readBalances(db, applicationIds);
  const from = startOfDay(now, overviewDays - 1);
  const usage = await usageByKind(db, { applicationIds, from, days: overviewDays });
  const countOf = (applicationId: string, kind: KindOfDay['kind']) =>
    usage
      .filter((each) => each.applicationId === applicationId && each.kind === kind)
      .reduce((sum, { count }) => sum + count, 0);
  return applications.map((application) => {
    const { amount = 0n, currency = '' } = balances.get(application.id) ?? {};
    return {
      application,
      balance: showMoney(amount, currency),
      registrations: countOf(application.id, 'registration'),
      signIns: countOf(application.id, 'sign_in'),
    };
  });
}

function Overview({ visit, lowBalances, atWork, done }: Seen & { visit: MemberVisit }) {
  const canChange = isAtLeast(visit.member.role, 'developer');
  const hasEverything = done.application && done.signIn && done.webhook && done.apiKey;
  return (
    <SettingsFrame
      visit={visit}
      section="overview"
      heading={visit.workspace.name}
      lead={
        atWork.length > 0
          ? `Sign-ins of the last ${overviewDays} days, balances, and what needs your attention.`
          : undefined
      }
      actions={
        canChange &&
        atWork.length > 0 && <ButtonLink href={visit.path('/applications/new')}>New application</ButtonLink>
      }
    >
      <LowBalanceNotices visit={visit} balances={lowBalances} />
      {!hasEverything && canChange && <NextSteps visit={visit} done={done} first={atWork[0]?.application} />}
      {atWork.length > 0 && (
        <section class="cards" aria-label="Applications">
          {atWork.map((one) => (
            <Tile key={one.application.id} visit={visit} {...one} />
          ))}
        </section>
      )}
      {atWork.length === 0 && !canChange && (
        <Panel heading="Applications">
          <EmptyState heading="No applications yet">
            <p>A developer or owner of this workspace can create one.</p>
          </EmptyState>
        </Panel>
      )}
    </SettingsFrame>
  );
}

function Tile({ visit, application, balance, registrations, signIns }: AtWork & { visit: MemberVisit }) {
  const total = registrations + signIns;
  return (
    <a class="tile" href={visit.path(`/applications/${application.id}`)}>
      <span class="tile-head">
        {application.name}
        {application.disabledAt && <Badge kind="warning">disabled</Badge>}
      </span>
      <span class="tile-figure">{total.toLocaleString('en')}</span>
      <span class="fine">
        {total === 1 ? 'sign-in' : 'sign-ins'} in {overviewDays} days, {registrations.toLocaleString('en')} of
        them registrations
      </span>
      <span class="fine">Balance {balance}</span>
    </a>
  );
}
