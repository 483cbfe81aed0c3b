// The newest of what happened: who signed in, and for owners who changed what.
import type { Application } from '../../applications/application.ts';
import type { AuditEntry } from '../../applications/audit-log.ts';
import type { RecentEvent } from '../../ledger/usage-recent.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { distinctName } from '../applications/frame.tsx';
import type { AuditNames } from '../members/audit-names.ts';
import { auditSentence } from '../members/audit-sentence.ts';
import type { MemberVisit } from '../shell/visit.ts';

type Props = { visit: MemberVisit };
type SignInsProps = Props & { events: RecentEvent[]; applications: Application[] };

export function LatestSignIns({ visit, events, applications }: SignInsProps) {
  return (
    <Panel heading="Latest sign-ins">
      {events.length === 0 ? (
        <EmptyState heading="No sign-in yet">
          <p>As soon as somebody signs in, it is here, with everything that happened on the way.</p>
        </EmptyState>
      ) : (
        <ul class="entries">
          {events.map((event) => (
            <li key={event.id}>
              <div class="row-words">
                <a href={visit.path(`/usage/traces/${event.id}`)}>
                  {event.kind === 'registration' ? 'Registration' : 'Sign-in'}
                  <span class="unseen"> {event.occurredAt.toISOString()}</span>
                </a>
                <span class="fine">
                  {nameOf(applications, event)}
                  {!event.livemode && ', test mode'}
                </span>
              </div>
              <div class="row-end">
                <span>{event.livemode ? showMoney(event.amount, event.currency) : 'Free'}</span>
                <span class="fine">
                  <Time relative at={event.occurredAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function nameOf(applications: Application[], { applicationId }: RecentEvent): string {
  const application = applications.find(({ id }) => id === applicationId);
  return application ? distinctName(application, applications) : applicationId;
}

type ChangesProps = Props & { changes: { rows: AuditEntry[]; names: AuditNames } };

export function LatestChanges({ visit, changes: { rows, names } }: ChangesProps) {
  return (
    <Panel
      heading="Latest changes"
      actions={<ButtonLink href={visit.path('/audit-log')}>Audit log</ButtonLink>}
    >
      {rows.length === 0 ? (
        <EmptyState heading="Nothing was changed yet" />
      ) : (
        <ul class="entries">
          {rows.map((entry) => (
            <li key={entry.id}>
              <div class="row-words">
                <span>{auditSentence(entry, { names, currency: visit.workspace.currency })}</span>
                <span class="fine">
                  <Time relative at={entry.occurredAt} />
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
