// One delivery: its body as it was sent, every attempt at it, and the button that sends it again.
import type { Context } from 'koa';
import { isAtLeast } from '../../applications/member.ts';
import { secondsAfter } from '../../clock.ts';
import { atOneMoment } from '../../database/connection.ts';
import type { TollgateError } from '../../errors.ts';
import { webhookPageRefreshSeconds, webhookPageRefreshWithinSeconds } from '../../limits/webhooks.ts';
import { Button, ButtonLink, Form } from '../../page/button.tsx';
import { Copyable } from '../../page/copyable.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Facts, type FactsProps } from '../../page/facts.tsx';
import { Json } from '../../page/json.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { listAttempts } from '../../webhooks/delivery-list.ts';
import { findDelivery } from '../../webhooks/delivery-log.ts';
import { replayDelivery } from '../../webhooks/replay.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { refusalOf } from '../shell/form-again.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { AttemptDetails } from './attempt.tsx';
import { kindName } from './fields.tsx';
import { DeliveryBadge } from './log.tsx';
import { endpointHost, subscriptionOf, subscriptionRest } from './visit.ts';

const PATH = '/webhooks/:subscription/deliveries/:delivery';

export function createWebhookDeliveryRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const find = async (visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    const which = { workspaceId: visit.workspace.id, deliveryId: request.params.delivery ?? '' };
    // An answer recorded in between would stand below a delivery that still waits for it.
    return atOneMoment(deps.db, async (tx) => ({
      subscription,
      delivery: await findDelivery(tx, { ...which, subscriptionId: subscription.id }),
      attempts: await listAttempts(tx, which),
    }));
  };
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const found = await find(visit, request);
    const isSoon = isTriedSoon(found.delivery, deps.clock());
    if (isSoon) ctx.set('Refresh', String(webhookPageRefreshSeconds));
    ctx.body = renderPage(<DeliveryPage visit={visit} isSoon={isSoon} {...found} />);
  };
  const replay = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const found = await find(visit, request);
    const { subscription, delivery } = found;
    const error = await refusalOf(async () => {
      await deps.rateLimiter.consume('webhook_sends', visit.workspace.id);
      await audited(deps, visit, {
        action: 'webhook.replayed',
        target: subscription.id,
        detail: { url: subscription.url, event: delivery.eventId },
        make: (tx, now) =>
          replayDelivery(tx, {
            workspaceId: visit.workspace.id,
            deliveryId: delivery.id,
            now,
          }),
      });
      redirectTo(ctx, deps, visit, restOf(subscription, delivery), {
        notice: 'Sending again. The response appears below.',
      });
    });
    if (!error) return;
    ctx.status = error.status;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    ctx.body = renderPage(<DeliveryPage visit={visit} {...found} error={error} />);
  };
  return [
    { method: 'GET', path: PATH, role: 'viewer', handle: show },
    { method: 'POST', path: `${PATH}/replay`, role: 'developer', handle: replay },
  ];
}

type Delivery = Awaited<ReturnType<typeof findDelivery>>;
type Attempts = Awaited<ReturnType<typeof listAttempts>>;

function restOf(subscription: Subscription, { id }: Pick<Delivery, 'id'>, page = ''): string {
  return subscriptionRest(subscription, `/deliveries/${id}${page}`);
}

/** Its next attempt is worth waiting for. */
function isTriedSoon({ status, nextAttemptAt }: Delivery, now: Date): boolean {
  return (
    status === 'pending' &&
    nextAttemptAt !== null &&
    nextAttemptAt <= secondsAfter(now, webhookPageRefreshWithinSeconds)
  );
}

type Fact = FactsProps['facts'][number];

type DeliveryPageProps = {
  isSoon?: boolean;
  visit: MemberVisit;
  subscription: Subscription;
  delivery: Delivery;
  /** Oldest first. */
  attempts: Attempts;
  error?: TollgateError;
};

function DeliveryPage({ visit, isSoon, subscription, delivery, attempts, error }: DeliveryPageProps) {
  const { eventId, type, isTest, isTestMode, status, attemptCount, nextAttemptAt, createdAt, body } =
    delivery;
  const replay = restOf(subscription, delivery, '/replay');
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading={isTest ? 'Delivery of a test event' : 'Delivery of an event'}
      lead={<code>{eventId}</code>}
      crumbs={[
        { label: 'Webhooks', path: visit.path('/webhooks') },
        { label: endpointHost(subscription), path: visit.path(subscriptionRest(subscription)) },
      ]}
      problem={error?.description}
      actions={
        <>
          {status === 'pending' && (
            <ButtonLink href={visit.path(restOf(subscription, delivery))}>Refresh</ButtonLink>
          )}
          {isAtLeast(visit.member.role, 'developer') && (
            <Form action={visit.path(replay)} token={visit.token(replay)}>
              <Button kind="secondary">{status === 'pending' ? 'Try now' : 'Send again'}</Button>
            </Form>
          )}
        </>
      }
    >
      <Panel heading="Delivery">
        <Facts
          facts={[
            ['Status', <DeliveryBadge key="status" status={status} attemptCount={attemptCount} />],
            ['Kind', `${kindName(type)} (${type})`],
            ['Mode', isTestMode ? 'Test' : 'Live'],
            ['Endpoint', <code key="url">{subscription.url}</code>],
            ['Queued', <Time key="queued" at={createdAt} />],
            ...(isSoon
              ? [['Updates', `This page renews itself every ${webhookPageRefreshSeconds} seconds.`] as Fact]
              : []),
            ['Next try', nextAttemptAt ? <Time seconds key="next" at={nextAttemptAt} /> : 'None'],
          ]}
        />
      </Panel>
      <Panel heading="Attempts" lead="Newest first, including those before a replay.">
        {attempts.length === 0 && <EmptyState heading="None yet" />}
        {attempts.toReversed().map((attempt, index) => (
          <AttemptDetails key={attempt.id} attempt={attempt} isOpen={index === 0} />
        ))}
      </Panel>
      <Panel heading="Event" lead="The body, laid out to be read.">
        <Json text={body} />
      </Panel>
      <Panel heading="Body" lead="The exact bytes of every attempt.">
        <Copyable label="Raw body" value={body} multiline />
      </Panel>
    </SettingsFrame>
  );
}
