// The end of an API: said plainly, confirmed by typing its name, and taken back within some minutes from the list of APIs.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import {
  deleteResource,
  listRestorableResources,
  type RestorableResource,
  restoreResource,
} from '../../applications/resource-deletion.ts';
import type { Resource } from '../../applications/resource-list.ts';
import { TollgateError } from '../../errors.ts';
import { applicationNameCharacters, resourceRestoreSeconds } from '../../limits/applications.ts';
import { MINUTE } from '../../limits/units.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { TextField } from '../../page/field.tsx';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { apiOf, apiRest, namesOf } from './visit.ts';

const PATH = '/apis/:api/delete';
const RESTORE = '/apis/:api/restore';
const MINUTES = resourceRestoreSeconds / MINUTE;

export function createApiDeletionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, api: Resource, typed?: string) => {
    const applications = await listApplications(deps.db, visit.workspace.id);
    ctx.body = renderPage(<DeletionPage {...{ visit, api, applications, typed }} />);
  };
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    await show(ctx, visit, await apiOf(deps, visit, request));
  };
  const remove = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const api = await apiOf(deps, visit, request);
    const typed = (request.fields.name ?? '').trim();
    if (typed !== api.name) {
      ctx.status = 400;
      return show(ctx, visit, api, typed);
    }
    const { id: resourceId, name, identifier } = api;
    const which = { workspaceId: visit.workspace.id, resourceId };
    const restorableSeconds = resourceRestoreSeconds;
    await audited(deps, visit, {
      action: 'api.deleted',
      target: resourceId,
      detail: { name, identifier },
      make: (tx, now) => deleteResource(tx, { ...which, restorableSeconds, now }),
    });
    redirectTo(ctx, deps, visit, '/apis', {
      notice: `${name} is deleted. Nobody gets tokens for it any more. You can restore it for ${MINUTES} minutes.`,
    });
  };
  const restore = async (ctx: Context, visit: MemberVisit, { params }: SettingsRequest) => {
    const api = await restorableOf(deps, visit, params.api);
    const { id: resourceId, name, identifier } = api;
    await audited(deps, visit, {
      action: 'api.restored',
      target: resourceId,
      detail: { name, identifier },
      make: (tx, now) => restoreResource(tx, { workspaceId: visit.workspace.id, resourceId, now }),
    });
    redirectTo(ctx, deps, visit, apiRest(api), {
      notice: `${name} is restored, with its scopes and applications.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: remove },
    { method: 'POST', path: RESTORE, role: 'developer', fresh: true, handle: restore },
  ];
}

/** Another workspace's, one that is not deleted and one that is gone are alike. @throws TollgateError not_found */
async function restorableOf(
  { db, clock }: SettingsDependencies,
  { workspace }: MemberVisit,
  id: string | undefined,
): Promise<RestorableResource> {
  const all = await listRestorableResources(db, { workspaceId: workspace.id, now: clock() });
  const found = all.find((api) => api.id === id);
  if (!found) throw new TollgateError('not_found', 'This API can no longer be restored.');
  return found;
}

type DeletionPageProps = {
  visit: MemberVisit;
  api: Resource;
  applications: Application[];
  typed: string | undefined;
};

function DeletionPage({ visit, api, applications, typed }: DeletionPageProps) {
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
      problem={typed !== undefined && 'Nothing was deleted. That is not the name of the API.'}
    >
      <section class="panel panel-danger">
        <h2>What ends</h2>
        <ul class="points">
          <li>
            No application gets a token for it: sign-ins and requests that name it are refused.
            {api.askingIds.length > 0 && ` This affects: ${namesOf(applications, api.askingIds)}.`}
          </li>
          {api.tokenFormat === 'opaque' && <li>Its tokens are not active any more.</li>}
          <li>
            Its scopes and its choice of applications are deleted after {MINUTES} minutes. Until then you can
            restore it.
          </li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          {api.tokenFormat === 'jwt' && (
            <li>JWTs that were issued work for up to {api.tokenSeconds / MINUTE} more minutes.</li>
          )}
          <li>The identifier stays yours: no other company can register it.</li>
        </ul>
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <TextField
            name="name"
            label={`Type “${api.name}” to confirm`}
            autocomplete="off"
            maximum={applicationNameCharacters}
            value={typed}
            problem={typed === undefined ? undefined : `The name is “${api.name}”.`}
            required
          />
          <FormActions kind="final" cancel={visit.path(apiRest(api))}>
            Delete API
          </FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
