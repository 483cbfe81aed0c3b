// The end of a webhook subscription: said plainly, confirmed on a page of its own, and taken back within some minutes
// from the list of endpoints.
import type { Context } from 'koa';
import { TollgateError } from '../../errors.ts';
import { MINUTE } from '../../limits/units.ts';
import { webhookRestoreSeconds } from '../../limits/webhooks.ts';
import { Form, FormActions } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import type { Subscription } from '../../webhooks/subscription.ts';
import {
  deleteSubscription,
  listRestorable,
  type Restorable,
  restoreSubscription,
} from '../../webhooks/subscription-change.ts';
import { audited } from '../applications/visit.ts';
import { redirectTo } from '../shell/flash.ts';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { endpointHost, endpointName, subscriptionOf, subscriptionRest } from './visit.ts';

const PATH = '/webhooks/:subscription/delete';
const RESTORE = '/webhooks/:subscription/restore';
const MINUTES = webhookRestoreSeconds / MINUTE;

export function createWebhookDeletionRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const ask = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    ctx.body = renderPage(<DeletionPage visit={visit} subscription={subscription} />);
  };
  const remove = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const { id: subscriptionId, url } = await subscriptionOf(deps, visit, request);
    const which = { workspaceId: visit.workspace.id, subscriptionId };
    const restorableSeconds = webhookRestoreSeconds;
    await audited(deps, visit, {
      action: 'webhook.deleted',
      target: subscriptionId,
      detail: { url },
      make: (tx, now) => deleteSubscription(tx, { ...which, restorableSeconds, now }),
    });
    redirectTo(ctx, deps, visit, '/webhooks', {
      notice: `Subscription deleted. Nothing more is sent to it. You can restore it for ${MINUTES} minutes.`,
    });
  };
  const restore = async (ctx: Context, visit: MemberVisit, { params }: SettingsRequest) => {
    const subscription = await restorableOf(deps, visit, params.subscription);
    const { id: subscriptionId, url } = subscription;
    await audited(deps, visit, {
      action: 'webhook.restored',
      target: subscriptionId,
      detail: { url },
      make: (tx, now) => restoreSubscription(tx, { workspaceId: visit.workspace.id, subscriptionId, now }),
    });
    redirectTo(ctx, deps, visit, subscriptionRest(subscription, '/health'), {
      notice:
        'Restored. Replay what was waiting here. Events since the deletion were not sent; the API has them.',
    });
  };
  return [
    { method: 'GET', path: PATH, role: 'developer', fresh: true, handle: ask },
    { method: 'POST', path: PATH, role: 'developer', fresh: true, handle: remove },
    { method: 'POST', path: RESTORE, role: 'developer', fresh: true, handle: restore },
  ];
}

/** Another workspace's, one that is not deleted and one that is gone are alike. @throws TollgateError not_found */
async function restorableOf(
  { db, clock }: SettingsDependencies,
  { workspace }: MemberVisit,
  id: string | undefined,
): Promise<Restorable> {
  const all = await listRestorable(db, { workspaceId: workspace.id, now: clock() });
  const found = all.find((subscription) => subscription.id === id);
  if (!found) throw new TollgateError('not_found', 'This webhook subscription can no longer be restored.');
  return found;
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
        { label: endpointHost(subscription), path: visit.path(subscriptionRest(subscription)) },
      ]}
    >
      <section class="panel panel-danger">
        <h2>What ends</h2>
        <ul class="points">
          <li>Nothing more is sent to this endpoint, including waiting deliveries and retries.</li>
          <li>
            Its delivery log and signing secret are deleted after {MINUTES} minutes. Until then you can
            restore it.
          </li>
        </ul>
        <h2>What stays</h2>
        <ul class="points">
          <li>The events themselves, in the API and in the usage of your applications.</li>
          <li>Your other subscriptions.</li>
        </ul>
        <Form action={visit.path(rest)} token={visit.token(rest)}>
          <FormActions kind="final" cancel={visit.path(subscriptionRest(subscription))}>
            Delete subscription
          </FormActions>
        </Form>
      </section>
    </SettingsFrame>
  );
}
