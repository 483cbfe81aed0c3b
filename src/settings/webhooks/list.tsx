// The webhook subscriptions of a workspace, and the ways to each of their pages.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Panel } from '../../page/panel.tsx';
import { DataTable } from '../../page/table.tsx';
import { Time } from '../../page/time.tsx';
import { listSubscriptions, type Subscription } from '../../webhooks/subscription.ts';
import { listRestorable, type Restorable } from '../../webhooks/subscription-change.ts';
import { nameApplications } from '../shell/application-choice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import { RestorablePanel } from '../shell/restorable.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRoute } from '../shell/visit.ts';
import { createWebhookActionRoutes } from './actions.tsx';
import { createWebhookCheckRoutes } from './check.tsx';
import { createWebhookDeletionRoutes } from './deletion.tsx';
import { createWebhookDeliveryRoutes } from './delivery.tsx';
import { kindName } from './fields.tsx';
import { createWebhookFormRoutes } from './form-pages.tsx';
import { createWebhookPageRoutes } from './page.tsx';
import { createWebhookSecretRoutes } from './secret.tsx';
import { StateBadge } from './state.tsx';
import { endpointName, subscriptionRest } from './visit.ts';

export function createWebhookRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit) => {
    const [subscriptions, applications, restorable] = await Promise.all([
      listSubscriptions(deps.db, visit.workspace.id),
      listApplications(deps.db, visit.workspace.id),
      listRestorable(deps.db, { workspaceId: visit.workspace.id, now: deps.clock() }),
    ]);
    ctx.body = renderPage(<WebhooksPage {...{ visit, subscriptions, applications, restorable }} />);
  };
  return [
    { method: 'GET', path: '/webhooks', role: 'viewer', handle: show },
    // Before the page of a subscription, whose path would take their names for ids.
    ...createWebhookFormRoutes(deps),
    ...createWebhookCheckRoutes(deps),
    ...createWebhookPageRoutes(deps),
    ...createWebhookActionRoutes(deps),
    ...createWebhookSecretRoutes(deps),
    ...createWebhookDeletionRoutes(deps),
    ...createWebhookDeliveryRoutes(deps),
  ];
}

type WebhooksPageProps = {
  visit: MemberVisit;
  subscriptions: Subscription[];
  applications: Application[];
  restorable: Restorable[];
};

function WebhooksPage({ visit, subscriptions, applications, restorable }: WebhooksPageProps) {
  const mayChange = isAtLeast(visit.member.role, 'developer');
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading="Webhooks"
      lead="Tollgate calls your endpoints when a registration or sign-in is completed and charged."
      actions={
        mayChange && (
          <>
            <ButtonLink href={visit.path('/webhooks/check')}>Check a received request</ButtonLink>
            <ButtonLink kind="primary" href={visit.path('/webhooks/new')}>
              Add an endpoint
            </ButtonLink>
          </>
        )
      }
    >
      <Panel heading="Subscriptions">
        {subscriptions.length > 0 ? (
          <DataTable caption="Subscriptions" head={['Endpoint', 'State', 'Events', 'Created']}>
            {subscriptions.map((subscription) => (
              <tr key={subscription.id}>
                <td>
                  <a class="endpoint" href={visit.path(subscriptionRest(subscription))}>
                    {endpointName(subscription)}
                  </a>
                  <span class="fine">{nameApplications(applications, subscription.applicationIds)}</span>
                </td>
                <td>
                  <StateBadge subscription={subscription} />
                  {subscription.status === 'active' && subscription.failingSince && (
                    <span class="fine">
                      since <Time at={subscription.failingSince} />
                    </span>
                  )}
                </td>
                <td>{subscription.types.map(kindName).join(', ')}</td>
                <td>
                  <Time at={subscription.createdAt} />
                </td>
              </tr>
            ))}
          </DataTable>
        ) : (
          <EmptyState heading="No endpoints yet">
            <p>Add one to receive every registration and sign-in, signed and delivered at least once.</p>
          </EmptyState>
        )}
      </Panel>
      {mayChange && (
        <RestorablePanel
          visit={visit}
          lead="Restored, an endpoint has its signing secret and delivery log again."
          items={restorable.map((subscription) => ({
            name: endpointName(subscription),
            until: subscription.until,
            rest: subscriptionRest(subscription, '/restore'),
          }))}
        />
      )}
    </SettingsFrame>
  );
}
