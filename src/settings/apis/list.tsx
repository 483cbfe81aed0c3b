// The APIs of a workspace: what access tokens can be for besides UserInfo (docs/decisions/1203).
import type { Context } from 'koa';
import { isAtLeast } from '../../applications/member.ts';
import { listRestorableResources, type RestorableResource } from '../../applications/resource-deletion.ts';
import { listResources, type Resource } from '../../applications/resource-list.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import { RestorablePanel } from '../shell/restorable.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { createApiDeletionRoutes } from './deletion.tsx';
import { createApiFormRoutes } from './form-pages.tsx';
import { createApiPageRoutes } from './page.tsx';
import { apiRest } from './visit.ts';

export function createApiRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit) => {
    const workspaceId = visit.workspace.id;
    const [apis, restorable] = await Promise.all([
      listResources(deps.db, workspaceId),
      listRestorableResources(deps.db, { workspaceId, now: deps.clock() }),
    ]);
    ctx.body = renderPage(<ApisPage {...{ visit, apis, restorable }} />);
  };
  return [
    { method: 'GET', path: '/apis', role: 'viewer', handle: show },
    // Before the page of an API, whose path would take their names for ids.
    ...createApiFormRoutes(deps),
    ...createApiPageRoutes(deps),
    ...createApiDeletionRoutes(deps),
  ];
}

type ApisPageProps = { visit: MemberVisit; apis: Resource[]; restorable: RestorableResource[] };

function ApisPage({ visit, apis, restorable }: ApisPageProps) {
  const mayChange = isAtLeast(visit.member.role, 'developer');
  return (
    <SettingsFrame
      visit={visit}
      section="apis"
      heading="APIs"
      lead="Your own APIs that applications can get access tokens for, with the scopes that people agree to."
      actions={
        mayChange && (
          <ButtonLink kind="primary" href={visit.path('/apis/new')}>
            Register an API
          </ButtonLink>
        )
      }
    >
      <Panel heading="APIs">
        {apis.length > 0 ? (
          <DataTable caption="APIs" head={['API', 'Tokens', 'Applications', 'Registered']}>
            {apis.map((api) => (
              <tr key={api.id}>
                <td>
                  <a class="endpoint" href={visit.path(apiRest(api))}>
                    {api.name}
                  </a>
                  <span class="fine">{api.identifier}</span>
                </td>
                <td>{api.tokenFormat === 'jwt' ? 'JWT' : 'Opaque'}</td>
                <td>{api.askingIds.length}</td>
                <td>
                  <Time at={api.createdAt} />
                </td>
              </tr>
            ))}
          </DataTable>
        ) : (
          <EmptyState heading="No APIs yet">
            <p>Register one to receive access tokens that your own API can verify.</p>
          </EmptyState>
        )}
      </Panel>
      {mayChange && (
        <RestorablePanel
          visit={visit}
          lead="Restored, an API has its scopes and applications again. That ends when its identifier is registered anew."
          items={restorable.map((api) => ({
            name: `${api.name}, ${api.identifier}`,
            until: api.until,
            rest: apiRest(api, '/restore'),
          }))}
        />
      )}
    </SettingsFrame>
  );
}
