// What the small forms on the page of a subscription do. What cannot be done at the moment comes back on the same page
// with the reason; nothing that was typed is lost.
import type { Context } from 'koa';
import { requireApplicationChoice } from '../applications/application-choice.ts';
import { TollgateError } from '../errors.ts';
import { readableTime } from '../page/time.tsx';
import { replayFailedDeliveries } from '../webhooks/replay.ts';
import { pauseSubscription, resumeSubscription, type Subscription } from '../webhooks/subscription.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import { audited } from './application-visit.ts';
import { leave } from './leave.ts';
import type { MemberVisit, SettingsRequest, SettingsRoute, SettingsTools } from './visit.ts';
import { showSubscription } from './webhook-page.tsx';
import { refusalOf, subscriptionOf, subscriptionRest } from './webhook-visit.ts';

type Done = { rest?: string; notice: string };
type Asked = { visit: MemberVisit; subscription: Subscription; request: SettingsRequest };

export function createWebhookActionRoutes(tools: SettingsTools): SettingsRoute[] {
  const action = (
    page: string,
    work: (tools: SettingsTools, asked: Asked) => Promise<Done>,
  ): SettingsRoute => ({
    method: 'POST',
    path: `/webhooks/:subscription${page}`,
    role: 'developer',
    async handle(ctx: Context, visit: MemberVisit, request: SettingsRequest) {
      const subscription = await subscriptionOf(tools, visit, request);
      const error = await refusalOf(async () => {
        const { rest, notice } = await work(tools, { visit, subscription, request });
        leave(ctx, tools, visit, rest ?? subscriptionRest(subscription), { notice });
      });
      if (!error) return;
      await showSubscription(ctx, tools, { visit, subscription, refused: { error, fields: request.fields } });
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

async function pause(tools: SettingsTools, asked: Asked): Promise<Done> {
  await audited(tools, asked.visit, {
    action: 'webhook.paused',
    target: asked.subscription.id,
    detail: { url: asked.subscription.url },
    make: (tx) => pauseSubscription(tx, whichOf(asked)),
  });
  return { notice: 'Paused. Deliveries wait until you resume.' };
}

async function resume(tools: SettingsTools, asked: Asked): Promise<Done> {
  const { jobs } = tools;
  await audited(tools, asked.visit, {
    action: 'webhook.resumed',
    target: asked.subscription.id,
    detail: { url: asked.subscription.url },
    make: (tx, now) => resumeSubscription(tx, { ...whichOf(asked), jobs, now }),
  });
  return asked.subscription.status === 'disabled'
    ? { notice: 'Switched on again. Send a test event, then replay what failed meanwhile.' }
    : { notice: 'Resumed. What waited is being sent.' };
}

async function sendTest(tools: SettingsTools, asked: Asked): Promise<Done> {
  const { visit, subscription, request } = asked;
  const which = whichOf(asked);
  const { workspaceId } = which;
  const applicationId = request.fields.application ?? '';
  await tools.rateLimiter.consume('webhook_sends', workspaceId);
  const { deliveryId } = await audited(tools, visit, {
    action: 'webhook.tested',
    target: subscription.id,
    detail: { url: subscription.url, type: request.fields.type ?? '' },
    async make(tx, now) {
      await requireApplicationChoice(tx, { workspaceId, applicationIds: [applicationId] });
      const { jobs } = tools;
      const { currency } = visit.workspace;
      const type = request.fields.type ?? '';
      return sendTestEvent(tx, { ...which, jobs, applicationId, currency, type, now });
    },
  });
  return {
    rest: subscriptionRest(subscription, `/deliveries/${deliveryId}`),
    notice: 'The test event is on its way. Its answer shows below.',
  };
}

async function replayFailed(tools: SettingsTools, asked: Asked): Promise<Done> {
  const { subscription, request } = asked;
  const since = readSince(request.fields.since ?? '');
  const { jobs } = tools;
  await tools.rateLimiter.consume('webhook_sends', asked.visit.workspace.id);
  const count = await audited(tools, asked.visit, {
    action: 'webhook.replayed',
    target: subscription.id,
    detail: { url: subscription.url, since: since.toISOString() },
    make: (tx, now) => replayFailedDeliveries(tx, { ...whichOf(asked), jobs, since, now }),
  });
  if (count === 0) return { notice: `Nothing has failed of what happened since ${readableTime(since)}.` };
  const what = count === 1 ? '1 failed delivery is' : `${count.toLocaleString('en')} failed deliveries are`;
  return { notice: `${what} being sent again.` };
}

/** @throws TollgateError invalid_request */
function readSince(typed: string): Date {
  const since = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(typed) ? new Date(`${typed}Z`) : undefined;
  if (since && !Number.isNaN(since.getTime())) return since;
  throw new TollgateError(
    'invalid_request',
    'Give the day and the time since when failed deliveries are sent again.',
  );
}
