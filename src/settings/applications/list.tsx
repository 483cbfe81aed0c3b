// Applications of a workspace: the list, and every route below it that this section answers.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { listDeletedApplications } from '../../applications/application-change.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { Database } from '../../database/connection.ts';
import { readBalances } from '../../ledger/balance.ts';
import { countTestSessions } from '../../ledger/test-usage.ts';
import { startOfDay, usageByKind } from '../../ledger/usage-days.ts';
import { overviewChartDays } from '../../limits/settings.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { plainNumber } from '../shell/figures.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { createAppearanceRoutes } from './appearance.tsx';
import { createAssuranceRoutes } from './assurance.tsx';
import { createCredentialRoutes } from './credentials.tsx';
import { createDeletionRoutes } from './deletion.tsx';
import { createDeviceRoutes } from './devices.tsx';
import { ApplicationName, ApplicationState, applicationPath, kindName } from './frame.tsx';
import { createGoLiveRoutes } from './go-live.tsx';
import { createLogoutRoutes } from './logout.tsx';
import { createNewApplicationRoutes } from './new.tsx';
import { createNewServiceRoutes } from './new-service.tsx';
import { createOverviewRoutes } from './overview.tsx';
import { createRulesRoutes } from './rules.tsx';
import { createSecretRoutes } from './secrets.tsx';
import { createTrialRoutes } from './try.tsx';
import { createUriRoutes } from './uris.tsx';

/** `new` before the ids. */
export function createApplicationRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const list = async (ctx: Context, visit: MemberVisit) => {
    const applications = await listApplications(deps.db, visit.workspace.id);
    const deleted = await listDeletedApplications(deps.db, visit.workspace.id);
    const atWork = await visit.lane.read((reads) => readAtWork(reads, applications, deps.clock()));
    ctx.body = renderPage(<ApplicationsPage {...{ visit, applications, deleted, atWork }} />);
  };
  return [
    { method: 'GET', path: '/applications', role: 'viewer', handle: list },
    ...createNewApplicationRoutes(deps),
    ...createNewServiceRoutes(deps),
    ...createOverviewRoutes(deps),
    ...createCredentialRoutes(deps),
    ...createSecretRoutes(deps),
    ...createUriRoutes(deps),
    ...createLogoutRoutes(deps),
    ...createAppearanceRoutes(deps),
    ...createTrialRoutes(deps),
    ...createDeletionRoutes(deps),
    ...createRulesRoutes(deps),
    ...createDeviceRoutes(deps),
    ...createAssuranceRoutes(deps),
    ...createGoLiveRoutes(deps),
  ];
}

type AtWork = Awaited<ReturnType<typeof readAtWork>>;

/** Three statements, however many applications there are. */
async function readAtWork(db: Database, applications: Application[], now: Date) {
  const applicationIds = applications.map(({ id }) => id);
  const balances = await readBalances(db, applicationIds);
  const from = startOfDay(now, overviewChartDays - 1);
  const usage = await usageByKind(db, { applicationIds, from, days: overviewChartDays });
  const tested = await countTestSessions(db, { applicationIds, from });
  return new Map(
    applications.map(({ id, isTest }) => {
      const ofThis = usage.filter(({ applicationId }) => applicationId === id);
      const live = ofThis.reduce((sum, { count }) => sum + count, 0);
      const sessions = isTest ? (tested.get(id)?.count ?? 0) : live;
      return [id, { balance: balances.get(id), sessions }];
    }),
  );
}

type ApplicationsPageProps = {
  visit: MemberVisit;
  applications: Application[];
  deleted: Application[];
  atWork: AtWork;
};

function ApplicationsPage({ visit, applications, deleted, atWork }: ApplicationsPageProps) {
  const newOne = isAtLeast(visit.member.role, 'developer') && (
    <ButtonLink kind="primary" href={visit.path('/applications/new')}>
      New application
    </ButtonLink>
  );
  return (
    <SettingsFrame
      visit={visit}
      section="applications"
      heading="Applications"
      lead="Each application has its own name, Client ID, secrets and balance."
      actions={applications.length > 0 && newOne}
    >
      {applications.length === 0 ? (
        <EmptyState heading="No applications yet">
          <p>An application is a website, an app or a backend whose customers sign in with Tollgate.</p>
          {newOne}
        </EmptyState>
      ) : (
        <section class="panel">
          <ApplicationTable visit={visit} applications={applications} atWork={atWork} />
        </section>
      )}
      {deleted.length > 0 && (
        <Panel
          heading="Deleted"
          lead="Nobody can sign in to these any more. Their balances and statements are kept."
        >
          <DeletedTable visit={visit} deleted={deleted} />
        </Panel>
      )}
    </SettingsFrame>
  );
}

function ApplicationTable({ visit, applications, atWork }: Omit<ApplicationsPageProps, 'deleted'>) {
  return (
    <DataTable caption="Applications" head={['Application', 'State', 'Sign-ins', 'Balance', 'Client ID']}>
      {applications.map((application) => {
        const { sessions = 0, balance } = atWork.get(application.id) ?? {};
        return (
          <tr key={application.id}>
            <td>
              <ApplicationName visit={visit} application={application} all={applications}>
                {kindName(application)} · created <Time at={application.createdAt} />
              </ApplicationName>
            </td>
            <td>
              <ApplicationState application={application} alone />
            </td>
            <td>
              {!application.isService && (
                <>
                  {plainNumber(sessions)}
                  <span class="fine">{overviewChartDays} days</span>
                </>
              )}
            </td>
            <td>
              {!application.isService && (
                <a class="whole" href={applicationPath(visit, application, '/balance')}>
                  {application.isTest ? 'Test money' : balance && showMoney(balance.amount, balance.currency)}
                </a>
              )}
            </td>
            <td>
              <code class="whole">{application.clientId}</code>
            </td>
          </tr>
        );
      })}
    </DataTable>
  );
}

function DeletedTable({ visit, deleted }: Pick<ApplicationsPageProps, 'visit' | 'deleted'>) {
  return (
    <DataTable caption="Deleted applications" head={['Name', 'Deleted', '']}>
      {deleted.map((application) => (
        <tr key={application.id}>
          <td>{application.name}</td>
          <td>{application.deletedAt && <Time at={application.deletedAt} />}</td>
          <td>
            <a
              href={applicationPath(visit, application, '/balance')}
              aria-label={`Balance and statements of ${application.name}`}
            >
              Balance and statements
            </a>
          </td>
        </tr>
      ))}
    </DataTable>
  );
}
