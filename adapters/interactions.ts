// Authorization requests that wait for a person, as the engine's store keeps them: within the budgets of
// adapters/half-open.ts, and for a short time only until somebody has typed something.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { serviceUnavailable, TollgateError } from '../src/errors.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import { interactionSeconds } from '../src/limits/protocol.ts';
import {
  halfOpenAllocation,
  halfOpenRetrySeconds,
  untouchedInteractionSeconds,
} from '../src/limits/strangers.ts';
import { sha256 } from '../src/secrets.ts';
import type { Admission, HalfOpen } from './half-open.ts';

/** A store of records that finds them by the hash of their id as well. */
export type HashedRecords = Adapter & {
  forget(idHash: string): Promise<void>;
  /** A record that is not there any more stays away. */
  prolong(idHash: string, seconds: number): Promise<void>;
};

/** Keeps what somebody has begun to answer for as long as they may need. */
export type KeepInteraction = (uid: string) => Promise<void>;

export type Forget = (idHash: string) => Promise<unknown>;

export class InteractionAdapter implements Adapter {
  readonly #records: HashedRecords;
  readonly #halfOpen: HalfOpen;
  readonly #forget: Forget;

  /** @param forget in whichever model it is kept: all that waits for a person shares one budget. */
  constructor(records: HashedRecords, halfOpen: HalfOpen, forget: Forget) {
    this.#records = records;
    this.#halfOpen = halfOpen;
    this.#forget = forget;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const isTouched = hasAnswers(payload);
    const seconds = isTouched ? expiresInSeconds : Math.min(expiresInSeconds, untouchedInteractionSeconds);
    const admission = await this.#halfOpen.admit({
      id: sha256(id),
      // A posted request comes before the engine's own context.
      address: ipAddressKey(Provider.ctx?.state.ipAddress ?? String(payload.address ?? '')),
      clientId: String(payload.params?.client_id),
      bytes: storedBytes(payload),
      isTouched,
      seconds,
    });
    await Promise.all(admission.evicted.map(this.#forget));
    if (!admission.isAdmitted) throw refusalOf(admission);
    await this.#records.upsert(id, payload, seconds);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return (await this.#records.find(id)) ?? undefined;
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async destroy(id: string): Promise<void> {
    await this.#records.destroy(id);
    await this.#halfOpen.remove(sha256(id));
  }

  async consume(id: string): Promise<void> {
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.revokeByGrantId(grantId);
  }
}

export function createKeepInteraction(records: HashedRecords, halfOpen: HalfOpen): KeepInteraction {
  return async (uid) => {
    const idHash = sha256(uid);
    if (await halfOpen.touch(idHash, interactionSeconds)) await records.prolong(idHash, interactionSeconds);
  };
}

/** The person has answered this page, or the one before it. */
export function hasAnswers({ result, lastSubmission }: AdapterPayload): boolean {
  return result !== undefined || lastSubmission !== undefined;
}

function storedBytes(payload: AdapterPayload): number {
  const { factor, bytes } = halfOpenAllocation;
  return Math.ceil(Buffer.byteLength(JSON.stringify(payload)) * factor) + bytes;
}

function refusalOf({ reached }: Admission): TollgateError {
  const detail = `budget of half-open requests: ${reached}`;
  if (reached !== 'address') return serviceUnavailable(new Error(detail));
  return new TollgateError('too_many_requests', 'Too many sign-ins are waiting. Finish one, or wait.', {
    retryAfterSeconds: halfOpenRetrySeconds,
    detail,
  });
}
