// Numbers that are looked up when Prometheus asks: queues, pool, subscriptions, the last proofs of ledger and accounts, signing keys.
import { sql } from 'drizzle-orm';
import type { Clock } from '../clock.ts';
import { clockSkewSeconds, statementTime } from '../database/clock.ts';
import { type Connection, rowsOf } from '../database/connection.ts';
import type { VerificationSchedule } from '../database/verification.ts';
import { listSigningKeys } from '../oidc/signing-keys.ts';
import { unfinishedWork } from '../queue/long-work.ts';
import { addGauge, type Metrics } from '../telemetry/metrics.ts';
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
      `Mails and deliveries that wait, by whether they are due; ${MOST_COUNTED} means that or more.`,
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
  addGauge(
    metrics,
    gauge('webhook_subscriptions', 'Webhook subscriptions by status.', 'status'),
    async () => {
      const rows = rowsOf(
        await db.execute(
          sql`select status, count(*)::int as count from webhook_subscriptions group by status`,
        ),
      );
      return rows.map(({ status, count }) => ({ labels: { status: String(status) }, value: Number(count) }));
    },
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
    gauge('signing_key_active_timestamp_seconds', 'Since when the present signing key signs.'),
    async () => {
      const now = clock();
      const present = (await listSigningKeys(db, now)).find(({ activatedAt }) => activatedAt <= now);
      return present ? [{ value: present.activatedAt.getTime() / 1000 }] : [];
    },
  );
}

/** A scrape reads no more than this of a backlog. */
const MOST_COUNTED = 10_000;

/**
 * Over indexes of what waits. `webhooks` are first attempts, `webhook_retries` the others; those of an endpoint that is
 * paused are among them.
 */
async function queues({ db }: Connection, clock: Clock) {
  const now = statementTime(clock);
  const deliveries = sql`(
    select next_attempt_at as at, attempt_count from webhook_deliveries
    where status = 'pending' order by next_attempt_at limit ${MOST_COUNTED}::int
  ) pending`;
  const waiting = {
    webhooks: sql`select at from ${deliveries} where attempt_count = 0`,
    webhook_retries: sql`select at from ${deliveries} where attempt_count > 0`,
    mail: sql`
      select start_after as at from jobs.job where state < 'active' and name = 'mail' limit ${MOST_COUNTED}::int`,
  };
  return Promise.all(
    Object.entries(waiting).map(async ([queue, all]) => {
      const [row] = rowsOf(
        await db.execute(sql`
          select count(*) filter (where at <= ${now})::int as due, count(*) filter (where at > ${now})::int as later,
            extract(epoch from ${now} - min(at))::float as lag
          from (${all}) waiting`),
      );
      return {
        queue,
        due: Number(row?.due ?? 0),
        later: Number(row?.later ?? 0),
        lag: Math.max(0, Number(row?.lag ?? 0)),
      };
    }),
  );
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
