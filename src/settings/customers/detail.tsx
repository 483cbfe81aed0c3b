// One customer of one application: who they are here, what they hold of it and how to end that, and their sign-ins with
// the way to each trace. What they do in other applications is nobody's business here.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { requireCustomer } from '../../applications/customer-detail.ts';
import type { CustomerSession } from '../../applications/customer-session.ts';
import { listEvents } from '../../ledger/event-list.ts';
import { customerEventsShown } from '../../limits/usage.ts';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { readableTime } from '../../page/time.tsx';
import { ApplicationFrame, applicationRest } from '../applications/frame.tsx';
import { applicationOf, audited } from '../applications/visit.ts';
import { plainNumber } from '../shell/figures.tsx';
import { redirectTo } from '../shell/flash.ts';
import { readPlace, writePlace } from '../shell/list-place.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { Activity, CustomerStatus, Sessions } from './parts.tsx';

const PATH = '/applications/:application/customers/:sub';

export function createCustomerPageRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const shown = await readCustomer(deps, visit, request);
    ctx.body = renderPage(<CustomerPage visit={visit} now={deps.clock()} {...shown} />);
  };
  const end = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { application, customer, rest } = await findCustomer(deps, visit, request);
    const key = { accountId: customer.accountId, clientId: application.clientId };
    await audited(deps, visit, {
      action: 'customer.sessions_ended',
      target: customer.sub,
      detail: { application: application.id },
      make: (tx) => deps.customerSessions.end(tx, key),
    });
    redirectTo(ctx, deps, visit, rest, {
      notice: 'Their sessions in this application have ended. Earlier tokens no longer work.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'POST', path: `${PATH}/end-sessions`, role: 'developer', handle: end },
  ];
}

/** @throws TollgateError not_found: for another workspace's, another application's and a made-up one alike */
async function findCustomer(deps: SettingsDependencies, visit: MemberVisit, request: SettingsRequest) {
  const application = await applicationOf(deps, visit, request);
  const { sub = '' } = request.params;
  const customer = await requireCustomer(deps.db, { applicationId: application.id, sub });
  return { application, customer, rest: applicationRest(application, `/customers/${customer.sub}`) };
}

async function readCustomer(deps: SettingsDependencies, visit: MemberVisit, request: SettingsRequest) {
  const { application, customer, rest } = await findCustomer(deps, visit, request);
  const { accountId, sub } = customer;
  const { rows, hasMore } = await visit.lane.read((db) =>
    listEvents(db, {
      applicationId: application.id,
      filters: { sub },
      after: readPlace(request.query.after),
      limit: customerEventsShown,
    }),
  );
  const last = rows.at(-1);
  return {
    application,
    customer,
    rest,
    sessions: await deps.customerSessions.list(deps.db, { accountId, clientId: application.clientId }),
    events: rows,
    older:
      hasMore && last ? `${rest}?after=${writePlace({ time: last.occurredAt, id: last.id })}` : undefined,
    newest: request.query.after ? rest : undefined,
  };
}

type CustomerPageProps = Awaited<ReturnType<typeof readCustomer>> & {
  visit: MemberVisit;
  application: Application;
  sessions: CustomerSession[];
  now: Date;
};

function CustomerPage(props: CustomerPageProps) {
  const { visit, application, customer, now } = props;
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="customers"
      heading={customer.email}
      lead={<CustomerStatus customer={customer} now={now} />}
    >
      <Panel heading="Customer">
        <Facts
          facts={[
            ['Name', customer.name ?? 'Not given'],
            ['Email', `${customer.email}${customer.emailVerified ? ' (verified)' : ''}`],
            ['sub', <code key="sub">{customer.sub}</code>],
            ['Registered', readableTime(customer.registeredAt)],
            ['Last sign-in', readableTime(customer.lastSignInAt)],
            ['Sign-ins', plainNumber(customer.signInCount)],
          ]}
        />
      </Panel>
      <Sessions {...props} />
      <Activity {...props} />
    </ApplicationFrame>
  );
}
