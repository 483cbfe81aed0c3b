// Which of the engine's models lives where (design 2.5): what expires soon in Redis if there is one, what must last
// in SQL. Losing Redis costs people a sign-in, never a refresh token, a consent or money.
import type { AdapterFactory } from 'oidc-provider';
import type { Clock } from '../src/clock.ts';
import type { Database } from '../src/database.ts';
import type { RedisClient } from '../src/redis.ts';
import { ClientAdapter, type ClientSource } from './client-metadata.ts';
import { SqlAdapter } from './postgres.ts';
import { deleteSessionsOfAccount, deleteTokensOfGrants, RedisAdapter } from './redis.ts';
import { revokeAccountInSql, revokeGrantsInSql } from './revoke.ts';

type Dependencies = { db: Database; redis?: RedisClient | undefined; clock: Clock; clients: ClientSource };

const LASTING = ['Grant', 'RefreshToken'];

/** The engine asks once per model; `Client` is not state but a view of our applications. */
export function createEngineAdapter({ db, redis, clock, clients }: Dependencies): AdapterFactory {
  return (model) => {
    if (model === 'Client') return new ClientAdapter(clients);
    if (!redis || LASTING.includes(model)) return new SqlAdapter(model, db, clock);
    return new RedisAdapter(model, { redis, db, clock });
  };
}

export type Revocation = {
  /** Every session, grant, code and token of an account, those included that a request under way still writes. */
  revokeAccountSessions(db: Database, accountId: string, now?: Date): Promise<void>;
  /** The grants themselves and every code and token issued under them. */
  revokeGrants(db: Database, grantIds: string[]): Promise<void>;
};

/** SQL decides, since codes and tokens are worth nothing without their grant; Redis is cleaned up after it. */
export function createRevocation({ redis }: { redis?: RedisClient | undefined }): Revocation {
  return {
    async revokeAccountSessions(db, accountId, now) {
      await revokeAccountInSql(db, accountId, now);
      if (redis) await deleteSessionsOfAccount(redis, accountId);
    },
    async revokeGrants(db, grantIds) {
      await revokeGrantsInSql(db, grantIds);
      if (redis) await deleteTokensOfGrants(redis, grantIds);
    },
  };
}
