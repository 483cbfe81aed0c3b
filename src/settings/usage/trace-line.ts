// A trace as one line of time: what happened, when, how it went, and what to do about it.

import type { RecentEvent } from '../../ledger/usage-recent.ts';
import { showMoney } from '../../money.ts';
import { reasonTexts, type SignInReason, stepTexts } from '../../traces/step.ts';
import type { TraceStep } from '../../traces/step-list.ts';
import type { EventDelivery } from '../../webhooks/event-deliveries.ts';
import type { Trace } from './trace-read.ts';

export type TraceMoment = {
  at: Date;
  tone: 'good' | 'bad' | 'plain';
  title: string;
  text?: string;
  /** Names that it is about. */
  detail?: string | undefined;
  /** Beside it, what there is instead. */
  compare?: { label: string; values: string[] };
  todo?: string;
  /** Below the workspace. */
  link?: { label: string; rest: string };
};

/** Oldest first. */
export function timeLineOf({ steps, events, deliveries, callbacks }: Trace): TraceMoment[] {
  const moments = [
    ...steps.map((step) => momentOfStep(step, callbacks)),
    ...events.map(momentOfEvent),
    ...deliveries.flatMap(momentsOfDelivery),
  ];
  return moments.sort((a, b) => a.at.getTime() - b.at.getTime());
}

const good: TraceStep['step'][] = [
  'signed_in_by_code',
  'signed_in_by_password',
  'signed_in_by_passkey',
  'signed_in_by_provider',
  'consent_given',
  'device_confirmed',
];

function momentOfStep(
  { step, reason, detail, applicationId, occurredAt }: TraceStep,
  callbacks: string[],
): TraceMoment {
  const moment = { at: occurredAt, title: stepTexts[step], detail };
  if (!reason) return { ...moment, tone: good.includes(step) ? 'good' : 'plain' };
  const { what, todo } = reasonTexts[reason];
  const cure = cureOf({ reason, detail, applicationId });
  if (reason !== 'callback_not_registered') return { ...moment, tone: 'bad', text: what, todo, ...cure };
  const compare = { label: 'Registered now', values: callbacks };
  return { ...moment, tone: 'bad', text: what, todo, ...cure, ...(detail && { compare }) };
}

const curedByRules: SignInReason[] = [
  'state_missing',
  'nonce_missing',
  'challenge_missing',
  'parameters_missing',
];

function cureOf({ reason, detail, applicationId }: Pick<TraceStep, 'reason' | 'detail' | 'applicationId'>) {
  if (reason === 'origin_not_registered' && detail) return cureOfOrigin(applicationId, detail);
  if (reason === 'callback_not_registered')
    return { link: { label: 'Addresses', rest: `/applications/${applicationId}/addresses` } };
  if (!reason || !curedByRules.includes(reason)) return {};
  return { link: { label: 'Client rules', rest: `/applications/${applicationId}/client-rules` } };
}

/** Fills the form in; whoever saves it sees the origin, which anybody may have made up. */
function cureOfOrigin(applicationId: string, origin: string): Pick<TraceMoment, 'link'> {
  const query = new URLSearchParams({ origin });
  return {
    link: { label: `Register ${origin}`, rest: `/applications/${applicationId}/addresses/change?${query}` },
  };
}

function momentOfEvent({
  kind,
  amount,
  currency,
  status,
  applicationId,
  sub,
  livemode,
  occurredAt,
}: RecentEvent): TraceMoment {
  const what = kind === 'registration' ? 'Registration' : 'Sign-in';
  const moment = {
    at: occurredAt,
    title: livemode
      ? `${what} completed, ${showMoney(amount, currency)} charged`
      : `${what} completed in test mode, free`,
    link: { label: 'Customer', rest: `/applications/${applicationId}/customers/${sub}` },
  };
  if (status === 'committed') return { ...moment, tone: 'good', text: 'The tokens were issued.' };
  return {
    ...moment,
    tone: 'bad',
    text: 'The charge was reversed because the tokens never reached your backend.',
  };
}

function momentsOfDelivery(delivery: EventDelivery): TraceMoment[] {
  const { subscriptionId, id, url } = delivery;
  const link = { label: 'Delivery', rest: `/webhooks/${subscriptionId}/deliveries/${id}` };
  const attempts = delivery.attempts.map(
    ({ number, startedAt, durationMs, responseStatus, failure }): TraceMoment => {
      const isGood = responseStatus !== null && responseStatus >= 200 && responseStatus < 300;
      const answer =
        responseStatus === null ? `no answer (${failure ?? 'unknown'})` : `status ${responseStatus}`;
      return {
        at: startedAt,
        tone: isGood ? 'good' : 'bad',
        title: `Webhook sent, attempt ${number}`,
        text: `${url}: ${answer} after ${durationMs} ms.`,
        link,
      };
    },
  );
  const { status, nextAttemptAt, createdAt } = delivery;
  const ending: TraceMoment[] = [];
  if (status === 'pending' && nextAttemptAt)
    ending.push({
      at: nextAttemptAt,
      tone: 'plain',
      title: 'Webhook scheduled',
      text: `Next attempt to ${url}.`,
      link,
    });
  if (status === 'failed' && attempts.length === 0)
    ending.push({ at: createdAt, tone: 'bad', title: 'Webhook not sent', text: url, link });
  return [...attempts, ...ending];
}

/** In one word, and how it is shown. */
export function outcomeOf({ steps, events }: Trace): {
  label: string;
  kind: 'good' | 'bad' | 'warning' | 'neutral';
} {
  if (events.some(({ status }) => status === 'committed')) return { label: 'Signed in', kind: 'good' };
  if (events.length > 0) return { label: 'Taken back', kind: 'warning' };
  const last = steps.at(-1);
  if (last?.step === 'cancelled' || last?.step === 'consent_denied' || last?.step === 'device_refused')
    return { label: 'Cancelled', kind: 'warning' };
  if (last?.step === 'request_refused' || last?.step === 'token_refused')
    return { label: 'Failed', kind: 'bad' };
  return { label: 'Not finished', kind: 'neutral' };
}
