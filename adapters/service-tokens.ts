// Tokens that a service has of its own (RFC 6749 §4.4). No grant stands behind them, so what ends all grants of a client,
// adapters/revoke.ts, is asked for when one of them is looked for: a service that was disabled and is enabled again has none
// of the tokens that it had before.
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { createReader } from '../src/database/batch.ts';
import type { Database } from '../src/database/connection.ts';
import { readBatches } from '../src/limits/stores.ts';
import { clientRevocationFinder } from './revoke.ts';

export const SERVICE_TOKENS = 'ClientCredentials';

export class ServiceTokenAdapter implements Adapter {
  readonly #records: Adapter;
  readonly #revokedAt: (clientId: string) => Promise<number | undefined>;

  constructor(records: Adapter, lookUps: Database) {
    this.#records = records;
    this.#revokedAt = createReader({ find: clientRevocationFinder(lookUps), ...readBatches });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const token = await this.#records.find(id);
    if (!token) return undefined;
    const revokedAt = await this.#revokedAt(String(token.clientId));
    // The second itself counts as before.
    return revokedAt === undefined || Number(token.iat) > revokedAt ? token : undefined;
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    await this.#records.upsert(id, payload, expiresInSeconds);
  }

  async destroy(id: string): Promise<void> {
    await this.#records.destroy(id);
  }

  async consume(): Promise<void> {
    throw new Error('a token of a service is not consumed');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('a token of a service has no grant');
  }
}
