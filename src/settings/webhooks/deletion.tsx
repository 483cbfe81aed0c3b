// The end of a webhook subscription: said plainly, and confirmed on a page of its own.
import type { Context } from 'koa';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import type { Subscription } from '../../webhooks/subscription.ts';
import { deleteSubscription } from '../../webhooks/subscription-change.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { endpointName, subscriptionOf, subscriptionRest } from './visit.ts';

const PATH = '/webhooks/:subscription/delete';

export function createWebhookDeletionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    ctx.body = renderPage(<DeletionPage visit={visit} subscription={subscription} />);
  };
  const remove = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id: subscriptionId, url } = await subscriptionOf(deps, visit, request);
    const which = { workspaceId: visit.workspace.id, subscriptionId };
    await audited(deps, visit, {
      action: 'webhook.deleted',
      target: subscriptionId,
      detail: { url },
      make: (tx, now) => deleteSubscription(tx, { ...which, now }),
    });
    redirectTo(ctx, deps, visit, '/webhooks', {
      notice: 'Subscription deleted. Nothing more is sent to it.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: remove },
  ];
}

function DeletionPage({ visit, subscription }: { visit: MemberVisit; subscription: Subscription }) {
  const rest = subscriptionRest(subscription, '/delete');
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading="Delete the subscription"
      lead={endpointName(subscription)}
      crumbs={[
        { label: 'Webhooks', path: visit.path('/webhooks') },
        { label: endpointName(subscription), path: visit.path(subscriptionRest(subscription)) },
      ]}
    >
      <section class="panel panel-danger">
        <h2>What ends</h2>
        <ul class="points">
          <li>Nothing more is sent to this endpoint, including waiting deliveries and retries.</li>
          <li>Its delivery log and signing secret are deleted.</li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          <li>The events themselves, in the API and in the usage of your applications.</li>
          <li>Your other subscriptions.</li>
        </ul>
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <FormActions kind="danger" cancel={visit.path(subscriptionRest(subscription))}>
            Delete permanently
          </FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
