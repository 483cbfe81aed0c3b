// Which of the engine's models lives where (design 2.5): what expires soon in Redis if there is one, what must last
// in SQL. Losing Redis costs people a sign-in, never a refresh token, a consent or money.
import type { AdapterFactory } from 'oidc-provider';
import type { Clock } from '../src/clock.ts';
import type { Database } from '../src/database.ts';
import type { RedisClient } from '../src/redis.ts';
import { ClientAdapter, type ClientSource } from './client-metadata.ts';
import { endSession } from './end-session.ts';
import { SqlAdapter } from './postgres.ts';
import {
  createRevocationReader,
  deleteSessionsOfAccount,
  deleteTokensOfGrants,
  RedisAdapter,
} from './redis.ts';
import { revokeAccountInSql, revokeClientInSql, revokeGrantsInSql } from './revoke.ts';

type Dependencies = {
  db: Database;
  /** For single look-ups (src/postgres-look-ups.ts). */
  lookUps: Database;
  redis?: RedisClient | undefined;
  clock: Clock;
  clients: ClientSource;
};

const LASTING = ['Grant', 'RefreshToken'];

/** The engine asks once per model; `Client` is not state but a view of our applications. */
export function createEngineAdapter({ db, lookUps, redis, clock, clients }: Dependencies): AdapterFactory {
  const readRevocation = createRevocationReader(lookUps);
  const revocation = createRevocation({ redis });
  const revokeGrants = (grantIds: string[]) => revocation.revokeGrants(db, grantIds);
  return (model) => {
    if (model === 'Client') return new ClientAdapter(clients);
    if (!redis || LASTING.includes(model)) return new SqlAdapter(model, { db, lookUps, clock });
    return new RedisAdapter(model, { redis, readRevocation, revokeGrants, clock });
  };
}

export type Revocation = {
  /** One browser's session by its uid, and every grant, code and token that its applications got. */
  revokeSession(db: Database, uid: string, now: Date): Promise<void>;
  /** Every session, grant, code and token of an account, those included that a request under way still writes. */
  revokeAccountSessions(db: Database, accountId: string, now?: Date): Promise<void>;
  /** The grants themselves and every code and token issued under them. */
  revokeGrants(db: Database, grantIds: string[]): Promise<void>;
  /** Every grant, code and token of all customers of an application. Goes into the caller's transaction. */
  revokeClient(tx: Database, clientId: string, now?: Date): Promise<void>;
};

/** SQL decides, since codes and tokens are worth nothing without their grant; Redis is cleaned up after it. */
export function createRevocation({ redis }: { redis?: RedisClient | undefined }): Revocation {
  const revokeGrants: Revocation['revokeGrants'] = async (db, grantIds) => {
    await revokeGrantsInSql(db, grantIds);
    if (redis) await deleteTokensOfGrants(redis, grantIds);
  };
  return {
    async revokeSession(db, uid, now) {
      await revokeGrants(db, await endSession({ db, redis, uid, now }));
    },
    async revokeAccountSessions(db, accountId, now) {
      await revokeAccountInSql(db, accountId, now);
      if (redis) await deleteSessionsOfAccount(redis, accountId);
    },
    revokeGrants,
    // The grants are in SQL in any case, and the real time is what the engine stamps them with.
    revokeClient: (tx, clientId, now = new Date()) => revokeClientInSql(tx, clientId, now),
  };
}
