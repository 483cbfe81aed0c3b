// Customers of one application: the list with its search, and the ways on to each of them and to
// the export. Every query is held to the member's own workspace by the application that it starts from.
import type { Context } from 'koa';
import type { Application } from '../../applications/application.ts';
import { countCustomers } from '../../applications/customer-detail.ts';
import { type CustomerRow, listCustomers } from '../../applications/customer-list.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { Database } from '../../database/connection.ts';
import { customersPerPage } from '../../limits/usage.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { TextField } from '../../page/field.tsx';
import { Pager } from '../../page/pager.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { ApplicationFrame, applicationPath } from '../applications/frame.tsx';
import { applicationOf } from '../applications/visit.ts';
import { plainNumber } from '../shell/figures.tsx';
import { writePlace } from '../shell/list-place.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { createCustomerPageRoutes } from './detail.tsx';
import { createExportRoutes } from './export.tsx';
import { CustomerStatus, countText } from './parts.tsx';
import { type CustomerQuery, readCustomerQuery } from './query.ts';

export function createCustomerRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const application = await applicationOf(deps, visit, request);
    const query = readCustomerQuery(request.query);
    const props = { visit, application, query, now: deps.clock() };
    if (query.problem) ctx.status = 400;
    ctx.body = renderPage(
      <CustomersPage {...props} {...(await visit.lane.read((db) => readPage(db, application, query)))} />,
    );
  };
  return [
    { method: 'GET', path: '/applications/:application/customers', role: 'viewer', handle: show },
    ...createExportRoutes(deps),
    ...createCustomerPageRoutes(deps),
  ];
}

type Found = {
  rows: CustomerRow[];
  newer: string | undefined;
  older: string | undefined;
  total: { count: number; isMore: boolean };
};

async function readPage(
  db: Database,
  application: Application,
  { filters, problem, after, before }: CustomerQuery,
): Promise<Found> {
  const total = await countCustomers(db, application.id);
  if (problem) return { rows: [], newer: undefined, older: undefined, total };
  const { rows, hasMore } = await listCustomers(db, {
    applicationId: application.id,
    filters,
    after: before ? undefined : after,
    before,
    limit: customersPerPage,
  });
  const [first, last] = [rows[0], rows.at(-1)];
  const hasNewer = before ? hasMore : after !== undefined;
  const hasOlder = before ? true : hasMore;
  return {
    rows,
    newer: hasNewer && first ? writePlace(placeOf(first)) : undefined,
    older: hasOlder && last ? writePlace(placeOf(last)) : undefined,
    total,
  };
}

function placeOf({ registeredAt, sub }: CustomerRow) {
  return { time: registeredAt, id: sub };
}

type CustomersPageProps = Found & {
  visit: MemberVisit;
  application: Application;
  query: CustomerQuery;
  now: Date;
};

function CustomersPage(props: CustomersPageProps) {
  const { visit, application, query, total, newer, older } = props;
  const path = (parameter: 'after' | 'before', place: string | undefined) =>
    place && applicationPath(visit, application, `/customers?${parameter}=${place}`);
  return (
    <ApplicationFrame
      visit={visit}
      application={application}
      tab="customers"
      actions={
        isAtLeast(visit.member.role, 'developer') &&
        total.count > 0 && (
          <ButtonLink href={applicationPath(visit, application, '/customers/export')}>Export</ButtonLink>
        )
      }
    >
      {total.count === 0 ? (
        <EmptyState heading="No customers yet">
          <p>People appear here after they sign in to this application for the first time.</p>
        </EmptyState>
      ) : (
        <div class="panel">
          <Search visit={visit} application={application} query={query} />
          <p class="fine">{countText(total)}</p>
          <CustomerTable {...props} />
          <Pager newer={path('before', newer)} older={path('after', older)} />
        </div>
      )}
    </ApplicationFrame>
  );
}

function Search({ visit, application, query }: Pick<CustomersPageProps, 'visit' | 'application' | 'query'>) {
  const path = applicationPath(visit, application, '/customers');
  return (
    <form class="filter" method="get" action={path}>
      <TextField
        name="search"
        label="Email address or sub"
        autocomplete="off"
        maximum={320}
        value={query.search}
        problem={query.problem}
      />
      <button type="submit" class="button button-secondary">
        Search
      </button>
      {query.search && (
        <ButtonLink kind="quiet" href={path}>
          Show all
        </ButtonLink>
      )}
    </form>
  );
}

function CustomerTable({ visit, application, query, rows, now }: CustomersPageProps) {
  if (query.problem) return null;
  if (rows.length === 0)
    return (
      <EmptyState heading="No customers found">
        <p>Enter a complete email address or sub. A sub from another application won’t match.</p>
      </EmptyState>
    );
  return (
    <DataTable caption="Customers" head={['Customer', 'Status', 'Registered', 'Last sign-in', 'Sign-ins']}>
      {rows.map((customer) => (
        <tr key={customer.sub}>
          <td>
            <a href={applicationPath(visit, application, `/customers/${customer.sub}`)}>{customer.email}</a>
            {customer.name && <span class="fine">{customer.name}</span>}
          </td>
          <td>
            <CustomerStatus customer={customer} now={now} />
          </td>
          <td>
            <Time at={customer.registeredAt} />
          </td>
          <td>
            <Time at={customer.lastSignInAt} />
          </td>
          <td>{plainNumber(customer.signInCount)}</td>
        </tr>
      ))}
    </DataTable>
  );
}
