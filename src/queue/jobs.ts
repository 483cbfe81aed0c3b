// Work that must happen after a commit: mails. pg-boss keeps the jobs in our own database, so a job exists exactly when
// the transaction that asked for it committed. And the word between processes that there is work, which
// deliveries use as well: those are rows of their own (src/webhooks/delivery-loop.ts).
import { is, SQL, sql } from 'drizzle-orm';
import { fromDrizzle, fromPglite, PgBoss } from 'pg-boss';
import { createBatcher } from '../database/batch.ts';
import { type Connection, type Database, rowsOf } from '../database/connection.ts';
import { settleAll } from '../database/settle-all.ts';
import { jobQueryMilliseconds, postgresConnectMilliseconds } from '../limits/stores.ts';
import type { Log } from '../log.ts';
import { atMost, type JobPool, type JobSource, type PooledJob, startJobPool } from './job-pool.ts';

/** How each queue treats its jobs. A job that fails or whose process dies is tried again: handlers are at-least-once. */
const queues = {
  /** A mail carries its own deadline; the handler drops it when that has passed. */
  mail: { retryLimit: 20, retryDelay: 5, retryBackoff: true, retryDelayMax: 300, expireInSeconds: 90 },
} as const;

/** Jobs of a queue under way at once in this process; a slow mail server holds only its own place. */
const concurrency: Record<QueueName, number> = { mail: 8 };

/** Finished jobs say nothing that our own tables do not; they are kept an hour for a person who investigates. */
const FINISHED_JOB_SECONDS = 3_600;
/** How late a delayed job may start, and a job whose notification was lost. */
const POLL_MILLISECONDS = 1_000;
/** How soon somebody notices that a job's time is over because its process died. Of all processes one looks. */
const SUPERVISION_SECONDS = 10;
/** Jobs of one moment are settled by one statement. */
const SETTLED_TOGETHER = { size: 64, lanes: 1 };
/** Ours, not pg-boss's own: its notifications reach only its own workers. */
const CHANNEL = 'tollgate_jobs';
const STOP_MILLISECONDS = 20_000;
/** A vanished database never confirms that a connection is closed. */
const CLOSE_MILLISECONDS = 3_000;

export type QueueName = keyof typeof queues;

export type Job = {
  data: object;
  /** Not before this moment; at once when absent. */
  startAfter?: Date;
};

export type Jobs = {
  /** Inside the caller's transaction: commits and vanishes with it. */
  send(tx: Database, queue: QueueName, jobs: Job[]): Promise<void>;
  /** The handler resolves when the job is done; a rejection returns it to the queue. */
  work<T extends object>(queue: QueueName, handler: (data: T) => Promise<void>): Promise<void>;
  /** Calls when a transaction with `notify(name)` has committed, and whenever one may have been missed. */
  onNotified(name: string, wake: () => void): Promise<void>;
  /** Waits for the jobs under way. */
  stop(): Promise<void>;
};

/** For a statement of the transaction that makes work: PostgreSQL delivers it when that commits, and not before. */
export function notify(name: string): SQL {
  return sql`pg_notify(${CHANNEL}, ${name})`;
}

export async function startJobs(options: {
  connection: Connection;
  databaseUrl?: string | undefined;
  log: Log;
}): Promise<Jobs> {
  const { connection, log } = options;
  const boss = createBoss(connection, options.databaseUrl);
  boss.on('error', (error) => log.error({ err: error }, 'job queue failed'));
  await boss.start();
  await prepareQueues(boss);
  const pools: JobPool[] = [];
  const bells = new Map<string, () => void>();
  const wakeAll = () => {
    for (const wake of bells.values()) wake();
  };
  let listening: ReturnType<typeof listen> | undefined;
  const onNotified: Jobs['onNotified'] = async (name, wake) => {
    bells.set(name, wake);
    listening ??= listen(boss, { onNotice: (noticed) => bells.get(noticed)?.(), onReconnect: wakeAll, log });
    await listening;
  };
  const close = async () => {
    await (await listening)?.close();
    await boss.stop({ graceful: true, close: true });
  };
  return {
    async send(tx, queue, jobs) {
      if (jobs.length === 0) return;
      const inserts = jobs.map((job) => ({
        data: job.data,
        ...(job.startAfter && { startAfter: job.startAfter }),
      }));
      await settleAll([
        boss.insert(queue, inserts, { db: inTransactionOf(tx) }),
        tx.execute(sql`select ${notify(queue)}`),
      ]);
    },
    async work<T extends object>(queue: QueueName, handler: (data: T) => Promise<void>) {
      const pool = startJobPool({
        source: sourceOf<T>(boss, queue),
        places: concurrency[queue],
        pollMilliseconds: POLL_MILLISECONDS,
        handler,
        log,
      });
      pools.push(pool);
      await onNotified(queue, pool.wake);
    },
    onNotified,
    async stop() {
      const stopped = Promise.all(pools.map((pool) => pool.stop(STOP_MILLISECONDS)));
      await atMost(STOP_MILLISECONDS, stopped);
      await atMost(CLOSE_MILLISECONDS, close());
    },
  };
}

