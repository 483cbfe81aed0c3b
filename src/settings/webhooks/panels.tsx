// The small forms on the page of a subscription: pause and resume, a test event, and replaying what failed.
import type { Application } from '../../applications/application.ts';
import type { FormFields } from '../../http/form.ts';
import { Button, Form } from '../../page/button.tsx';
import { SelectField } from '../../page/choice-field.tsx';
import { DateField } from '../../page/field.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import type { Replay } from '../../webhooks/replay.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import type { MemberVisit } from '../shell/visit.ts';
import { kinds } from './fields.tsx';
import { subscriptionRest } from './visit.ts';

type PanelProps = { visit: MemberVisit; subscription: Subscription };

export function PauseButton({ visit, subscription }: PanelProps) {
  const isActive = subscription.status === 'active';
  const rest = subscriptionRest(subscription, isActive ? '/pause' : '/resume');
  return (
    <Form action={visit.path(rest)} token={visit.token(rest)}>
      <Button kind={isActive ? 'secondary' : 'primary'}>{isActive ? 'Pause' : 'Resume'}</Button>
    </Form>
  );
}

type WithFields = PanelProps & { fields: FormFields };

export function TestPanel({
  visit,
  subscription,
  applications,
  fields,
}: WithFields & { applications: Application[] }) {
  const rest = subscriptionRest(subscription, '/test');
  const { applicationIds } = subscription;
  const heard = applications.filter(({ id }) => applicationIds === null || applicationIds.includes(id));
  return (
    <Panel
      heading="Test event"
      lead="A real, signed delivery of a made-up event: its data contains “test”: true. It is free and does not appear in lists of events."
    >
      {heard.length === 0 && <p>Create an application first. Every event belongs to one.</p>}
      {heard.length > 0 && subscription.status !== 'active' && <p>Resume the subscription first.</p>}
      {heard.length > 0 && subscription.status === 'active' && (
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <div class="fields">
            <SelectField
              name="type"
              label="Kind"
              value={fields.type}
              options={kinds.map(({ type, name }) => ({ value: type, label: name }))}
            />
            <SelectField
              name="application"
              label="Application"
              value={fields.application}
              options={heard.map(({ id, name }) => ({ value: id, label: name }))}
            />
          </div>
          <Button kind="secondary">Send test event</Button>
        </Form>
      )}
    </Panel>
  );
}

export function ReplayPanel({
  visit,
  subscription,
  replay,
  fields,
}: WithFields & { replay: Replay | undefined }) {
  const rest = subscriptionRest(subscription, '/replay');
  return (
    <Panel
      heading="Replay failed deliveries"
      lead="Resends every failed delivery since the time you choose, with the same ID and body and a fresh signature. Your receiver can ignore those it already processed."
    >
      {replay && <ReplayProgress replay={replay} />}
      {subscription.status === 'active' ? (
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <DateField
            name="since"
            label="Since"
            note="UTC, up to 30 days ago"
            value={fields.since}
            required
            time
          />
          <Button kind="secondary">Replay failed deliveries</Button>
        </Form>
      ) : (
        <p>Resume the subscription first.</p>
      )}
    </Panel>
  );
}

function ReplayProgress({ replay: { requestedAt, replayed, finishedAt } }: { replay: Replay }) {
  const count = replayed === 1 ? '1 delivery' : `${replayed.toLocaleString('en')} deliveries`;
  return finishedAt ? (
    <p>
      The last one, of <Time at={requestedAt} />, queued {count} again.
    </p>
  ) : (
    <p role="status">
      In progress since <Time at={requestedAt} />: {count} queued again so far. Reload this page to see the
      progress.
    </p>
  );
}
