// What needs somebody: balances and how long they last, endpoints that accept nothing, sign-ins that were refused.
import { overviewFailureDays, overviewRows } from '../../limits/settings.ts';
import { showMoney } from '../../money.ts';
import { ButtonLink } from '../../page/button.tsx';
import { EmptyState } from '../../page/empty.tsx';
import { Notice } from '../../page/notice.tsx';
import { Panel } from '../../page/panel.tsx';
import { Time } from '../../page/time.tsx';
import { reasonTexts } from '../../traces/step.ts';
import type { FailureCount } from '../../traces/step-list.ts';
import type { Subscription } from '../../webhooks/subscription.ts';
import { ApplicationName, TestModeBadge } from '../applications/frame.tsx';
import { daysLeft } from '../balance/days-left.ts';
import { plainNumber } from '../shell/figures.tsx';
import type { MemberVisit } from '../shell/visit.ts';
import { endpointName, subscriptionRest } from '../webhooks/visit.ts';
import type { AtWork } from './read.ts';

type Props = { visit: MemberVisit };

/** The ones that need somebody first, and as many as there is room for. */
export function Balances({ visit, atWork, now }: Props & { atWork: AtWork[]; now: Date }) {
  const shown = atWork.toSorted((a, b) => urgencyOf(a) - urgencyOf(b)).slice(0, overviewRows);
  return (
    <Panel
      heading="Applications"
      actions={<ButtonLink href={visit.path('/applications')}>All applications</ButtonLink>}
    >
      <ul class="entries">
        {shown.map(({ application, balance, currency, forecast, sessions }) => (
          <li key={application.id}>
            <ApplicationName
              visit={visit}
              application={application}
              all={atWork.map((one) => one.application)}
            >
              {application.disabledAt && 'Disabled. '}
              {plainNumber(sessions)} {sessions === 1 ? 'sign-in' : 'sign-ins'} in 30 days
            </ApplicationName>
            <div class="row-end">
              {application.isTest ? (
                <TestModeBadge />
              ) : (
                <>
                  <strong>{showMoney(balance, currency)}</strong>
                  <span class="fine">{daysLeft({ forecast, balance, now })}</span>
                </>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function urgencyOf({ application, balance, forecast }: AtWork): number {
  if (application.isTest) return Number.MAX_SAFE_INTEGER;
  if (balance === 0n) return 0;
  if (forecast.kind === 'until') return forecast.at.getTime();
  return Number.MAX_SAFE_INTEGER;
}

export function FailingWebhooks({ visit, subscriptions }: Props & { subscriptions: Subscription[] }) {
  const failing = subscriptions.filter(
    ({ status, failingSince }) => status === 'disabled' || (status === 'active' && failingSince),
  );
  return (
    <>
      {failing.map((subscription) => (
        <Notice key={subscription.id} kind={subscription.status === 'disabled' ? 'problem' : 'warning'}>
          {subscription.status === 'disabled' ? (
            <>
              Webhooks to <strong>{endpointName(subscription)}</strong> are disabled.{' '}
            </>
          ) : (
            <>
              <strong>{endpointName(subscription)}</strong> has accepted no webhook since{' '}
              {subscription.failingSince && <Time at={subscription.failingSince} />}.{' '}
            </>
          )}
          <a href={visit.path(subscriptionRest(subscription))}>See its deliveries</a>
        </Notice>
      ))}
    </>
  );
}

export function RefusedSignIns({ visit, refused }: Props & { refused: FailureCount[] }) {
  const counted = refused.filter(({ reason }) => reason !== 'too_many_steps').slice(0, overviewRows);
  return (
    <Panel
      heading="What went wrong"
      lead={`Failures of the last ${overviewFailureDays} days. Most people simply try again.`}
      actions={counted.length > 0 && <ButtonLink href={visit.path('/usage?days=7')}>What to do</ButtonLink>}
    >
      {counted.length === 0 ? (
        <EmptyState heading="No failures" />
      ) : (
        <ul class="entries">
          {counted.map(({ step, reason, count }) => (
            <li key={`${step} ${reason}`}>
              <span class="row-count">{plainNumber(count)}</span>
              <span class="row-words">{reasonTexts[reason].what}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
