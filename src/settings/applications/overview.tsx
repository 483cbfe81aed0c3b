// One application at a glance, and its switch: disabled, nobody signs in to it and everything that its customers hold
// is over.
import type { Context } from 'koa';
import { type Application, clientRulesOf, kindOf } from '../../applications/application.ts';
import { disableApplication, enableApplication } from '../../applications/application-change.ts';
import { isAtLeast } from '../../applications/member.ts';
import { changeTestAddresses } from '../../applications/test-addresses.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts, type FactsProps } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { readTestAddresses, TestModePanel, type TypedTestAddresses } from './test-mode.tsx';
import { applicationOf, audited, problemOf } from './visit.ts';

const PATH = '/applications/:application';

export function createOverviewRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(<OverviewPage visit={visit} application={application} />);
  };
  const disable = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId } = await applicationOf(deps, visit, request);
    const application = await audited(deps, visit, {
      action: 'application.disabled',
      async make(tx, now) {
        const disabled = await disableApplication(tx, { id, workspaceId }, now);
        await deps.revokeClient(tx, disabled.clientId);
        return disabled;
      },
    });
    redirectTo(ctx, deps, visit, applicationRest(application), {
      notice: `${application.name} is disabled. Its customers are signed out.`,
    });
  };
  const enable = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId } = await applicationOf(deps, visit, request);
    const application = await audited(deps, visit, {
      action: 'application.enabled',
      make: (tx) => enableApplication(tx, { id, workspaceId }),
    });
    redirectTo(ctx, deps, visit, applicationRest(application), {
      notice: `${application.name} accepts sign-ins again.`,
    });
  };
  const saveTestAddresses = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const text = request.fields.addresses ?? '';
    const read = readTestAddresses(text);
    const save = (emails: string[]) =>
      audited(deps, visit, {
        action: 'application.test_addresses_changed',
        make: (tx) => changeTestAddresses(tx, application, emails),
      });
    const problem = 'problem' in read ? read.problem : await problemOf(() => save(read.emails));
    if (problem === undefined)
      return redirectTo(ctx, deps, visit, applicationRest(application), { notice: 'Test addresses saved.' });
    ctx.status = 400;
    ctx.body = renderPage(<OverviewPage visit={visit} application={application} typed={{ text, problem }} />);
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'POST', path: `${PATH}/test-addresses`, role: 'developer', handle: saveTestAddresses },
    { method: 'POST', path: `${PATH}/disable`, role: 'developer', handle: disable },
    { method: 'POST', path: `${PATH}/enable`, role: 'developer', handle: enable },
  ];
}

type OverviewProps = { visit: MemberVisit; application: Application; typed?: TypedTestAddresses };

function OverviewPage({ visit, application, typed }: OverviewProps) {
  const path = (rest: string) => applicationPath(visit, application, rest);
  const mayChange = isAtLeast(visit.member.role, 'developer');
  const { isService } = application;
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      problem={typed && 'The test addresses were not saved. Check the problem below.'}
      actions={
        mayChange &&
        !isService &&
        !application.disabledAt && <ButtonLink href={path('/try')}>Try the sign-in</ButtonLink>
      }
    >
      {application.isTest && <TestModePanel visit={visit} application={application} typed={typed} />}
      <Panel
        heading="Identifiers"
        lead="Neither of these is a secret. Use the Application ID with the customer-data API."
      >
        <Copyable label="Client ID" value={application.clientId} />
        <Copyable label="Application ID" value={application.id} />
      </Panel>
      <Panel heading="Setup">
        <Facts
          facts={[
            ['Kind', kindTexts[kindOf(application)]],
            ['Assurance', <AssuranceFact key="assurance" visit={visit} application={application} />],
            ['Created', <Time key="created" at={application.createdAt} />],
            ...(isService ? [] : factsOfSignIn(visit, application)),
          ]}
        />
      </Panel>
      <StatePanel visit={visit} application={application} />
      {isAtLeast(visit.member.role, 'owner') && (
        <Panel
          heading="Delete"
          lead="Permanently deletes the application. The next page explains what that means before anything happens."
          actions={
            <ButtonLink kind="danger" href={path('/delete')}>
              Delete this application
            </ButtonLink>
          }
          danger
        />
      )}
    </ApplicationFrame>
  );
}

