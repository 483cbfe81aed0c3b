// Device codes (RFC 8628) in the engine's store: within the budgets of what strangers make us keep, and remembered for a
// while beyond their end. A browser in which somebody types the user code works on the record by its hash: the device code,
// which is the device's only secret, is known to the device alone.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { serviceUnavailable } from '../src/errors.ts';
import { deviceCodeRememberedSeconds } from '../src/limits/devices.ts';
import { admit, type HashedRecords, type Waiting } from './interactions.ts';
import { idHashOf, isByHash } from './stored-record.ts';
import type { Claims } from './used-proofs.ts';

const MODEL = 'DeviceCode';
/** Where a person works on it. Whoever asks for tokens names the device code itself. */
const ROUTES_OF_PEOPLE = ['code_verification', 'device_resume'];

/** What people type: given out once, as long as it leads to a device. */
export const USER_CODES = 'UserCode';

type Dependencies = { waiting: Waiting; userCodes: Claims };

export class DeviceCodeAdapter implements Adapter {
  readonly #records: HashedRecords;
  readonly #waiting: Waiting;
  readonly #userCodes: Claims;

  constructor(records: HashedRecords, { waiting, userCodes }: Dependencies) {
    this.#records = records;
    this.#waiting = waiting;
    this.#userCodes = userCodes;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const idHash = idHashOf(MODEL, id);
    const seconds = expiresInSeconds + deviceCodeRememberedSeconds;
    // From here on somebody is at it, and it goes for no other.
    if (payload.inFlight) await this.#waiting.halfOpen.touch(idHash, seconds);
    else await this.#begin(payload, { idHash, seconds });
    await this.#records.upsert(id, payload, seconds);
  }

  /** The engine makes user codes by chance, and of two devices with the same one a person could let the wrong one in. */
  async #begin(
    payload: AdapterPayload,
    { idHash, seconds }: { idHash: string; seconds: number },
  ): Promise<void> {
    const clientId = String(payload.clientId);
    await admit(this.#waiting, payload, { idHash, clientId, isTouched: false, seconds });
    const userCode = String(payload.userCode);
    // The claim is for those that come at once: until this one can be found by its code.
    if ((await this.#userCodes.claim(userCode)) && !(await this.findByUserCode(userCode))) return;
    await this.#waiting.halfOpen.remove(idHash);
    throw serviceUnavailable(new Error('another device has this user code'));
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    if (isByHash(id) && !ROUTES_OF_PEOPLE.includes(Provider.ctx?.oidc?.route ?? '')) return undefined;
    return (await this.#records.find(id)) ?? undefined;
  }

  async findByUid(): Promise<undefined> {
    return undefined;
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return (await this.#records.findByUserCode(userCode)) ?? undefined;
  }

  async destroy(id: string): Promise<void> {
    await this.#records.destroy(id);
    await this.#waiting.halfOpen.remove(idHashOf(MODEL, id));
  }

  async consume(id: string): Promise<void> {
    await this.#records.consume(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#records.revokeByGrantId(grantId);
  }
}
