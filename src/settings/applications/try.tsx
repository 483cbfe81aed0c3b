// "Try it" (docs/decisions/0501): a real sign-in on the real pages, to a callback of ours that shows
// what the application would have received. It is never charged.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { TollgateError } from '../../errors.ts';
import { ButtonLink, Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { beginTrial, finishTrial, type Outcome } from './trial-sign-in.ts';
import { applicationOf } from './visit.ts';

const PATH = '/applications/:application/try';

export function createTrialRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    ctx.body = renderPage(<TrialPage visit={visit} application={application} />);
  };
  const begin = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    if (application.disabledAt)
      throw new TollgateError(
        'invalid_request',
        'The application is disabled. Enable it to try the sign-in.',
      );
    beginTrial(ctx, deps, visit, application);
  };
  const comeBack = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const outcome = await finishTrial(ctx, deps, { visit, application, query: request.query });
    if (outcome === 'over') ctx.status = 400;
    ctx.body = renderPage(<OutcomePage visit={visit} application={application} outcome={outcome} />);
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', handle: show },
    { method: 'POST', path: PATH, role: 'developer', handle: begin },
    { method: 'GET', path: `${PATH}/callback`, role: 'developer', handle: comeBack },
  ];
}

type PageProps = { visit: MemberVisit; application: Application };

function TrialPage({ visit, application }: PageProps) {
  const rest = applicationRest(application, '/try');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading="Try the sign-in"
      lead={`Sign in the way a customer of ${application.name} would, and see what your application would receive.`}
    >
      <section class="panel">
        <ul class="points">
          <li>You use the real sign-in pages, with this name and logo, and come back here.</li>
          <li>It is free. No customer is counted, no event is recorded and no webhook is sent.</li>
          <li>
            Your consent is remembered: {application.name} will not ask the same person again for the same
            data.
          </li>
          <li>Any email address works. A new one gets a Tollgate account, just as a customer’s would.</li>
        </ul>
        {application.disabledAt ? (
          <Notice kind="warning">
            The application is disabled. Enable it under Overview to try the sign-in.
          </Notice>
        ) : (
          <Form action={visit.path(rest)} token={visit.token(rest)}>
            <FormActions cancel={applicationPath(visit, application)}>Start the sign-in</FormActions>
          </Form>
        )}
      </section>
    </ApplicationFrame>
  );
}

function OutcomePage({ visit, application, outcome }: PageProps & { outcome: Outcome }) {
  const again = (
    <ButtonLink kind="primary" href={applicationPath(visit, application, '/try')}>
      Try again
    </ButtonLink>
  );
  if (outcome === 'over' || outcome === 'cancelled') {
    return (
      <ApplicationFrame
        visit={visit}
        application={application}
        tab="overview"
        heading={outcome === 'over' ? 'This trial has ended' : 'You cancelled'}
        lead={
          outcome === 'over'
            ? 'It was already completed, took too long, or was started in another browser.'
            : 'Your application would have received access_denied on its callback, and nothing else.'
        }
        actions={again}
      />
    );
  }
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading="It works"
      lead="Nothing was charged. Your application would have received an authorization code and, in exchange for it, these claims."
      actions={again}
    >
      <Panel
        heading="Claims of the ID Token"
        lead="It also contains claims about the sign-in itself, such as nonce, iat and exp. Identify a customer by iss and sub together."
      >
        <Facts
          facts={Object.entries(outcome.claims).map(([claim, value]) => [
            claim,
            <code key={claim}>{String(value)}</code>,
          ])}
        />
      </Panel>
    </ApplicationFrame>
  );
}
