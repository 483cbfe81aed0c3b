// What the small forms on the page of a subscription do. What cannot be done at the moment comes back on the same page
// with the reason; nothing that was typed is lost.
import type { Context } from 'koa';
import { requireApplicationChoice } from '../../applications/application-choice.ts';
import { TollgateError } from '../../errors.ts';
import { readableTime } from '../../page/time.tsx';
import { replayFailedDeliveries } from '../../webhooks/replay.ts';
import { pauseSubscription, resumeSubscription, type Subscription } from '../../webhooks/subscription.ts';
import { sendTestEvent } from '../../webhooks/test-event.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { refusalOf } from '../shell/form-again.ts';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { showSubscription } from './page.tsx';
import { subscriptionOf, subscriptionRest } from './visit.ts';

type Done = { rest?: string; notice: string };
type Asked = { visit: MemberVisit; subscription: Subscription; request: SettingsRequest };

export function createWebhookActionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const action = (
    page: string,
    work: (deps: SettingsDependencies, asked: Asked) => Promise<Done>,
  ): SettingsRoute => ({
    method: 'POST',
    path: `/webhooks/:subscription${page}`,
    role: 'developer',
    async handle(ctx: Context, visit: MemberVisit, request: SettingsRequest) {
      const subscription = await subscriptionOf(deps, visit, request);
      const error = await refusalOf(async () => {
        const { rest, notice } = await work(deps, { visit, subscription, request });
        redirectTo(ctx, deps, visit, rest ?? subscriptionRest(subscription), { notice });
      });
      if (!error) return;
      const refused = { error, fields: request.fields };
      await showSubscription(ctx, deps, { tab: 'health', visit, subscription, refused });
    },
  });
  return [
    action('/pause', pause),
    action('/resume', resume),
    action('/test', sendTest),
    action('/replay', replayFailed),
  ];
}

function whichOf({ visit, subscription }: Asked) {
  return { workspaceId: visit.workspace.id, subscriptionId: subscription.id };
}

async function pause(deps: SettingsDependencies, asked: Asked): Promise<Done> {
  await audited(deps, asked.visit, {
    action: 'webhook.paused',
    target: asked.subscription.id,
    detail: { url: asked.subscription.url },
    make: (tx) => pauseSubscription(tx, whichOf(asked)),
  });
  return { notice: 'Paused. Deliveries wait until you resume.' };
}

async function resume(deps: SettingsDependencies, asked: Asked): Promise<Done> {
  const isActive = await audited(deps, asked.visit, {
    action: 'webhook.resumed',
    target: asked.subscription.id,
    detail: { url: asked.subscription.url },
    make: (tx, now) => resumeSubscription(tx, { ...whichOf(asked), now }),
  });
  if (!isActive) return { notice: 'It resumes as soon as the waiting deliveries are marked as failed.' };
  return asked.subscription.status === 'disabled'
    ? { notice: 'Resumed. Send a test event, then replay what failed in the meantime.' }
    : { notice: 'Resumed. Waiting deliveries are being sent.' };
}

async function sendTest(deps: SettingsDependencies, asked: Asked): Promise<Done> {
  const { visit, subscription, request } = asked;
  const which = whichOf(asked);
  const { workspaceId } = which;
  const applicationId = request.fields.application ?? '';
  await consumeTest(deps, visit);
  const { deliveryId } = await audited(deps, visit, {
    action: 'webhook.tested',
    target: subscription.id,
    detail: { url: subscription.url, type: request.fields.type ?? '' },
    async make(tx, now) {
      await requireApplicationChoice(tx, { workspaceId, applicationIds: [applicationId] });
      const { currency } = visit.workspace;
      const type = request.fields.type ?? '';
      return sendTestEvent(tx, { ...which, applicationId, currency, type, now });
    },
  });
  return {
    rest: subscriptionRest(subscription, `/deliveries/${deliveryId}`),
    notice: 'Test event sent. The response appears below.',
  };
}

/** Of the person as well: workspaces are free, and a test event is an attempt that nobody paid for. */
async function consumeTest(
  { rateLimiter }: SettingsDependencies,
  { workspace, member }: MemberVisit,
): Promise<void> {
  try {
    // First: what is refused to one person is not taken from their colleagues.
    await rateLimiter.consume('webhook_tests_of_person', member.accountId);
    await rateLimiter.consume('webhook_tests', workspace.id);
  } catch (error) {
    if (!(error instanceof TollgateError) || error.code !== 'too_many_requests') throw error;
    const { retryAfterSeconds = 1 } = error;
    throw new TollgateError(
      'too_many_requests',
      `You have sent too many test events. Try again in ${retryAfterSeconds} seconds.`,
      { retryAfterSeconds, detail: 'webhook_tests' },
    );
  }
}

async function replayFailed(deps: SettingsDependencies, asked: Asked): Promise<Done> {
  const { subscription, request } = asked;
  const since = readSince(request.fields.since ?? '');
  await deps.rateLimiter.consume('webhook_sends', asked.visit.workspace.id);
  const isBegun = await audited(deps, asked.visit, {
    action: 'webhook.replayed',
    target: subscription.id,
    detail: { url: subscription.url, since: since.toISOString() },
    make: (tx, now) => replayFailedDeliveries(tx, { ...whichOf(asked), since, now }),
  });
  if (!isBegun) return { rest: subscriptionRest(subscription, '/health'), notice: 'No failed deliveries.' };
  return {
    rest: subscriptionRest(subscription, '/health'),
    notice: `Replaying what failed since ${readableTime(since)}. This page shows the progress.`,
  };
}

/** @throws TollgateError invalid_request */
function readSince(typed: string): Date {
  const since = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(typed) ? new Date(`${typed}Z`) : undefined;
  if (since && !Number.isNaN(since.getTime())) return since;
  throw new TollgateError(
    'invalid_request',
    'Enter the date and time from which to replay failed deliveries.',
  );
}
