// The end of an API: said plainly, and confirmed on a page of its own.
import type { Context } from 'koa';
import { deleteResource } from '../../applications/resource-change.ts';
import type { Resource } from '../../applications/resource-list.ts';
import { MINUTE } from '../../limits/units.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { apiOf, apiRest } from './visit.ts';

const PATH = '/apis/:api/delete';

export function createApiDeletionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const api = await apiOf(deps, visit, request);
    ctx.body = renderPage(<DeletionPage visit={visit} api={api} />);
  };
  const remove = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id: resourceId, name, identifier } = await apiOf(deps, visit, request);
    await audited(deps, visit, {
      action: 'api.deleted',
      target: resourceId,
      detail: { name, identifier },
      make: (tx, now) => deleteResource(tx, { workspaceId: visit.workspace.id, resourceId, now }),
    });
    redirectTo(ctx, deps, visit, '/apis', {
      notice: `${name} is deleted. Nobody gets tokens for it any more.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: remove },
  ];
}

function DeletionPage({ visit, api }: { visit: MemberVisit; api: Resource }) {
  const rest = apiRest(api, '/delete');
  return (
    <SettingsFrame
      visit={visit}
      section="apis"
      heading={`Delete ${api.name}`}
      lead={api.identifier}
      crumbs={[
        { label: 'APIs', path: visit.path('/apis') },
        { label: api.name, path: visit.path(apiRest(api)) },
      ]}
    >
      <section class="panel panel-danger">
        <h2>What ends</h2>
        <ul class="points">
          <li>No application gets a token for it. Requests that name it are refused.</li>
          <li>Opaque tokens for it are not active any more.</li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          {api.tokenFormat === 'jwt' && (
            <li>JWTs that were issued work for up to {api.tokenSeconds / MINUTE} more minutes.</li>
          )}
          <li>The identifier stays yours: no other company can register it.</li>
        </ul>
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <FormActions kind="danger" cancel={visit.path(apiRest(api))}>
            Delete permanently
          </FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
