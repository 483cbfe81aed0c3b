// Parts of the customers pages: how lately somebody was here, what they hold of the application, their sign-ins.

import type { Application } from '../../applications/application.ts';
import type { CustomerRow } from '../../applications/customer-list.ts';
import type { CustomerSession } from '../../applications/customer-session.ts';
import { isAtLeast } from '../../applications/member.ts';
import { CSRF_FIELD } from '../../http/form.ts';
import type { EventRow } from '../../ledger/event-list.ts';
import { customerQuietSeconds } from '../../limits/usage.ts';
import { showMoney } from '../../money.ts';
import { Badge } from '../../page/badge.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Pager } from '../../page/pager.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { plainNumber } from '../shell/figures.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { EventKindBadge, TraceLink } from '../usage/lists.tsx';

type SessionsProps = {
  visit: MemberVisit;
  application: Application;
  /** Of the customer's page, below the workspace. */
  rest: string;
  sessions: CustomerSession[];
};

export function Sessions({ visit, application, rest, sessions }: SessionsProps) {
  const canEnd = sessions.length > 0 && isAtLeast(visit.member.role, 'developer');
  return (
    <Panel
      heading="Sessions"
      lead="One line for each browser in which this customer signed in to this application."
      actions={canEnd && <EndSessions visit={visit} rest={rest} />}
    >
      {sessions.length === 0 ? (
        <EmptyState heading="No sessions">
          <p>This customer has no valid access or refresh tokens for this application.</p>
        </EmptyState>
      ) : (
        <>
          <DataTable caption="Sessions" head={['Began', 'Sees', 'Refresh token']}>
            {sessions.map((session, index) => (
              <tr key={index}>
                <td>
                  <Time at={session.startedAt} />
                </td>
                <td>{session.scopes.join(', ')}</td>
                <td>
                  <RefreshTokenText session={session} application={application} />
                </td>
              </tr>
            ))}
          </DataTable>
          {canEnd && (
            <p class="fine">
              This takes effect within a second: UserInfo returns 401, and a refresh fails with invalid_grant.
              The browser stays signed in to Tollgate and to other applications, so the customer may come back
              without signing in again.
            </p>
          )}
        </>
      )}
    </Panel>
  );
}

function EndSessions({ visit, rest }: Pick<SessionsProps, 'visit' | 'rest'>) {
  const target = `${rest}/end-sessions`;
  return (
    <form method="post" action={visit.path(target)}>
      <input type="hidden" name={CSRF_FIELD} value={visit.token(target)} />
      <button type="submit" class="button button-danger">
        End all sessions
      </button>
    </form>
  );
}

/** Only a public client's token changes with each use; of a backend's nobody writes down when it was used. */
function RefreshTokenText({ session, application }: { session: CustomerSession; application: Application }) {
  const { refreshToken } = session;
  if (!refreshToken) return <>None: access ends with the access token</>;
  return (
    <>
      {application.clientType === 'public' ? 'Last used ' : 'Issued '}
      <Time at={refreshToken.issuedAt} />
      {refreshToken.endsAt && (
        <span class="fine">
          Ends <Time at={refreshToken.endsAt} />
        </span>
      )}
    </>
  );
}

type ActivityProps = {
  visit: MemberVisit;
  events: EventRow[];
  /** Below the workspace. */
  older: string | undefined;
  newest: string | undefined;
};

export function Activity({ visit, events, older, newest }: ActivityProps) {
  return (
    <Panel heading="Sign-ins">
      {events.length === 0 ? (
        <EmptyState heading="Nothing further back" />
      ) : (
        <DataTable caption="Sign-ins" head={['When', 'Kind', 'Charged', 'Event', '']}>
          {events.map((event) => (
            <tr key={event.id}>
              <td>
                <Time seconds at={event.occurredAt} />
              </td>
              <td>
                <EventKindBadge event={event} />
              </td>
              <td>{event.livemode ? showMoney(event.amount, event.currency) : 'Test mode'}</td>
              <td>
                <code>{event.id}</code>
              </td>
              <td>
                <TraceLink visit={visit} name={event.id} at={event.occurredAt} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <Pager newer={newest && visit.path(newest)} older={older && visit.path(older)} />
    </Panel>
  );
}

export function countText({ count, isMore }: { count: number; isMore: boolean }): string {
  const customers = count === 1 ? 'customer' : 'customers';
  return `${isMore ? 'More than ' : ''}${plainNumber(count)} ${customers} in all.`;
}

/** How lately they were here, at a glance. */
export function CustomerStatus({
  customer,
  now,
}: {
  customer: Pick<CustomerRow, 'lastSignInAt'>;
  now: Date;
}) {
  const isQuiet = now.getTime() - customer.lastSignInAt.getTime() > customerQuietSeconds * 1000;
  return isQuiet ? <Badge kind="neutral">Quiet</Badge> : <Badge kind="good">Active</Badge>;
}
