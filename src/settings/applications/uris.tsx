// Where an application's customers may be sent: callbacks, addresses after logging out, and the origins
// that a single-page application calls from. Everybody may read them; to change them is a page of its own, because it
// sends codes and people elsewhere and so asks for a fresh sign-in. A field that is emptied is an address that is removed.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { changeUris } from '../../applications/application-change.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { UriKind } from '../../applications/uri-problems.ts';
import type { FormFields } from '../../http/form.ts';
import { ButtonLink, Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Panel } from '../../page/panel.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { LogoutPanel } from './logout-panel.tsx';
import { type Row, savedRows, typedRows, UriRows } from './uri-rows.tsx';
import { applicationOf, audited } from './visit.ts';

const PATH = '/applications/:application/addresses';
const CHANGE = `${PATH}/change`;

export function createUriRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(<UrisPage visit={visit} application={application} />);
  };
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const lists = withOrigin(saved(application), request.query.origin);
    ctx.body = renderPage(<ChangePage visit={visit} application={application} lists={lists} />);
  };
  const save = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const lists = typed(request.fields);
    const more = kinds.find((kind) => kind === request.fields.more);
    const isRefused =
      lists.callback.length === 0 ||
      Object.values(lists)
        .flat()
        .some(({ problem }) => problem);
    if (more || isRefused) {
      if (!more) ctx.status = 400;
      ctx.body = renderPage(
        <ChangePage visit={visit} application={application} lists={lists} more={more} isRefused={!more} />,
      );
      return;
    }
    const { id, workspaceId } = application;
    const uris = {
      redirectUris: valuesOf(lists.callback),
      postLogoutRedirectUris: valuesOf(lists['post-logout']),
      allowedOrigins: valuesOf(lists.origin),
    };
    await audited(deps, visit, {
      action: 'application.addresses_changed',
      target: id,
      detail: uris,
      make: (tx) => changeUris(tx, { id, workspaceId }, uris),
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/addresses'), {
      notice: 'Addresses saved. They apply from the next sign-in.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'GET', path: CHANGE, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: CHANGE, role: 'developer', fresh: true, handle: save },
  ];
}

type Lists = Record<UriKind, Row[]>;
const kinds: UriKind[] = ['callback', 'post-logout', 'origin'];

function saved({ redirectUris, postLogoutRedirectUris, allowedOrigins }: Application): Lists {
  return {
    callback: savedRows(redirectUris),
    'post-logout': savedRows(postLogoutRedirectUris),
    origin: savedRows(allowedOrigins),
  };
}

function typed(fields: FormFields): Lists {
  return {
    callback: typedRows('callback', fields),
    'post-logout': typedRows('post-logout', fields),
    origin: typedRows('origin', fields),
  };
}

/** A trace led here to register an origin: it stands in the form, unsaved. */
function withOrigin(lists: Lists, origin: string | undefined): Lists {
  if (!origin || valuesOf(lists.origin).includes(origin)) return lists;
  return { ...lists, origin: [...lists.origin, ...typedRows('origin', { 'origin-1': origin })] };
}

function valuesOf(rows: Row[]): string[] {
  return rows.map(({ value }) => value);
}

function UrisPage({ visit, application }: { visit: MemberVisit; application: Application }) {
  const lists = saved(application);
  return (
    <ApplicationFrame visit={visit} application={application} tab="addresses">
      {descriptions(application).map(({ kind, legend, hint }) => (
        <Panel key={kind} heading={legend} lead={hint}>
          <ul class="plain">
            {lists[kind].map(({ value }) => (
              <li key={value}>
                <code>{value}</code>
              </li>
            ))}
          </ul>
          {lists[kind].length === 0 && <p>None.</p>}
        </Panel>
      ))}
      <LogoutPanel visit={visit} application={application} />
      {isAtLeast(visit.member.role, 'developer') && (
        <div class="actions">
          <ButtonLink kind="primary" href={applicationPath(visit, application, '/addresses/change')}>
            Change the addresses
          </ButtonLink>
        </div>
      )}
    </ApplicationFrame>
  );
}

type ChangePageProps = {
  visit: MemberVisit;
  application: Application;
  lists: Lists;
  /** The list that is to have another empty field. */
  more?: UriKind | undefined;
  isRefused?: boolean;
};

function ChangePage({ visit, application, lists, more, isRefused }: ChangePageProps) {
  const rest = applicationRest(application, '/addresses/change');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="addresses"
      heading="Change the addresses"
      problem={isRefused && 'Nothing was saved yet. Check the problems below.'}
    >
      <section class="panel">
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          {/* The first button of a form is what the Enter key presses. */}
          <button type="submit" class="unseen" tabIndex={-1} aria-hidden="true">
            Save
          </button>
          {descriptions(application).map((description) => (
            <UriRows
              key={description.kind}
              {...description}
              rows={lists[description.kind]}
              spare={more === description.kind ? 2 : 1}
              problem={
                isRefused && description.kind === 'callback' && lists.callback.length === 0
                  ? 'An application needs at least one callback address.'
                  : undefined
              }
            />
          ))}
          <FormActions cancel={applicationPath(visit, application, '/addresses')}>Save addresses</FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}

function descriptions({ clientType }: Application) {
  return [
    {
      kind: 'callback',
      legend: 'Callback addresses',
      label: 'Callback address',
      hint: 'We send the authorization code only to these addresses. They use HTTPS and must match exactly, down to the slash.',
      placeholder: 'https://shop.example/callback',
    },
    {
      kind: 'post-logout',
      legend: 'Addresses after logging out',
      label: 'Address after logging out',
      hint: 'Where customers can be sent after logging out of Tollgate. HTTPS, matched exactly.',
      placeholder: 'https://shop.example/',
    },
    {
      kind: 'origin',
      legend: clientType === 'public' ? 'Allowed origins' : 'Origins that the callback goes on to',
      label: 'Origin',
      hint:
        clientType === 'public'
          ? 'Pages on the origins of your callbacks can call the token and UserInfo endpoints from the browser. Add other origins here: scheme, host and port, without a path.'
          : 'Needed only if your callback redirects to another site: browsers block a sign-in that ends on an origin that is not listed. Scheme, host and port, without a path.',
      placeholder: 'https://shop.example',
    },
  ] as const;
}
