// How a subscription is doing, in a word and, where something is wrong, in sentences: why it was disabled, since when it
// fails and until when that may go on, and what to do.

import { secondsAfter } from '../../clock.ts';
import { DAY } from '../../limits/units.ts';
import { webhookDisabledAfterSeconds, webhookReplaySeconds } from '../../limits/webhooks.ts';
import { Badge } from '../../page/badge.tsx';
import { Notice } from '../../page/notice.tsx';
import { Time } from '../../page/time.tsx';
import type { Subscription } from '../../webhooks/subscription.ts';

const replayDays = webhookReplaySeconds / DAY;

export function StateBadge({ subscription }: { subscription: Subscription }) {
  const { status, failingSince } = subscription;
  if (status === 'disabled') return <Badge kind="bad">Disabled</Badge>;
  if (status === 'paused') return <Badge kind="neutral">Paused</Badge>;
  return failingSince ? <Badge kind="warning">Failing</Badge> : <Badge kind="good">Active</Badge>;
}

export function StateNotice({ subscription }: { subscription: Subscription }) {
  const { status, failingSince, disabledReason } = subscription;
  if (status === 'disabled' && subscription.resumeRequestedAt) {
    return (
      <Notice kind="information">
        <strong>Resuming.</strong> Deliveries that were waiting are still being marked as failed. New events
        are queued once that is done. Reload this page in a moment.
      </Notice>
    );
  }
  if (status === 'disabled') {
    return (
      <Notice kind="problem">
        <strong>This subscription is disabled.</strong> {disabledReason} New events are not queued, and
        waiting deliveries fail. To turn it on again, fix the endpoint, choose Resume, send a test event, then
        replay what failed (events of the last {replayDays} days can be replayed).
      </Notice>
    );
  }
  if (status === 'paused') {
    return (
      <Notice kind="information">
        <strong>Paused.</strong> Deliveries wait for up to {replayDays} days, and are sent when you choose
        Resume.
      </Notice>
    );
  }
  if (!failingSince) return null;
  return (
    <Notice kind="warning">
      <strong>
        The endpoint has accepted nothing since <Time at={failingSince} />.
      </strong>{' '}
      Failed deliveries are retried. If it accepts none by{' '}
      <Time at={secondsAfter(failingSince, webhookDisabledAfterSeconds)} />, it is disabled and we email the
      workspace owners.
    </Notice>
  );
}
