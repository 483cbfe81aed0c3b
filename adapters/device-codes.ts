// Device codes (RFC 8628) in the engine's store: within the budgets of what strangers make us keep, and remembered for a
// while beyond their end. A browser in which somebody types the user code works on the record by its hash: the device code,
// which is the device's only secret, is known to the device alone.
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider';
import { deviceCodeRememberedSeconds } from '../src/limits/devices.ts';
import { admit, type HashedRecords, type Waiting } from './interactions.ts';
import { idHashOf, isByHash } from './stored-record.ts';

const MODEL = 'DeviceCode';
/** Where a person works on it. Whoever asks for tokens names the device code itself. */
const ROUTES_OF_PEOPLE = ['code_verification', 'device_resume'];

export class DeviceCodeAdapter implements Adapter {
  readonly #records: HashedRecords;
  readonly #waiting: Waiting;

  constructor(records: HashedRecords, waiting: Waiting) {
    this.#records = records;
    this.#waiting = waiting;
  }

  async upsert(id: string, payload: AdapterPayload, expiresInSeconds: number): Promise<void> {
    const idHash = idHashOf(MODEL, id);
    const seconds = expiresInSeconds + deviceCodeRememberedSeconds;
    // From here on somebody is at it, and it goes for no other.
    if (payload.inFlight) await this.#waiting.halfOpen.touch(idHash, seconds);
    else
      await admit(this.#waiting, payload, {
        idHash,
        clientId: String(payload.clientId),
        isTouched: false,
        seconds,
      });
    await this.#records.upsert(id, payload, seconds);
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
