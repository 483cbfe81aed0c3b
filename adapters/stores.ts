// Which of the engine's models lives where: what expires soon in Redis if there is one, what must last
// in SQL. Losing Redis costs people a sign-in, never a refresh token, a consent or money.
import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from 'oidc-provider';
import type { Raise } from '../src/accounts/generation.ts';
import type { Clock } from '../src/clock.ts';
import { type AskedAhead, createAskedAhead } from '../src/database/asked-ahead.ts';
import type { Database } from '../src/database/connection.ts';
import { createOwedWrites, type OwedWrites } from '../src/database/owed-writes.ts';
import type { RedisClient } from '../src/redis/client.ts';
import { ClientAdapter, type ClientSource } from './client-metadata.ts';
import { DeviceCodeAdapter, USER_CODES } from './device-codes.ts';
import { endSessionInSql, type SessionToEnd } from './end-session.ts';
import type { HalfOpen } from './half-open.ts';
import { createHalfOpen } from './half-open-budgets.ts';
import { createKeepInteraction, InteractionAdapter, type KeepInteraction } from './interactions.ts';
import { LivingSessionAdapter } from './living-sessions.ts';
import { SqlAdapter } from './postgres.ts';
import { PUSHED_REQUESTS, PushedRequestAdapter } from './pushed-requests.ts';
import { RecordsOfRequest } from './records-of-request.ts';
import { deleteTokensOfGrants, RedisAdapter } from './redis.ts';
import { revokeAccount, revokeClientInSql, revokeGrantsInSql } from './revoke.ts';
import { SERVICE_TOKENS, ServiceTokenAdapter } from './service-tokens.ts';
import { USED_PROOFS, UsedProofAdapter } from './used-proofs.ts';

type Dependencies = {
  db: Database;
  /** For single look-ups (src/database/look-ups.ts). */
  lookUps: Database;
  redis?: RedisClient | undefined;
  clock: Clock;
  clients: ClientSource;
  /** The same one for everything that shares a store. */
  halfOpen?: HalfOpen;
};

const LASTING = ['Grant', 'RefreshToken'];
/**
 * What a stranger can make us keep (adapters/half-open.ts): requests by POST are ours, src/oidc/authorization-request/form-post-request.ts. Of
 * sessions only those that nobody has signed in to.
 */
const WAITING = ['Interaction', 'PostedRequest', PUSHED_REQUESTS, 'DeviceCode', 'Session'];

/** What a request of the engine can ask before the engine does. */
export type RecordsAhead = {
  sessions: AskedAhead<AdapterPayload | undefined>;
  /** Whether they live, and what they stand on; by the session's uid. */
  sessionFacts: AskedAhead<unknown>;
  codes: AskedAhead<AdapterPayload | undefined>;
  grants: AskedAhead<AdapterPayload | undefined>;
  clients: AskedAhead<ClientMetadata | undefined>;
};

export type EngineAdapter = AdapterFactory & { ahead: RecordsAhead; writes: OwedWrites };

/** The engine asks once per model; `Client` is not state but a view of our applications. */
export function createEngineAdapter(dependencies: Dependencies): EngineAdapter {
  const { redis, halfOpen = createHalfOpen({ redis }) } = dependencies;
  const forget = (idHash: string) =>
    Promise.all(WAITING.map((model) => recordsOf(model, dependencies).forget(idHash)));
  const waiting = { halfOpen, forget };
  const clients = createAskedAhead(dependencies.clients);
  const writes = createOwedWrites();
  const ofRequest = (model: string) =>
    new RecordsOfRequest(model, { records: recordsOf(model, dependencies), writes });
  const [sessions, codes, grants] = [
    ofRequest('Session'),
    ofRequest('AuthorizationCode'),
    ofRequest('Grant'),
  ];
  const livingSessions = new LivingSessionAdapter(sessions, { ...dependencies, waiting });
  const shared = new Map<string, Adapter>([
    ['Client', new ClientAdapter(clients)],
    ['Session', livingSessions],
    ['AuthorizationCode', codes],
    ['Grant', grants],
    ['AccessToken', ofRequest('AccessToken')],
    ['RefreshToken', ofRequest('RefreshToken')],
  ]);
  const factory = (model: string): Adapter => {
    const found = shared.get(model);
    if (found) return found;
    const records = recordsOf(model, dependencies);
    if (model === 'DeviceCode')
      return new DeviceCodeAdapter(records, { waiting, userCodes: recordsOf(USER_CODES, dependencies) });
    if (model === PUSHED_REQUESTS) return new PushedRequestAdapter(records, waiting);
    if (model === SERVICE_TOKENS) return new ServiceTokenAdapter(records, dependencies.lookUps);
    if (model === USED_PROOFS) return new UsedProofAdapter(records);
    return WAITING.includes(model) ? new InteractionAdapter(records, waiting) : records;
  };
  const ahead = {
    sessions: sessions.ahead,
    sessionFacts: livingSessions.facts,
    codes: codes.ahead,
    grants: grants.ahead,
    clients,
  };
  return Object.assign(factory, { ahead, writes });
}

/** For the pages. */
export function keepInteractions(
  dependencies: Omit<Dependencies, 'clients'> & { halfOpen: HalfOpen },
): KeepInteraction {
  return createKeepInteraction(recordsOf('Interaction', dependencies), dependencies.halfOpen);
}

function recordsOf(
  model: string,
  { db, lookUps, redis, clock }: Omit<Dependencies, 'clients'>,
): RedisAdapter | SqlAdapter {
  return redis && !LASTING.includes(model)
    ? new RedisAdapter(model, { redis, clock })
    : new SqlAdapter(model, { db, lookUps, clock });
}

export type Revocation = {
  /** One browser's session, and every grant, code and token that its applications got. @returns whether it lived. */
  revokeSession(db: Database, session: SessionToEnd): Promise<boolean>;
  /** Every session, grant, code and token of an account, those included that a request under way still writes. */
  revokeAccount(tx: Database, raise: Raise): Promise<void>;
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
    async revokeSession(db, session) {
      const grantIds = await endSessionInSql(db, session);
      await revokeGrants(db, grantIds ?? []);
      return grantIds !== undefined;
    },
    revokeAccount,
    revokeGrants,
    // The grants are in SQL in any case, and the real time is what the engine stamps them with.
    revokeClient: (tx, clientId, now = new Date()) => revokeClientInSql(tx, clientId, now),
  };
}
