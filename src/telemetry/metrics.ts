// What the service counts about itself (prom-client), one registry for each Tollgate of a process. A label is always
// one of a few fixed words: never a person, an application, an address or a value that a client chose.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { TollgateError } from '../errors.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import { requestSecondsBuckets, webhookSecondsBuckets, workSecondsBuckets } from '../limits/operations.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** @param options.withProcess also memory, CPU, event loop and garbage collection of the process */
export function createMetrics(options: { withProcess: boolean }) {
  const registry = new Registry();
  if (options.withProcess) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: 'tollgate_http_request_duration_seconds',
      help: 'Requests by method, route pattern and status; _count is their number.',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: requestSecondsBuckets,
      registers,
    }),
    signIns: new Counter({
      name: 'tollgate_sign_ins_total',
      help: 'Charged sessions by kind: registration or sign_in.',
      labelNames: ['kind'] as const,
      registers,
    }),
    refusals: new Counter({
      name: 'tollgate_refusals_total',
      help: 'Refused requests by route pattern and reason (the error code, or what a page said).',
      labelNames: ['route', 'reason'] as const,
      registers,
    }),
    charges: new Histogram({
      name: 'tollgate_charge_duration_seconds',
      help: 'From the start of a charge to its commit.',
      buckets: requestSecondsBuckets,
      registers,
    }),
    webhookAttempts: new Histogram({
      name: 'tollgate_webhook_attempt_duration_seconds',
      help: 'Webhook attempts by outcome: 2xx, another class of status, or why no answer came.',
      labelNames: ['outcome'] as const,
      buckets: webhookSecondsBuckets,
      registers,
    }),
    webhookLag: new Histogram({
      name: 'tollgate_webhook_first_attempt_lag_seconds',
      help: 'From the commit of an event to the first attempt to deliver it.',
      buckets: webhookSecondsBuckets,
      registers,
    }),
    jobs: new Histogram({
      name: 'tollgate_job_duration_seconds',
      help: 'Jobs (mail, webhooks) by queue and outcome: done or returned.',
      labelNames: ['queue', 'outcome'] as const,
      buckets: webhookSecondsBuckets,
      registers,
    }),
    housekeeping: new Histogram({
      name: 'tollgate_housekeeping_duration_seconds',
      help: 'Steps of housekeeping: done, left (the rest follows in the next round) or failed.',
      labelNames: ['step', 'outcome'] as const,
      buckets: workSecondsBuckets,
      registers,
    }),
    housekeepingRows: new Counter({
      name: 'tollgate_housekeeping_rows_total',
      help: 'Rows that housekeeping removed or looked through, by step.',
      labelNames: ['step'] as const,
      registers,
    }),
    longWorkBites: new Histogram({
      name: 'tollgate_long_work_bite_duration_seconds',
      help: 'Bites of long work (deletions of accounts and the like) by kind and outcome: done or failed.',
      labelNames: ['kind', 'outcome'] as const,
      buckets: requestSecondsBuckets,
      registers,
    }),
    unrecorded: new Counter({
      name: 'tollgate_unrecorded_total',
      help: 'Rows that are kept by best effort and were not: steps of sign-ins, last uses of sessions.',
      labelNames: ['what'] as const,
      registers,
    }),
    rateLimitHits: new Counter({
      name: 'tollgate_rate_limit_hits_total',
      help: 'Requests refused by a rate limit, by its name.',
      labelNames: ['limit'] as const,
      registers,
    }),
  };
}

/** The same limiter; a refusal is counted on its way. */
export function countLimitHits(
  rateLimiter: RateLimiter,
  metrics: Pick<Metrics, 'rateLimitHits'>,
): RateLimiter {
  const counted =
    (ask: RateLimiter['consume']): RateLimiter['consume'] =>
    async (name, key) => {
      try {
        await ask(name, key);
      } catch (error) {
        if (error instanceof TollgateError && error.code === 'too_many_requests')
          metrics.rateLimitHits.inc({ limit: name });
        throw error;
      }
    };
  return { consume: counted(rateLimiter.consume), check: counted(rateLimiter.check) };
}

/** A number that is looked up when somebody asks. When the look-up fails the other metrics are still answered. */
export function addGauge(
  metrics: Pick<Metrics, 'registry'>,
  gauge: { name: string; help: string; labelNames?: string[] },
  read: () => Promise<{ labels?: Record<string, string>; value: number }[]>,
): void {
  new Gauge({
    ...gauge,
    registers: [metrics.registry],
    async collect() {
      const rows = await read().catch(() => []);
      this.reset();
      for (const { labels = {}, value } of rows) this.set(labels, value);
    },
  });
}
