// The engine's records as one request sees them (src/oidc/look-ahead.ts): what it asked for ahead is there when the engine
// asks, until the request itself changes it; what it saves need not be waited for before its answer leaves.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { createAskedAhead } from '../src/database/asked-ahead.ts';
import type { OwedWrites } from '../src/database/owed-writes.ts';

export class RecordsOfRequest implements Adapter {
  readonly #model: string;
  readonly #records: Adapter;
  readonly #writes: OwedWrites;
  readonly ahead;

  constructor(model: string, { records, writes }: { records: Adapter; writes: OwedWrites }) {
    this.#model = model;
    this.#records = records;
    this.#writes = writes;
    this.ahead = createAskedAhead(async (id) => (await records.find(id)) ?? undefined);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const request = requestOfEngine();
    await this.#writes.written(request, this.#name(id));
    return this.ahead.find(request, id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return (await this.#records.findByUid(uid)) ?? undefined;
  }

  /** Device codes are no part of this (device-codes.ts). */
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const request = requestOfEngine();
    this.ahead.forget(request, id);
    await this.#writes.owe(request, this.#name(id), async () => {
      await this.#records.upsert(id, payload, expiresInSeconds);
    });
  }

  async destroy(id: string): Promise<void> {
    await this.#change(id);
    await this.#records.destroy(id);
  }

  async consume(id: string): Promise<void> {
    await this.#change(id);
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    this.ahead.forget(requestOfEngine());
    await this.#records.revokeByGrantId(grantId);
  }

  async #change(id: string): Promise<void> {
    const request = requestOfEngine();
    this.ahead.forget(request, id);
    await this.#writes.written(request, this.#name(id));
  }

  #name(id: string): string {
    return `${this.#model} ${id}`;
  }
}

/** What src/oidc/look-ahead.ts asks under; undefined outside of the engine's own endpoints. */
export function requestOfEngine(): object | undefined {
  return Provider.ctx?.req;
}
