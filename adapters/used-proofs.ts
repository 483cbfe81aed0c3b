// Assertions and proofs that a client has used (RFC 7523 §3, RFC 9449 §11.1), so that each is taken once, by whichever
// process it comes to. The engine looks for one and then saves it; two that come at once would both find nothing. So
// looking for it already takes it, and saving only says until when.
import type { Adapter, AdapterPayload } from 'oidc-provider';

export const USED_PROOFS = 'ReplayDetection';

export type Claims = {
  /** @returns false when somebody has it already. */
  claim(id: string): Promise<boolean>;
};

export class UsedProofAdapter implements Adapter {
  readonly #records: Adapter & Claims;

  constructor(records: Adapter & Claims) {
    this.#records = records;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#records.claim(id)) ? undefined : { jti: id };
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    await this.#records.upsert(id, payload, Math.max(1, expiresInSeconds));
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async destroy(): Promise<void> {
    throw new Error('what was used stays used');
  }

  async consume(): Promise<void> {
    throw new Error('what was used is not consumed');
  }

  async revokeByGrantId(): Promise<void> {
    throw new Error('what was used has no grant');
  }
}
