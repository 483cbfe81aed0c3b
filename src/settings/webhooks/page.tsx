// One webhook subscription: how it is doing, what was delivered, and everything that can be done about it.
import type { Context } from 'koa';
import { type Application, listApplications } from '../../applications/application.ts';
import { isAtLeast } from '../../applications/member.ts';
import type { TollgateError } from '../../errors.ts';
import type { FormFields } from '../../http/form.ts';
import { ButtonLink } from '../../page/button.tsx';
import { renderPage } from '../../page/document.tsx';
import { Facts } from '../../page/facts.tsx';
import { Panel } from '../../page/panel.tsx';
import { readableTime, Time } from '../../page/time.tsx';
import { findReplay, type Replay } from '../../webhooks/replay.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { nameApplications } from '../shell/application-choice.tsx';
import { SettingsFrame } from '../shell/frame.tsx';
import type { MemberVisit, SettingsDependencies, SettingsRequest, SettingsRoute } from '../shell/visit.ts';
import { kindName } from './fields.tsx';
import { DeliveryLog, type LogView, readLogView } from './log.tsx';
import { PauseButton, ReplayPanel, TestPanel } from './panels.tsx';
import { StateBadge, StateNotice } from './state.tsx';
import { endpointName, subscriptionOf, subscriptionRest } from './visit.ts';

export function createWebhookPageRoutes(deps: SettingsDependencies): SettingsRoute[] {
  const show = async (ctx: Context, visit: MemberVisit, request: SettingsRequest) => {
    const subscription = await subscriptionOf(deps, visit, request);
    await showSubscription(ctx, deps, { visit, subscription, query: request.query });
  };
  return [{ method: 'GET', path: '/webhooks/:subscription', role: 'viewer', handle: show }];
}

type Shown = {
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
  const { visit, subscription, query = {}, refused } = shown;
  const applications = await listApplications(deps.db, visit.workspace.id);
  const log = await readLogView(deps, { visit, subscription, query });
  const replay = await findReplay(deps.db, subscription.id);
  if (refused) {
    ctx.status = refused.error.status;
    const { retryAfterSeconds } = refused.error;
    if (retryAfterSeconds !== undefined) ctx.set('Retry-After', String(retryAfterSeconds));
  } else if (log.problem) {
    ctx.status = 400;
  }
  const now = deps.clock();
  ctx.body = renderPage(
    <SubscriptionPage {...{ visit, subscription, applications, log, replay, refused, now }} />,
  );
}

type SubscriptionPageProps = {
  visit: MemberVisit;
  subscription: Subscription;
  applications: Application[];
  log: LogView;
  replay: Replay | undefined;
  refused: Shown['refused'];
  now: Date;
};

function SubscriptionPage(props: SubscriptionPageProps) {
  const { visit, subscription, applications, log, replay, refused, now } = props;
  const mayChange = isAtLeast(visit.member.role, 'developer');
  const pathOf = (page: string) => visit.path(subscriptionRest(subscription, page));
  return (
    <SettingsFrame
      visit={visit}
      section="webhooks"
      heading={endpointName(subscription)}
      crumbs={[{ label: 'Webhooks', path: visit.path('/webhooks') }]}
      problem={refused?.error.description}
      actions={
        mayChange && (
          <>
            <ButtonLink href={pathOf('/edit')}>Change</ButtonLink>
            <PauseButton visit={visit} subscription={subscription} />
          </>
        )
      }
    >
      <StateNotice subscription={subscription} />
      <Panel heading="Subscription">
        <Facts
          facts={[
            ['State', <StateBadge key="state" subscription={subscription} />],
            ['Endpoint', <code key="url">{subscription.url}</code>],
            ['Events', subscription.types.map(kindName).join(', ')],
            ['Applications', nameApplications(applications, subscription.applicationIds)],
            ['Created', <Time key="created" at={subscription.createdAt} />],
          ]}
        />
      </Panel>
      <DeliveryLog visit={visit} subscription={subscription} log={log} />
      {mayChange && (
        <>
          <TestPanel {...{ visit, subscription, applications }} fields={refused?.fields ?? {}} />
          <ReplayPanel {...{ visit, subscription, replay }} fields={refused?.fields ?? {}} />
          <SecretPanel {...{ visit, subscription, now, pathOf }} />
          <Panel
            danger
            heading="Delete"
            lead="Deletes the subscription and its delivery log. To stop temporarily, pause it instead."
            actions={<ButtonLink href={pathOf('/delete')}>Delete subscription</ButtonLink>}
          />
        </>
      )}
    </SettingsFrame>
  );
}

type SecretPanelProps = Pick<SubscriptionPageProps, 'visit' | 'subscription' | 'now'> & {
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
