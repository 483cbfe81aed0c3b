// Counts what happens after a commit: jobs of every queue, and webhook attempts with how long their events waited.
import type { Jobs } from './jobs.ts';
import type { Metrics } from './metrics.ts';

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
      return jobs.work(queue, async (data: Parameters<typeof handler>[0]) => {
        const end = metrics.jobs.startTimer({ queue });
        try {
          await handler(data);
          end({ outcome: 'done' });
        } catch (error) {
          end({ outcome: 'returned' });
          throw error;
        }
      });
    },
  };
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
