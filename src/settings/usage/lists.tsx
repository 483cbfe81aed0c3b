// The tables of the usage page: failures by reason, and the newest sign-ins and failures.

import type { RecentEvent } from '../../ledger/usage-recent.ts';
import { showMoney } from '../../money.ts';
import { Badge } from '../../page/badge.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { reasonTexts, stepTexts } from '../../traces/step.ts';
import type { Failure, FailureCount } from '../../traces/step-list.ts';
import { plainNumber } from '../shell/figures.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import type { UsageChoice } from './query.ts';

export function FailureReasons({ reasons }: { reasons: FailureCount[] }) {
  const counted = reasons.filter(({ reason }) => reason !== 'too_many_steps');
  if (counted.length === 0)
    return (
      <EmptyState heading="No failures">
        <p>Refused requests, wrong codes and cancelled sign-ins appear here, with how to fix them.</p>
      </EmptyState>
    );
  return (
    <DataTable caption="Failures by reason" head={['What happened', 'Times', 'What to do']}>
      {counted.map(({ step, reason, count }) => (
        <tr key={`${step} ${reason}`}>
          <td>
            {reasonTexts[reason].what}
            <span class="fine">{stepTexts[step]}</span>
          </td>
          <td>{plainNumber(count)}</td>
          <td>{reasonTexts[reason].todo}</td>
        </tr>
      ))}
    </DataTable>
  );
}

type ListProps = { visit: MemberVisit; choice: UsageChoice };

export function RecentSignIns({ visit, choice, events }: ListProps & { events: RecentEvent[] }) {
  if (events.length === 0)
    return (
      <Panel heading="Newest sign-ins">
        <EmptyState heading="No sign-ins yet">
          <p>Sign-ins appear here with every step along the way.</p>
        </EmptyState>
      </Panel>
    );
  return (
    <Panel heading="Newest sign-ins">
      <EventTable visit={visit} choice={choice} events={events} />
    </Panel>
  );
}

function EventTable({ visit, choice, events }: ListProps & { events: RecentEvent[] }) {
  return (
    <DataTable caption="Newest sign-ins" head={['When', 'Kind', 'Application', 'Customer', 'Charged', '']}>
      {events.map((event) => (
        <tr key={event.id}>
          <td>
            <Time seconds at={event.occurredAt} />
          </td>
          <td>
            <EventKindBadge event={event} />
          </td>
          <td>{nameOf(choice, event.applicationId)}</td>
          <td>
            <a href={visit.path(`/applications/${event.applicationId}/customers/${event.sub}`)}>
              <code>{event.sub.slice(0, 10)}…</code>
            </a>
          </td>
          <td>{event.livemode ? showMoney(event.amount, event.currency) : 'Test mode'}</td>
          <td>
            <TraceLink visit={visit} name={event.id} at={event.occurredAt} />
          </td>
        </tr>
      ))}
    </DataTable>
  );
}

export function RecentFailures({ visit, choice, failures }: ListProps & { failures: Failure[] }) {
  return (
    <Panel heading="Newest failures">
      {failures.length === 0 ? (
        <EmptyState heading="No failures" />
      ) : (
        <DataTable caption="Newest failures" head={['When', 'What happened', 'Application', '']}>
          {failures.map((failure, index) => (
            <tr key={index}>
              <td>
                <Time seconds at={failure.occurredAt} />
              </td>
              <td>
                {reasonTexts[failure.reason].what} {failure.detail && <code>{failure.detail}</code>}
                <span class="fine">{stepTexts[failure.step]}</span>
              </td>
              <td>{nameOf(choice, failure.applicationId)}</td>
              <td>
                <TraceLink visit={visit} name={failure.traceId} at={failure.occurredAt} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </Panel>
  );
}

/** Each says whose trace it is, to whoever hears the links without their rows. */
export function TraceLink({ visit, name, at }: { visit: MemberVisit; name: string; at: Date }) {
  return (
    <a href={visit.path(`/usage/traces/${name}`)} aria-label={`Trace of ${at.toISOString()}`}>
      Trace
    </a>
  );
}

export function EventKindBadge({ event }: { event: Pick<RecentEvent, 'kind' | 'status'> }) {
  return (
    <span class="badges">
      <Badge kind={event.kind === 'registration' ? 'good' : 'neutral'}>
        {event.kind === 'registration' ? 'Registration' : 'Sign-in'}
      </Badge>
      {event.status === 'reversed' && <Badge kind="warning">Taken back</Badge>}
    </span>
  );
}

function nameOf({ applications }: UsageChoice, id: string): string {
  return applications.find((application) => application.id === id)?.name ?? id;
}
