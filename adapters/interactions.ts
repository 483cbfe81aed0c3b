// Authorization requests that wait for a person, as the engine's store keeps them: within the budgets of
// adapters/half-open.ts, and for a short time only until somebody has typed something.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { serviceUnavailable, TollgateError } from '../src/errors.ts';
import { ipAddressKey } from '../src/http/rate-limit.ts';
import {
  halfOpenAllocation,
  halfOpenRetrySeconds,
  untouchedInteractionSeconds,
} from '../src/limits/strangers.ts';
import { interactionSeconds } from '../src/limits/token-lifetimes.ts';
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

/** The budgets of what waits for a person, and how one of them makes room. `forget`: in whichever model it is kept. */
export type Waiting = { halfOpen: HalfOpen; forget: Forget };

export class InteractionAdapter implements Adapter {
  readonly #records: HashedRecords;
  readonly #waiting: Waiting;

  constructor(records: HashedRecords, waiting: Waiting) {
    this.#records = records;
    this.#waiting = waiting;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const isTouched = hasAnswers(payload);
    const seconds = isTouched ? expiresInSeconds : Math.min(expiresInSeconds, untouchedInteractionSeconds);
    const clientId = String(payload.params?.client_id ?? Provider.ctx?.oidc?.client?.clientId);
    await admit(this.#waiting, payload, { idHash: sha256(id), clientId, isTouched, seconds });
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
    await this.release(id);
  }

  /** It waits for nobody any more. */
  protected async release(id: string): Promise<void> {
    await this.#waiting.halfOpen.remove(sha256(id));
  }

  async consume(id: string): Promise<void> {
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.revokeByGrantId(grantId);
  }
}

type Newcomer = { idHash: string; clientId: string; isTouched: boolean; seconds: number };

/** What somebody who has proven nothing makes us keep has its place in the budgets first. */
export async function admit(
  { halfOpen, forget }: Waiting,
  payload: AdapterPayload,
  { idHash, ...newcomer }: Newcomer,
): Promise<void> {
  const admission = await halfOpen.admit({
    ...newcomer,
    id: idHash,
    // A posted request comes before the engine's own context.
    ipAddress: ipAddressKey(Provider.ctx?.state.ipAddress ?? String(payload.address ?? '')),
    bytes: storedBytes(payload),
  });
  await Promise.all(admission.evicted.map(forget));
  if (!admission.isAdmitted) throw refusalOf(admission);
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
