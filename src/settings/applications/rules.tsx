// Client rules of an application: strict or compatible (docs/decisions/0807), for software that cannot send all of it.
// The page says what is given up; an owner decides, and the audit log keeps it.
import type { Context } from 'koa';
import { type Application, clientRulesOf } from '../../applications/application.ts';
import { changeClientRules } from '../../applications/application-change.ts';
import { TollgateError } from '../../errors.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { applicationOf, audited } from './visit.ts';

const PATH = '/applications/:application/client-rules';

export function createRulesRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const { strictClientsOnly } = deps.config;
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(
      <RulesPage visit={visit} application={application} isForbidden={strictClientsOnly} />,
    );
  };
  const change = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId } = await applicationOf(deps, visit, request);
    const rules = request.fields.rules === 'compatible' ? 'compatible' : 'strict';
    if (rules === 'compatible' && strictClientsOnly)
      throw new TollgateError('forbidden', 'This service allows strict client rules only.');
    const application = await audited(deps, visit, {
      action: 'application.client_rules_changed',
      detail: { rules },
      make: (tx) => changeClientRules(tx, { id, workspaceId }, rules),
    });
    redirectTo(ctx, deps, visit, applicationRest(application), {
      notice: `${application.name} uses ${rules} client rules from the next sign-in.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'owner', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'owner', fresh: true, handle: change },
  ];
}

type RulesPageProps = { visit: MemberVisit; application: Application; isForbidden: boolean };

function RulesPage({ visit, application, isForbidden }: RulesPageProps) {
  const rest = applicationRest(application, '/client-rules');
  const next = clientRulesOf(application) === 'strict' ? 'compatible' : 'strict';
  const isAllowed = next === 'strict' || !isForbidden;
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading={`Switch to ${next} client rules`}
      lead={next === 'strict' ? STRICT : COMPATIBLE}
      problem={!isAllowed && 'The operator of this service allows strict client rules only.'}
    >
      <section class="panel">
        {next === 'compatible' && <GivenUp application={application} />}
        {isAllowed && (
          <Form action={visit.path(rest)} token={visit.token(rest)}>
            <input type="hidden" name="rules" value={next} />
            <FormActions cancel={applicationPath(visit, application)}>Switch to {next}</FormActions>
          </Form>
        )}
      </section>
    </ApplicationFrame>
  );
}

const STRICT =
  'Every sign-in requires state, nonce and PKCE again. Requests without one of them are refused.';
const COMPATIBLE =
  'For software that can’t send state, nonce and PKCE. Check its settings first: strict is safer.';

function GivenUp({ application }: { application: Application }) {
  const isPublic = application.clientType === 'public';
  return (
    <>
      <h2>What you give up</h2>
      <ul class="points">
        <li>
          <code>state</code> is not required. Only PKCE or the nonce then ties the response to the browser
          that asked for it, and your software has to check them.
        </li>
        <li>
          <code>nonce</code> is not asked for{isPublic ? '' : ' where PKCE is used'}. An ID Token can then be
          injected into another sign-in of the same person without being noticed.
        </li>
        {!isPublic && (
          <li>
            PKCE is not required when a nonce is sent. Anyone who steals a code and the Client Secret can
            exchange it.
          </li>
        )}
      </ul>
      <h2>What stays</h2>
      <ul class="points">
        <li>
          {isPublic
            ? 'PKCE with S256 is always required.'
            : 'At least one of PKCE with S256 and nonce is required.'}
        </li>
        <li>
          What your software does send is enforced: a code challenge needs its verifier, and a nonce is
          returned.
        </li>
        <li>Callbacks, secrets, consent and charges stay the same.</li>
      </ul>
    </>
  );
}