function sourceOf<T>(boss: PgBoss, queue: QueueName): JobSource<T> {
  const complete = createBatcher<PooledJob<T>, void>({
    async run(jobs) {
      await boss.complete(
        queue,
        jobs.map(({ id, retryCount }) => ({ id, retryCount })),
      );
      return jobs.map(() => ({ value: undefined }));
    },
    ...SETTLED_TOGETHER,
  });
  return {
    fetch: (most) => boss.fetch<T>(queue, { batchSize: most, includeMetadata: true }),
    complete,
    fail: ({ id, retryCount }, error) =>
      boss.fail(
        queue,
        { id, retryCount },
        { message: error instanceof Error ? error.message : String(error) },
      ),
  };
}

/** Without it (PgBouncer in transaction mode, a broken first connection) polling alone finds the jobs. */
async function listen(
  boss: PgBoss,
  options: { onNotice: (name: string) => void; onReconnect: () => void; log: Log },
): Promise<{ close(): Promise<void> } | undefined> {
  try {
    return await boss.getDb().listen?.(CHANNEL, options.onNotice, options.onReconnect);
  } catch (error) {
    options.log.warn({ err: error }, 'no notifications about jobs; polling only');
    return undefined;
  }
}

/** pg-boss's view of our open transaction. */
function inTransactionOf(tx: Database) {
  const execute = async (query: unknown) => {
    if (!is(query, SQL)) throw new TypeError('pg-boss must build its queries with the sql tag it was given');
    return { rows: rowsOf(await tx.execute(query)) };
  };
  return fromDrizzle({ execute }, sql);
}

function createBoss(connection: Connection, databaseUrl: string | undefined): PgBoss {
  const common = {
    schema: 'jobs',
    persistWarnings: false,
    superviseIntervalSeconds: SUPERVISION_SECONDS,
    // Less than that, so that no look is skipped because the one before it was a moment late.
    monitorIntervalSeconds: SUPERVISION_SECONDS / 2,
    // Nothing here is repeated by the clock through pg-boss; looking whether it is costs every process statements.
    schedule: false,
  };
  if (connection.kind === 'pglite') {
    return new PgBoss({ ...common, db: fromPglite(connection.pglite), backend: 'pglite' });
  }
  if (!databaseUrl) throw new Error('startJobs needs databaseUrl with PostgreSQL');
  // Handed on to pg: a query whose server has vanished must not hold its queue for ever.
  const patience = {
    query_timeout: jobQueryMilliseconds,
    connectionTimeoutMillis: postgresConnectMilliseconds,
  };
  const server = { connectionString: databaseUrl, max: 4, application_name: 'tollgate-jobs' };
  return new PgBoss({ ...common, ...server, ...patience });
}

/** One statement when a process before us has left the queues as they should be. */
async function prepareQueues(boss: PgBoss): Promise<void> {
  const present = new Map<string, object>();
  for (const queue of await boss.getQueues(Object.keys(queues))) present.set(queue.name, queue);
  for (const [name, settings] of Object.entries(queues)) {
    const options = { ...settings, notify: false, deleteAfterSeconds: FINISHED_JOB_SECONDS };
    const queue = present.get(name);
    if (queue && hasAll(queue, options)) continue;
    if (queue) await boss.updateQueue(name, options);
    else await boss.createQueue(name, options);
    // pg-boss reads the settings of the queues that are there when it starts, and of others at their first use, on its
    // own connection. Inside one of our transactions on PGlite's only one that read would wait for ever: so, here.
    await boss.findJobs(name, { id: '00000000-0000-0000-0000-000000000000' });
  }
}

function hasAll(queue: object, options: Record<string, unknown>): boolean {
  const found = new Map<string, unknown>(Object.entries(queue));
  return Object.entries(options).every(([key, value]) => found.get(key) === value);
}
