// Going live (docs/decisions/1101): a page that says what changes, an owner's decision, and no way back.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { countCustomers } from '../../applications/customer-detail.ts';
import { goLive } from '../../applications/test-mode.ts';
import type { Database } from '../../database/connection.ts';
import { TollgateError } from '../../errors.ts';
import { giveWelcomeCredit, hasWelcomeCredit } from '../../ledger/welcome-credit.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink, Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { redirectTo } from '../shell/flash.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { ApplicationFrame, applicationPath, applicationRest } from './frame.tsx';
import { applicationOf, audited } from './visit.ts';

const PATH = '/applications/:application/go-live';

export function createGoLiveRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    if (!application.isTest) {
      ctx.body = renderPage(<LivePage visit={visit} application={application} />);
      return;
    }
    const { count } = await countCustomers(deps.db, application.id);
    const { welcomeCredit } = deps.config;
    const isFirst = welcomeCredit > 0n && (await hasWelcomeCredit(deps.db, visit.workspace.id));
    const credit = isFirst ? welcomeCredit : 0n;
    ctx.body = renderPage(
      <GoLivePage visit={visit} application={application} customers={count} credit={credit} />,
    );
  };
  const go = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id, workspaceId } = requireTest(await applicationOf(deps, visit, request));
    const application = await audited(deps, visit, {
      action: 'application.went_live',
      async make(tx, now) {
        const live = await goLive(tx, { id, workspaceId }, deps.clock);
        await deps.revokeClient(tx, live.application.clientId);
        await welcomeLive(tx, deps, live.application, now);
        return live.application;
      },
    });
    redirectTo(ctx, deps, visit, applicationRest(application, '/balance'), {
      notice: `${application.name} is live. Sign-ins are charged to this balance.`,
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'owner', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'owner', fresh: true, handle: go },
  ];
}

/** In the transaction in which it becomes live. */
export function welcomeLive(
  tx: Database,
  { config }: Pick<SettingsDependencies, 'config'>,
  { id: applicationId, workspaceId }: Pick<Application, 'id' | 'workspaceId'>,
  now: Date,
): Promise<boolean> {
  return giveWelcomeCredit(tx, { applicationId, workspaceId, amount: config.welcomeCredit, now });
}

function requireTest(application: Application): Application {
  if (application.isTest) return application;
  throw new TollgateError('conflict', 'This application is live already.');
}

/** For whoever comes back to this address. */
function LivePage({ visit, application }: Pick<GoLivePageProps, 'visit' | 'application'>) {
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading={`${application.name} is live`}
      lead="Its sign-ins are charged, and it stays live."
    >
      <div class="actions">
        <ButtonLink href={applicationPath(visit, application, '/balance')}>View balance</ButtonLink>
      </div>
    </ApplicationFrame>
  );
}

type GoLivePageProps = { visit: MemberVisit; application: Application; customers: number; credit: bigint };

function GoLivePage({ visit, application, customers, credit }: GoLivePageProps) {
  const rest = applicationRest(application, '/go-live');
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="overview"
      heading={`Take ${application.name} live`}
      lead="For real customers. A live application never returns to test mode."
    >
      <section class="panel">
        <h2>What changes</h2>
        <ul class="points">
          <li>
            Every registration and sign-in is charged.{' '}
            {credit > 0n
              ? `The balance starts with a welcome credit of ${showMoney(credit, visit.workspace.currency)}.`
              : 'The balance starts empty, and sign-ins fail until you top it up.'}
          </li>
          <li>{customersSentence(customers)}</li>
          <li>Anyone can register: there is no limit of customers, and emails go to every address.</li>
          <li>
            Events, webhooks and customers say <code>livemode: true</code>.
          </li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          <li>Client ID, secrets, callbacks, webhooks and API keys. Your code does not change.</li>
          <li>
            Everyone’s <code>sub</code>, and what they agreed to share.
          </li>
          <li>Events of test mode, in the API and in Usage. They never count as usage or cost.</li>
        </ul>
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <FormActions cancel={applicationPath(visit, application)}>Go live</FormActions>
        </Form>
      </section>
    </ApplicationFrame>
  );
}

function customersSentence(customers: number): string {
  if (customers === 0) return 'Nobody has signed in yet, so there are no test customers to lose.';
  const who =
    customers === 1
      ? 'The one test customer is signed out and leaves'
      : `The ${customers} test customers are signed out and leave`;
  return `${who} the customer list. Their next sign-in counts as a registration.`;
}
