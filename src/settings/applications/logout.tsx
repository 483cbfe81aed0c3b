// Back-channel logout of an application: where its backend is told that a session has ended, what it is told, and what
// became of it. The address is held to the same rules as a webhook's.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { type BackchannelLogout, changeBackchannelLogout } from '../../applications/application-change.ts';
import { isAtLeast } from '../../applications/member.ts';
import { webhookUrlCharacters } from '../../limits/webhooks.ts';
import { ButtonLink, Form, FormActions } from '../../page/button.tsx';
import { CheckField } from '../../page/choice-field.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { UrlField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import { checkEndpoint, createResolver, endpointRulesOf } from '../../webhooks/endpoint-url.ts';
import { type LogoutNotice, listLogouts } from '../../webhooks/logout-list.ts';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { LogoutLog } from './logout-log.tsx';
import { LOGOUT_LEAD } from './logout-panel.tsx';
import { applicationOf, audited, problemOf } from './visit.ts';

const PATH = '/applications/:application/logout';
const CHANGE = `${PATH}/change`;

export function createLogoutRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const { baseUrl } = deps.config;
  const rules = endpointRulesOf(deps.config);
  const resolve = createResolver();
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const notices = await listLogouts(deps.db, application.id);
    ctx.body = renderPage(<LogoutPage {...{ visit, application, notices, baseUrl }} />);
  };
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const { backchannelLogoutUri: uri, backchannelLogoutSessionRequired } = application;
    const logout = { uri, sessionRequired: uri === null || backchannelLogoutSessionRequired };
    ctx.body = renderPage(<ChangePage {...{ visit, application, logout }} />);
  };
  const save = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const { fields } = request;
    const uri = (fields.uri ?? '').trim() || null;
    const logout = { uri, sessionRequired: fields.session_required === 'on' };
    const problem = uri === null ? undefined : await problemOf(() => checkEndpoint(uri, { rules, resolve }));
    if (problem) {
      ctx.status = 400;
      ctx.body = renderPage(<ChangePage {...{ visit, application, logout, problem }} />);
      return;
    }
    const { id, workspaceId } = application;
    await audited(deps, visit, {
      action: 'application.logout_changed',
      detail: { url: uri, session: logout.sessionRequired },
      make: (tx) => changeBackchannelLogout(tx, { id, workspaceId }, logout),
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/logout'), {
      notice: uri ? 'Saved. It applies to sessions that end from now on.' : 'Back-channel logout is off.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'GET', path: CHANGE, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: CHANGE, role: 'developer', fresh: true, handle: save },
  ];
}

type LogoutPageProps = {
  visit: MemberVisit;
  application: Application;
  notices: LogoutNotice[];
  baseUrl: string;
};

function LogoutPage({ visit, application, notices, baseUrl }: LogoutPageProps) {
  const { backchannelLogoutUri: uri, backchannelLogoutSessionRequired: isNamed } = application;
  const change = isAtLeast(visit.member.role, 'developer') && (
    <ButtonLink kind="primary" href={applicationPath(visit, application, '/logout/change')}>
      {uri ? 'Change' : 'Set up'}
    </ButtonLink>
  );
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="addresses"
      heading="Back-channel logout"
      lead={LOGOUT_LEAD}
    >
      <Panel heading="Setup" actions={change}>
        <Facts
          facts={[
            ['Logout endpoint', uri ? <code key="uri">{uri}</code> : 'None: nothing is sent'],
            ['Names the session', isNamed ? 'Yes: sid in ID Tokens and logout tokens' : 'No: sub only'],
          ]}
        />
      </Panel>
      <Panel
        heading="What we send"
        lead="A POST with a signed token. Verify it like an ID Token, then end the sessions that it names and answer 200 or 204 within 10 seconds. Other answers are tried again for nine hours; a 400 is final."
      >
        <Copyable multiline label="Request" value={exampleRequest(uri)} />
        <Copyable multiline label="Logout token" value={exampleToken(application, baseUrl)} />
        <p>
          <a href="/docs/tokens#logout-that-reaches-your-application">How to verify a logout token</a>
        </p>
      </Panel>
      <LogoutLog notices={notices} />
    </ApplicationFrame>
  );
}

function exampleRequest(uri: string | null): string {
  const { host, pathname, search } = new URL(uri ?? 'https://shop.example/backchannel-logout');
  return [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    'Content-Type: application/x-www-form-urlencoded',
    '',
    'logout_token=eyJhbGciOiJSUzI1NiIsInR5cCI6ImxvZ291dCtqd3QiLCJraWQiOiI…',
  ].join('\n');
}

/** Decoded, with this application's own values where they are the same in every token. */
function exampleToken(application: Application, baseUrl: string): string {
  const isNamed = application.backchannelLogoutSessionRequired || application.backchannelLogoutUri === null;
  const claims = {
    iss: baseUrl,
    aud: application.clientId,
    iat: 1_796_000_000,
    exp: 1_796_000_120,
    jti: 'lgt_0192….1',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    sub: 'the customer’s sub, as in your ID Tokens',
    ...(isNamed && { sid: 'the session’s sid, as in your ID Tokens' }),
  };
  return JSON.stringify(claims, null, 2);
}

type ChangePageProps = {
  visit: MemberVisit;
  application: Application;
  logout: BackchannelLogout;
  problem?: string | undefined;
};

function ChangePage({ visit, application, logout, problem }: ChangePageProps) {
  const rest = applicationRest(application, '/logout/change');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="addresses"
      heading="Set up back-channel logout"
      lead={LOGOUT_LEAD}
      problem={problem && 'Nothing was saved. Check the problem below.'}
    >
      <section class="panel">
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <UrlField
            name="uri"
            label="Logout endpoint"
            note="empty switches it off"
            hint="A public HTTPS address with a host name, on port 443 or from 1024 up."
            placeholder="https://shop.example/backchannel-logout"
            maximum={webhookUrlCharacters}
            value={logout.uri ?? ''}
            problem={problem}
            focused
          />
          <CheckField
            name="session_required"
            label="Name the session"
            hint="Adds sid to ID Tokens and logout tokens, so that you can end one session and leave the customer’s others. Tokens from before have no sid: keep sub as well."
            checked={logout.sessionRequired}
          />
          <FormActions cancel={applicationPath(visit, application, '/logout')}>Save</FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}
