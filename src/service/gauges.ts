// Numbers that are looked up when Prometheus asks: queues, pool, subscriptions, the last proofs of ledger and accounts, signing keys.
import { signingAlgorithms } from '../applications/signing-algorithm.ts';
import type { Clock } from '../clock.ts';
import { clockSkewSeconds } from '../database/clock.ts';
import type { Connection } from '../database/connection.ts';
import type { VerificationSchedule } from '../database/verification.ts';
import { waitingCounted } from '../limits/operations.ts';
import { listSigningKeys } from '../oidc/signing-keys/signing-keys.ts';
import { countWaitingMails } from '../queue/backlog-figures.ts';
import { unfinishedWork } from '../queue/long-work.ts';
import { addGauge, type Metrics } from '../telemetry/metrics.ts';
import { countSubscriptions, countWaitingDeliveries } from '../webhooks/backlog-figures.ts';
import { findBusyEndpoints } from '../webhooks/delivery-look.ts';

type Proven = Pick<VerificationSchedule, 'latest'>;
type Parts = { connection: Connection; ledger: Proven; accounts: Proven; clock: Clock };

export function addGauges(metrics: Metrics, { connection, ledger, accounts, clock }: Parts): void {
  const { db } = connection;
  const gauge = (name: string, help: string, ...labelNames: string[]) => ({
    name: `tollgate_${name}`,
    help,
    labelNames,
  });

  addGauge(
    metrics,
    gauge(
      'queue_jobs',
      `Mails and deliveries that wait, by whether they are due; ${waitingCounted} means that or more.`,
      'queue',
      'state',
    ),
    async () =>
      (await queues(connection, clock)).flatMap(({ queue, due, later }) => [
        { labels: { queue, state: 'due' }, value: due },
        { labels: { queue, state: 'later' }, value: later },
      ]),
  );
  addGauge(
    metrics,
    gauge('queue_lag_seconds', 'How late the oldest is that is due, by queue.', 'queue'),
    async () =>
      (await queues(connection, clock)).map(({ queue, lag }) => ({ labels: { queue }, value: lag })),
  );
  addGauge(metrics, gauge('webhook_subscriptions', 'Webhook subscriptions by status.', 'status'), async () =>
    (await countSubscriptions(db)).map(({ status, count }) => ({ labels: { status }, value: count })),
  );
  addGauge(
    metrics,
    gauge('long_work', 'Long work that is not done, by kind and state.', 'kind', 'state'),
    async () =>
      (await unfinishedWork(db)).map(({ kind, state, count }) => ({ labels: { kind, state }, value: count })),
  );
  addGauge(
    metrics,
    gauge(
      'long_work_age_seconds',
      'Since when the oldest long work that is not done has been going on.',
      'kind',
    ),
    async () =>
      (await unfinishedWork(db)).map(({ kind, startedAt }) => ({
        labels: { kind },
        value: Math.max(0, (clock().getTime() - startedAt.getTime()) / 1000),
      })),
  );
  addGauge(
    metrics,
    gauge('webhook_attempts_under_way', 'Webhook attempts that processes have claimed.'),
    async () => {
      const busy = await findBusyEndpoints(db, clock);
      return [{ value: busy.reduce((total, { underWay }) => total + underWay, 0) }];
    },
  );
  addGauge(
    metrics,
    gauge('clock_skew_seconds', "How far this machine's clock is ahead of the database's."),
    async () => [{ value: await clockSkewSeconds(db, clock) }],
  );
  addGauge(metrics, gauge('database_connections', 'Connections of the pool by state.', 'state'), async () =>
    connection.kind === 'postgres' ? poolStates(connection.pool) : [],
  );
  for (const [name, words, schedule] of [
    ['ledger', 'the ledger', ledger],
    ['accounts', 'the accounts', accounts],
  ] as const) {
    addGauge(
      metrics,
      gauge(`${name}_ok`, `1 when the last proof of ${words} held, 0 when it did not.`),
      async () => {
        const proof = schedule.latest();
        return proof ? [{ value: Number(proof.ok) }] : [];
      },
    );
    addGauge(
      metrics,
      gauge(`${name}_verified_timestamp_seconds`, `Time of the last proof of ${words}.`),
      async () => {
        const proof = schedule.latest();
        return proof ? [{ value: proof.finishedAt.getTime() / 1000 }] : [];
      },
    );
  }
  addGauge(
    metrics,
    gauge(
      'signing_key_active_timestamp_seconds',
      'Since when the present signing key signs, by algorithm.',
      'algorithm',
    ),
    async () => {
      const now = clock();
      const active = (await listSigningKeys(db, now)).filter(({ activatedAt }) => activatedAt <= now);
      return signingAlgorithms.flatMap((algorithm) => {
        const present = active.find((key) => key.algorithm === algorithm);
        return present ? [{ value: present.activatedAt.getTime() / 1000, labels: { algorithm } }] : [];
      });
    },
  );
}

async function queues({ db }: Connection, clock: Clock) {
  const [deliveries, mails] = await Promise.all([
    countWaitingDeliveries(db, clock),
    countWaitingMails(db, clock),
  ]);
  return [
    { queue: 'webhooks', ...deliveries.first },
    { queue: 'webhook_retries', ...deliveries.retries },
    { queue: 'mail', ...mails },
  ];
}

function poolStates(pool: {
  totalCount: number;
  idleCount: number;
  waitingCount: number;
  options: { max?: number | undefined };
}) {
  const value = (state: string, count: number) => ({ labels: { state }, value: count });
  return [
    value('used', pool.totalCount - pool.idleCount),
    value('idle', pool.idleCount),
    value('waiting', pool.waitingCount),
    value('maximum', pool.options.max ?? 0),
  ];
}
