// Counts what happens after a commit: jobs of every queue, and webhook attempts with how long their events waited.
import type { Jobs } from '../queue/jobs.ts';
import type { Metrics } from './metrics.ts';
import type { Tracing } from './tracing.ts';

type MeasuredAttempt = {
  number: number;
  waitedMs: number;
  answer: { status?: number; failure?: string; durationMs: number };
};

/** The same jobs; each run is counted as done or returned to its queue. */
export function measureJobs(jobs: Jobs, metrics: Pick<Metrics, 'jobs'>): Jobs {
  return {
    ...jobs,
    work(queue, handler) {
      return jobs.work(queue, (data: Parameters<typeof handler>[0]) =>
        counted({ metrics, queue }, () => handler(data)),
      );
    },
  };
}

async function counted(
  { metrics, queue }: { metrics: Pick<Metrics, 'jobs'>; queue: string },
  work: () => Promise<void>,
): Promise<void> {
  const end = metrics.jobs.startTimer({ queue });
  try {
    await work();
    end({ outcome: 'done' });
  } catch (error) {
    end({ outcome: 'returned' });
    throw error;
  }
}

/** The same attempts; each is counted, and a span of its own. */
export function measureAttempt<T>(
  attempt: (claimed: T) => Promise<void>,
  metrics: Pick<Metrics, 'jobs'>,
  tracing: Pick<Tracing, 'span'>,
): (claimed: T) => Promise<void> {
  const queue = 'webhooks';
  return (claimed) =>
    tracing.span(`${queue} job`, { 'tollgate.queue': queue }, () =>
      counted({ metrics, queue }, () => attempt(claimed)),
    );
}

export function measureWebhooks(
  metrics: Pick<Metrics, 'webhookAttempts' | 'webhookLag'>,
  /** The span of the attempt, if attempts are traced. */
  annotate: (attributes: { 'tollgate.attempt': number; 'tollgate.outcome': string }) => void,
): (attempt: MeasuredAttempt) => void {
  return ({ number, waitedMs, answer }) => {
    const outcome = answer.failure ?? `${Math.floor((answer.status ?? 0) / 100)}xx`;
    metrics.webhookAttempts.observe({ outcome }, answer.durationMs / 1000);
    annotate({ 'tollgate.attempt': number, 'tollgate.outcome': outcome });
    if (number === 1) metrics.webhookLag.observe(Math.max(0, waitedMs) / 1000);
  };
}
