// The delivery log on the page of a subscription: newest event first, filtered by status, searched by event or customer.
import type { FormFields } from '../../http/form.ts';
import { emailAddressCharacters } from '../../limits/credentials.ts';
import { Badge } from '../../page/badge.tsx';
import { Button, ButtonLink, FilterForm } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { TextField } from '../../page/field.tsx';
import { Pager } from '../../page/pager.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { type DeliveryStatus, deliveryStatuses } from '../../webhooks/delivery-list.ts';
import { type LoggedDelivery, type LogPlace, readDeliveryLog } from '../../webhooks/delivery-log.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import type { MemberVisit, SettingsDependencies } from '../shell/visit.ts';
import { answerWords } from './attempt.tsx';
import { kindName } from './fields.tsx';
import { findSearchedEvents } from './search.ts';
import { subscriptionRest } from './visit.ts';

export type LogView = {
  status: DeliveryStatus | undefined;
  search: string;
  problem?: string;
  deliveries: LoggedDelivery[];
  newer: string | undefined;
  older: string | undefined;
};

type LogQuestion = { visit: MemberVisit; subscription: Subscription; query: FormFields };

export async function readLogView(
  { db, clock }: Pick<SettingsDependencies, 'db' | 'clock'>,
  { visit, subscription, query }: LogQuestion,
): Promise<LogView> {
  const status = deliveryStatuses.find((each) => each === query.status);
  const search = (query.search ?? '').trim();
  const workspaceId = visit.workspace.id;
  const found = await findSearchedEvents(db, { workspaceId, search, now: clock() });
  const view = { status, search };
  if ('problem' in found) return { ...view, ...found, deliveries: [], newer: undefined, older: undefined };
  const { deliveries, hasNewer, hasOlder } = await readDeliveryLog(db, {
    workspaceId,
    subscriptionId: subscription.id,
    filters: { status, eventIds: found.eventIds },
    place: placeOf(query),
  });
  const urlOf = (place: Record<string, string | undefined>) => {
    const given = Object.entries({ status, search, ...place }).filter((pair) => pair[1]);
    const parameters = new URLSearchParams(given.map(([name, value]) => [name, value ?? '']));
    return `${visit.path(subscriptionRest(subscription))}?${parameters}#deliveries`;
  };
  return {
    ...view,
    deliveries,
    newer: hasNewer ? urlOf({ newer: deliveries[0]?.eventId }) : undefined,
    older: hasOlder ? urlOf({ older: deliveries.at(-1)?.eventId }) : undefined,
  };
}

function placeOf({ newer, older }: FormFields): LogPlace | undefined {
  if (newer) return { newerThan: newer };
  return older ? { olderThan: older } : undefined;
}

const statusWords: Record<DeliveryStatus, string> = {
  pending: 'Pending',
  delivered: 'Delivered',
  failed: 'Failed',
};

type DeliveryLogProps = { visit: MemberVisit; subscription: Subscription; log: LogView };

export function DeliveryLog({ visit, subscription, log }: DeliveryLogProps) {
  const { status, search, problem, deliveries, newer, older } = log;
  const path = visit.path(subscriptionRest(subscription));
  const isFiltered = status !== undefined || search !== '';
  return (
    <div id="deliveries">
      <Panel heading="Deliveries" lead="The last 30 days, newest event first.">
        <FilterForm action={`${path}#deliveries`}>
          <SelectField
            name="status"
            label="Status"
            value={status}
            options={[
              { value: '', label: 'All' },
              ...deliveryStatuses.map((value) => ({ value, label: statusWords[value] })),
            ]}
          />
          <TextField
            name="search"
            label="Event or customer"
            autocomplete="off"
            maximum={emailAddressCharacters}
            value={search}
            problem={problem}
          />
          <Button kind="secondary">Show</Button>
          {isFiltered && (
            <ButtonLink kind="quiet" href={`${path}#deliveries`}>
              Show all
            </ButtonLink>
          )}
        </FilterForm>
        {deliveries.length > 0 && (
          <DataTable caption="Deliveries" head={['Status', 'Event', 'Last response', 'Next try', 'Queued']}>
            {deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} path={path} delivery={delivery} />
            ))}
          </DataTable>
        )}
        {deliveries.length === 0 && !problem && (
          <EmptyState heading={isFiltered ? 'No matching deliveries' : 'No deliveries yet'}>
            <p>
              {isFiltered
                ? 'No matching delivery to this endpoint in the last 30 days. To find a customer, enter their complete email address or sub.'
                : 'Send a test event, or wait for the next sign-in.'}
            </p>
          </EmptyState>
        )}
        <Pager newer={newer} older={older} />
      </Panel>
    </div>
  );
}

function DeliveryRow({ path, delivery }: { path: string; delivery: LoggedDelivery }) {
  const { id, eventId, type, isTest, isTestMode, attemptCount, lastAttempt, nextAttemptAt, createdAt } =
    delivery;
  return (
    <tr>
      <td>
        <DeliveryBadge status={delivery.status} attemptCount={attemptCount} />
      </td>
      <td>
        <a class="event" href={`${path}/deliveries/${id}`}>
          <code>{eventId}</code>
        </a>
        <span class="fine">
          {kindName(type)}
          {isTest && ', test'}
          {isTestMode && ', test mode'}
        </span>
      </td>
      <td>
        {lastAttempt ? answerWords(lastAttempt) : 'None yet'}
        {lastAttempt && <span class="fine">{lastAttempt.durationMs.toLocaleString('en')} ms</span>}
      </td>
      <td>{nextAttemptAt ? <Time seconds at={nextAttemptAt} /> : '–'}</td>
      <td>
        <Time relative at={createdAt} />
      </td>
    </tr>
  );
}

export function DeliveryBadge({ status, attemptCount }: { status: DeliveryStatus; attemptCount: number }) {
  const isRetrying = status === 'pending' && attemptCount > 0;
  const kind = { pending: isRetrying ? 'warning' : 'neutral', delivered: 'good', failed: 'bad' } as const;
  return <Badge kind={kind[status]}>{isRetrying ? 'Retrying' : statusWords[status]}</Badge>;
}