const kindTexts = {
  public: 'Public: single-page application',
  confidential: 'Confidential: with a backend',
  service: 'Service: no person signs in',
};

function factsOfSignIn(visit: MemberVisit, application: Application): FactsProps['facts'] {
  return [
    ['Client rules', <RulesFact key="rules" visit={visit} application={application} />],
    ['Sign-in on devices', <DevicesFact key="devices" visit={visit} application={application} />],
    ['Callbacks', <UriList key="callbacks" uris={application.redirectUris} />],
    [
      'Logo',
      application.logo ? (
        'Yes'
      ) : (
        <a key="logo" href={applicationPath(visit, application, '/appearance')}>
          Add one
        </a>
      ),
    ],
  ];
}

function AssuranceFact({ visit, application }: { visit: MemberVisit; application: Application }) {
  if (!isAtLeast(visit.member.role, 'owner')) return 'An owner decides';
  return (
    <a href={applicationPath(visit, application, '/assurance')}>Signing, pushed requests, DPoP, FAPI 2.0</a>
  );
}

function RulesFact({ visit, application }: { visit: MemberVisit; application: Application }) {
  const rules = clientRulesOf(application);
  return (
    <>
      {rules === 'strict' ? 'Strict: state, nonce and PKCE' : <Badge kind="warning">Compatible</Badge>}
      {isAtLeast(visit.member.role, 'owner') && (
        <>
          {' '}
          <a href={applicationPath(visit, application, '/client-rules')}>Change</a>
        </>
      )}
    </>
  );
}

function DevicesFact({ visit, application }: { visit: MemberVisit; application: Application }) {
  return (
    <>
      {application.allowsDevices ? 'On' : 'Off'}
      {isAtLeast(visit.member.role, 'owner') && (
        <>
          {' '}
          <a href={applicationPath(visit, application, '/devices')}>Change</a>
        </>
      )}
    </>
  );
}

function UriList({ uris }: { uris: string[] }) {
  return (
    <ul class="plain">
      {uris.map((uri) => (
        <li key={uri}>
          <code>{uri}</code>
        </li>
      ))}
    </ul>
  );
}

const stateOfSignIns = {
  heading: 'Sign-ins',
  state: 'Accepts sign-ins',
  enabled:
    'Disabling immediately stops all sign-ins and revokes customers’ access tokens, refresh tokens and codes. Nothing is deleted or charged, and you can enable it again.',
  disabled:
    'Nobody can sign in. When you enable it, customers sign in again with the same sub. Earlier sessions stay ended.',
};
const stateOfService = {
  heading: 'Tokens',
  state: 'Gets tokens',
  enabled:
    'Disabled, it gets no token any more. JWTs that it holds work until they expire. Nothing is deleted, and you can enable it again.',
  disabled: 'It gets no token. When you enable it, it gets tokens with the same Client ID and secrets.',
};

function StatePanel({ visit, application }: { visit: MemberVisit; application: Application }) {
  const { disabledAt, isService } = application;
  const words = isService ? stateOfService : stateOfSignIns;
  const rest = applicationRest(application, disabledAt ? '/enable' : '/disable');
  const button = (
    <Form action={visit.path(rest)} token={visit.token(rest)} label={disabledAt ? 'Enable' : 'Disable'}>
      <Button kind="secondary">{disabledAt ? 'Enable' : 'Disable'}</Button>
    </Form>
  );
  return (
    <Panel
      heading={words.heading}
      lead={disabledAt ? words.disabled : words.enabled}
      actions={isAtLeast(visit.member.role, 'developer') && button}
    >
      <p>
        {disabledAt ? (
          <>
            <Badge kind="warning">Disabled</Badge> since <Time at={disabledAt} />
          </>
        ) : (
          <Badge kind="good">{words.state}</Badge>
        )}
      </p>
    </Panel>
  );
}
