// The engine's records as one request sees them: what it asked for ahead (src/oidc/look-ahead.ts) is there when the engine
// asks, until the request itself changes it.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { createAskedAhead } from '../src/database/asked-ahead.ts';

export class RecordsOfRequest implements Adapter {
  readonly #records: Adapter;
  readonly ahead;

  constructor(records: Adapter) {
    this.#records = records;
    this.ahead = createAskedAhead(async (id) => (await records.find(id)) ?? undefined);
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.ahead.find(requestOfEngine(), id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return (await this.#records.findByUid(uid)) ?? undefined;
  }

  /** Device flow, which is not offered. */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    this.ahead.forget(requestOfEngine(), id);
    await this.#records.upsert(id, payload, expiresInSeconds);
  }

  async destroy(id: string): Promise<void> {
    this.ahead.forget(requestOfEngine(), id);
    await this.#records.destroy(id);
  }

  async consume(id: string): Promise<void> {
    this.ahead.forget(requestOfEngine(), id);
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.ahead.forget(requestOfEngine());
    await this.#records.revokeByGrantId(grantId);
  }
}

/** What src/oidc/look-ahead.ts asks under; undefined outside of the engine's own endpoints. */
export function requestOfEngine(): object | undefined {
  return Provider.ctx?.req;
}
