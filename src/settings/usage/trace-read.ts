// Everything that became of one attempt to sign in, composed from the rooms that know: the steps, the charges, and the
// webhooks' deliveries with their attempts. Found by its trace, or by the event that it led to.
import { listApplicationNames, type NamedApplication } from '../../applications/all-applications.ts';
import { secondsAfter } from '../../clock.ts';
import type { Database } from '../../database/connection.ts';
import { findTraceEvents, findUsageEvent, type RecentEvent } from '../../ledger/usage-recent.ts';
import { signInAttemptsListed, signInTraceSteps, traceToChargeSeconds } from '../../limits/usage.ts';
import { listAttempts, listTraceSteps, type TraceStep } from '../../traces/step-list.ts';
import { isBeginning } from '../../traces/trace-id.ts';
import { type EventDelivery, listEventDeliveries } from '../../webhooks/event-deliveries.ts';

export type Trace = {
  /** undefined: an event of the time before traces. */
  traceId: string | undefined;
  application: NamedApplication;
  /** The newest of them. */
  steps: TraceStep[];
  /** Older ones may be missing. */
  isCut: boolean;
  events: RecentEvent[];
  deliveries: EventDelivery[];
  /** What is registered now, for whoever compares it with what was sent. */
  callbacks: string[];
};

/** `trc_…` or `evt_…`. @returns undefined for another company's, for a made-up one and for one that is forgotten */
export async function readTrace(
  db: Database,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<Trace | undefined> {
  if (!NAME.test(name)) return undefined;
  const applications = await listApplicationNames(db, workspaceId);
  const applicationIds = applications.map(({ id }) => id);
  const event = name.startsWith('evt_') ? await findUsageEvent(db, { applicationIds, id: name }) : undefined;
  const traceId = name.startsWith('evt_') ? event?.traceId : await wholeName(db, { workspaceId, name });
  const steps = traceId ? await listTraceSteps(db, { workspaceId, traceId }) : [];
  const applicationId = event?.applicationId ?? steps[0]?.applicationId;
  const application = applications.find(({ id }) => id === applicationId);
  if (!application) return undefined;
  const events = withEvent(await chargesOf(db, { application, traceId, steps }), event);
  const eventIds = events.map(({ id }) => id);
  const deliveries = await listEventDeliveries(db, { workspaceId, eventIds });
  const isCut = steps.length >= signInTraceSteps;
  const { callbacks } = application;
  return { traceId, application, steps, isCut, events, deliveries, callbacks };
}

/** Whoever has only a nonce has the beginning (src/traces/trace-id.ts), which is enough where one attempt begins so. */
async function wholeName(
  db: Database,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<string> {
  if (!isBeginning(name)) return name;
  const [only, another] = await listAttempts(db, { workspaceId, beginning: name, limit: 2 });
  return only && !another ? only.traceId : name;
}

/** Newest first. @returns none for the whole name of an attempt */
export async function readAttempts(
  db: Database,
  { workspaceId, name }: { workspaceId: string; name: string },
): Promise<{ traceId: string; at: Date }[]> {
  if (!NAME.test(name) || !isBeginning(name)) return [];
  return listAttempts(db, { workspaceId, beginning: name, limit: signInAttemptsListed });
}

const NAME = /^(trc|evt)_[\w-]{1,60}$/;

/** A charge comes within the life of a code after a step. Steps alone say when to look for it. */
async function chargesOf(
  db: Database,
  { application, traceId, steps }: Pick<Trace, 'application' | 'traceId' | 'steps'>,
): Promise<RecentEvent[]> {
  const [first, last] = [steps[0], steps.at(-1)];
  if (!traceId || !first || !last) return [];
  return findTraceEvents(db, {
    applicationId: application.id,
    traceId,
    from: secondsAfter(first.occurredAt, -traceToChargeSeconds),
    until: secondsAfter(last.occurredAt, traceToChargeSeconds),
  });
}

function withEvent(events: RecentEvent[], event: RecentEvent | undefined): RecentEvent[] {
  return !event || events.some(({ id }) => id === event.id) ? events : [event, ...events];
}
