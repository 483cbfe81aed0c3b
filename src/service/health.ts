// Whether this process should get requests (/readyz) and what an operator wants to know beside that. A process that
// shuts down or cannot reach what it needs says so before anybody's sign-in finds out.
import type { Middleware } from 'koa';
import type { Connection } from '../database/connection.ts';
import { pendingMigrations } from '../database/pending-migrations.ts';
import { sqlState } from '../database/sql-state.ts';
import { readinessMilliseconds } from '../limits/operations.ts';

type LatestProof = {
  latest(): { ok: boolean; finishedAt: Date; broken: Record<string, number> } | undefined;
};

type Check = { ok: boolean; milliseconds?: number; reason?: string };

export type Readiness = {
  ready: boolean;
  checks: Record<string, Check>;
  /** Never a reason to be taken out of service: money that does not add up is for a person. */
  ledger: Proven | null;
  /** Nor is this. */
  accounts: Proven | null;
};

type Proven = { ok: boolean; verifiedAt: string; broken: Record<string, number> };

export type Health = {
  ready(): Promise<Readiness>;
  /** From now on `ready` says no; requests are still answered. */
  beginShutdown(): void;
  isShuttingDown(): boolean;
};

export function createHealth(options: {
  connection: Connection;
  redis: { ping(): Promise<unknown> } | undefined;
  ledger: LatestProof;
  accounts: LatestProof;
}): Health {
  const { connection, redis, ledger, accounts } = options;
  let isShuttingDown = false;
  let isMigrated = false;
  const requireMigrations = async () => {
    if (isMigrated) return;
    const pending = await pendingMigrations(connection.probe);
    if (pending.length > 0) throw new Error(`${pending.length} pending`);
    isMigrated = true;
  };
  return {
    async ready() {
      const [database, migrations, shared] = await Promise.all([
        check(() => connection.ping()),
        check(requireMigrations),
        redis ? check(() => redis.ping()) : undefined,
      ]);
      const checks: Record<string, Check> = {
        database,
        migrations,
        ...(shared && { redis: shared }),
        running: isShuttingDown ? { ok: false, reason: 'shutting down' } : { ok: true },
      };
      return {
        ready: Object.values(checks).every(({ ok }) => ok),
        checks,
        ledger: latestOf(ledger),
        accounts: latestOf(accounts),
      };
    },
    beginShutdown() {
      isShuttingDown = true;
    },
    isShuttingDown: () => isShuttingDown,
  };
}

/** While shutting down every answer ends its connection, so that none is cut off when listening ends. */
export function closeConnections(health: Pick<Health, 'isShuttingDown'>): Middleware {
  return (ctx, next) => {
    if (health.isShuttingDown()) ctx.set('Connection', 'close');
    return next();
  };
}

function latestOf(schedule: LatestProof): Proven | null {
  const proof = schedule.latest();
  if (!proof) return null;
  return { ok: proof.ok, verifiedAt: proof.finishedAt.toISOString(), broken: proof.broken };
}

/** The reason is a word or a code: a driver's message may name hosts and users. */
async function check(ask: () => Promise<unknown>): Promise<Check> {
  const startedAt = performance.now();
  const { promise: late, resolve } = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => resolve('late'), readinessMilliseconds);
  try {
    const outcome = await Promise.race([ask(), late]);
    if (outcome === 'late') return { ok: false, reason: `no answer in ${readinessMilliseconds} ms` };
    return { ok: true, milliseconds: Math.round(performance.now() - startedAt) };
  } catch (error) {
    const isOurs = error instanceof Error && error.message.endsWith('pending');
    return { ok: false, reason: isOurs ? error.message : (sqlState(error) ?? 'failed') };
  } finally {
    clearTimeout(timer);
  }
}
