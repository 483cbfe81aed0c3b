// Applications of a workspace: the list, and every route below it that this section answers.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { listDeletedApplications } from '../../applications/application-change.ts';
import { isAtLeast } from '../../applications/member.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { createAppearanceRoutes } from './appearance.tsx';
import { createCredentialRoutes } from './credentials.tsx';
import { createDeletionRoutes } from './deletion.tsx';
import { ApplicationState, applicationPath } from './frame.tsx';
import { createNewApplicationRoutes } from './new.tsx';
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
    ctx.body = renderPage(<ApplicationsPage visit={visit} applications={applications} deleted={deleted} />);
  };
  return [
    { method: 'GET', path: '/applications', role: 'viewer', handle: list },
    ...createNewApplicationRoutes(deps),
    ...createOverviewRoutes(deps),
    ...createCredentialRoutes(deps),
    ...createSecretRoutes(deps),
    ...createUriRoutes(deps),
    ...createAppearanceRoutes(deps),
    ...createTrialRoutes(deps),
    ...createDeletionRoutes(deps),
    ...createRulesRoutes(deps),
  ];
}

type ApplicationsPageProps = { visit: MemberVisit; applications: Application[]; deleted: Application[] };

function ApplicationsPage({ visit, applications, deleted }: ApplicationsPageProps) {
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
          <ApplicationTable visit={visit} applications={applications} />
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

function ApplicationTable({ visit, applications }: Pick<ApplicationsPageProps, 'visit' | 'applications'>) {
  return (
    <DataTable caption="Applications" head={['Name', 'Kind', 'Client ID', 'Created']}>
      {applications.map((application) => (
        <tr key={application.id}>
          <td>
            <a href={applicationPath(visit, application)}>{application.name}</a>
          </td>
          <td>
            <ApplicationState application={application} />
          </td>
          <td>
            <code>{application.clientId}</code>
          </td>
          <td>
            <Time at={application.createdAt} />
          </td>
        </tr>
      ))}
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
