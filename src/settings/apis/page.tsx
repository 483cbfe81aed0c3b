// One API: what clients send for it, its scopes, and which applications have to do with it.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { Resource } from '../../applications/resource-list.ts';
import { MINUTE } from '../../limits/units.ts';
import { ButtonLink } from '../../page/button.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { apiOf, apiRest, namesOf } from './visit.ts';

export function createApiPageRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const api = await apiOf(deps, visit, request);
    const applications = await listApplications(deps.db, visit.workspace.id);
    ctx.body = renderPage(<ApiPage {...{ visit, api, applications }} issuer={deps.config.baseUrl} />);
  };
  return [{ method: 'GET', path: '/apis/:api', role: 'viewer', handle: show }];
}

type ApiPageProps = { visit: MemberVisit; api: Resource; applications: Application[]; issuer: string };

function ApiPage({ visit, api, applications, issuer }: ApiPageProps) {
  const mayChange = isAtLeast(visit.member.role, 'developer');
  return (
    <SettingsFrame
      visit={visit}
      section="apis"
      heading={api.name}
      lead={api.identifier}
      crumbs={[{ label: 'APIs', path: visit.path('/apis') }]}
      actions={mayChange && <ButtonLink href={visit.path(apiRest(api, '/edit'))}>Change</ButtonLink>}
    >
      <Panel heading="Tokens" lead={whatToCheck(api)}>
        <Facts
          facts={[
            ['resource, aud', <Copyable key="identifier" label="Identifier" value={api.identifier} />],
            ['iss', <code key="iss">{issuer}</code>],
            ['Format', api.tokenFormat === 'jwt' ? 'JWT (RFC 9068), RS256' : 'Opaque'],
            ['Lifetime', `${api.tokenSeconds / MINUTE} minutes`],
            ['May ask', namesOf(applications, api.askingIds)],
            ['May introspect', namesOf(applications, api.introspectingIds)],
          ]}
        />
      </Panel>
      <Panel heading="Scopes">
        <DataTable caption="Scopes" head={['Scope', 'What people agree to']}>
          {api.scopes.map(({ scope, description }) => (
            <tr key={scope}>
              <td>
                <code>{scope}</code>
              </td>
              <td>{description}</td>
            </tr>
          ))}
        </DataTable>
      </Panel>
      {mayChange && (
        <Panel
          danger
          heading="Delete"
          lead="No application gets a token for it any more. It can be restored for some minutes."
          actions={
            <ButtonLink kind="danger" href={visit.path(apiRest(api, '/delete'))}>
              Delete API
            </ButtonLink>
          }
        />
      )}
    </SettingsFrame>
  );
}

function whatToCheck({ tokenFormat }: Resource): string {
  return tokenFormat === 'jwt'
    ? 'Your API checks type (at+jwt), signature, iss, aud, exp and scope. Programs that do are in the documentation.'
    : 'Your API sends each token to the introspection endpoint, with the credentials of an application that may introspect.';
}
