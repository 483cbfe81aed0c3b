// One webhook subscription, in three tabs: what was delivered, what can be tried and replayed, and how it is set up. How
// it is doing stands above all of them.
import type { Context } from 'koa';
import type { ComponentChildren, VNode } from 'preact';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import { entriesOf } from '../../entries.ts';
import type { TollgateError } from '../../errors.ts';
import type { FormFields } from '../../http/form.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { Tabs } from '../../page/tabs.tsx';
import { readableTime, Time } from '../../page/time.tsx';
import { findReplay, type Replay } from '../../webhooks/replay.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { nameApplications } from '../shell/application-choice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { kindName } from './fields.tsx';
import { DeliveryLog, readLogView } from './log.tsx';
import { PauseButton, ReplayPanel, TestPanel } from './panels.tsx';
import { StateBadge, StateNotice } from './state.tsx';
import { endpointHost, endpointName, subscriptionOf, subscriptionRest } from './visit.ts';

/** Each on a page of its own, below the subscription. */
const tabs = {
  deliveries: { label: 'Deliveries', page: '' },
  health: { label: 'Test and replay', page: '/health' },
  settings: { label: 'Settings', page: '/settings' },
} as const;
type Tab = keyof typeof tabs;

export function createWebhookPageRoutes(deps: SettingsDependencies): SettingsRoute[] {
  return entriesOf(tabs).map(([tab, { page }]) => ({
    method: 'GET',
    path: `/webhooks/:subscription${page}`,
    role: 'viewer',
    async handle(ctx: Context, visit: MemberVisit, request: SettingsRequest) {
      const subscription = await subscriptionOf(deps, visit, request);
      await showSubscription(ctx, deps, { tab, visit, subscription, query: request.query });
    },
  }));
}

type Shown = {
  tab: Tab;
  visit: MemberVisit;
  subscription: Subscription;
  query?: FormFields;
  /** What a form of this page asked for and could not be done, and what was typed into it. */
  refused?: { error: TollgateError; fields: FormFields };
};

/** Also the answer to a form of this page that could not be done. */
export async function showSubscription(
  ctx: Context,
  deps: SettingsDependencies,
  shown: Shown,
): Promise<void> {
  const { tab, visit, subscription, refused } = shown;
  const content = await contentOf(deps, shown);
  if (refused) {
    ctx.status = refused.error.status;
    const { retryAfterSeconds } = refused.error;
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  } else if (content.isWrong) {
    ctx.status = 400;
  }
  ctx.body = renderPage(
    <SubscriptionFrame
      tab={tab}
      visit={visit}
      subscription={subscription}
      problem={refused?.error.description}
    >
      {content.page}
    </SubscriptionFrame>,
  );
}

type Content = { page: VNode; isWrong?: boolean };

async function contentOf(
  deps: SettingsDependencies,
  { tab, visit, subscription, query = {}, refused }: Shown,
): Promise<Content> {
  if (tab === 'deliveries') {
    const log = await readLogView(deps, { visit, subscription, query });
    const page = <DeliveryLog visit={visit} subscription={subscription} log={log} />;
    return { page, isWrong: log.problem !== undefined };
  }
  const applications = await listApplications(deps.db, visit.workspace.id);
  const shown = { visit, subscription, applications };
  if (tab === 'settings') return { page: <SettingsTab {...shown} now={deps.clock()} /> };
  const replay = await findReplay(deps.db, subscription.id);
  return { page: <HealthTab {...shown} replay={replay} fields={refused?.fields ?? {}} /> };
}

type FrameProps = Pick<Shown, 'tab' | 'visit' | 'subscription'> & {
  problem: string | undefined;
  children: ComponentChildren;
};

function SubscriptionFrame({ tab, visit, subscription, problem, children }: FrameProps) {
  const pathOf = (page: string) => visit.path(subscriptionRest(subscription, page));
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading={endpointHost(subscription)}
      title={endpointName(subscription)}
      lead={
        <>
          <StateBadge subscription={subscription} /> <span class="fine">{subscription.url}</span>
        </>
      }
      crumbs={[{ label: 'Webhooks', path: visit.path('/webhooks') }]}
      problem={problem}
      actions={
        isAtLeast(visit.member.role, 'developer') && (
          <>
            <ButtonLink href={pathOf('/edit')}>Change</ButtonLink>
            <PauseButton visit={visit} subscription={subscription} />
          </>
        )
      }
    >
      <Tabs
        label="Subscription"
        tabs={entriesOf(tabs).map(([name, { label, page }]) => ({
          label,
          path: pathOf(page),
          isCurrent: name === tab,
        }))}
      />
      <StateNotice subscription={subscription} />
      {children}
    </SettingsFrame>
  );
}

type TabProps = { visit: MemberVisit; subscription: Subscription; applications: Application[] };

function HealthTab(props: TabProps & { replay: Replay | undefined; fields: FormFields }) {
  if (!isAtLeast(props.visit.member.role, 'developer'))
    return (
      <Panel heading="Test and replay">
        <p>A developer or owner of this workspace can send test events, and replay what failed.</p>
      </Panel>
    );
  return (
    <>
      <TestPanel {...props} />
      <ReplayPanel {...props} />
    </>
  );
}

function SettingsTab({ visit, subscription, applications, now }: TabProps & { now: Date }) {
  const pathOf = (page: string) => visit.path(subscriptionRest(subscription, page));
  return (
    <>
      <Panel heading="Subscription">
        <Facts
          facts={[
            ['Endpoint', <code key="url">{subscription.url}</code>],
            ['Events', subscription.types.map(kindName).join(', ')],
            ['Applications', nameApplications(applications, subscription.applicationIds)],
            ['Created', <Time key="created" at={subscription.createdAt} />],
          ]}
        />
      </Panel>
      {isAtLeast(visit.member.role, 'developer') && (
        <>
          <SecretPanel {...{ visit, subscription, now, pathOf }} />
          <Panel
            danger
            heading="Delete"
            lead="Deletes the subscription and its delivery log. To stop temporarily, pause it instead."
            actions={
              <ButtonLink kind="danger" href={pathOf('/delete')}>
                Delete subscription
              </ButtonLink>
            }
          />
        </>
      )}
    </>
  );
}

type SecretPanelProps = {
  visit: MemberVisit;
  subscription: Subscription;
  now: Date;
  pathOf: (page: string) => string;
};

function SecretPanel({ visit, subscription, now, pathOf }: SecretPanelProps) {
  const { id, nextSecretAt } = subscription;
  const isRotating = nextSecretAt !== null && nextSecretAt > now;
  const lead = isRotating
    ? `A new secret takes over on ${readableTime(nextSecretAt)}. Until then it signs x-service-webhook-signature-next, and the old one signs the other header.`
    : 'Signs every webhook. It was shown once and can’t be shown again.';
  return (
    <Panel
      heading="Signing secret"
      lead={lead}
      actions={
        <>
          <ButtonLink href={`${visit.path('/webhooks/check')}?subscription=${id}`}>
            Check a received request
          </ButtonLink>
          <ButtonLink href={pathOf('/secret')}>Rotate secret</ButtonLink>
        </>
      }
    />
  );
}
