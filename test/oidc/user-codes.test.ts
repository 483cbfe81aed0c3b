// Threat 188: a code that people type for a device leads to one device, on each store: while it is alive, and as long as
// it is remembered, no other device gets it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Adapter } from 'oidc-provider';
import { deviceCodeRememberedSeconds, deviceCodeSeconds } from '../../src/limits/devices.ts';
import { randomSecret } from '../../src/secrets.ts';
import {
  availableStores,
  type EngineStores,
  openEngineStores,
  type StoreKind,
} from '../harness/engine-stores.ts';

for (const kind of await availableStores()) describe(`device codes in ${kind.name}`, () => contract(kind));

function contract(kind: StoreKind) {
  let stores: EngineStores;
  let codes: Adapter;
  let now = new Date('2026-11-23T10:00:00.000Z');

  beforeAll(async () => {
    stores = await openEngineStores(kind, () => now);
    codes = stores.adapterFor('DeviceCode');
  });
  afterAll(() => stores.remove());

  const pass = async (seconds: number) => {
    now = new Date(now.getTime() + seconds * 1000);
    await stores.redis?.age(seconds * 1000);
  };
  const payloadOf = (userCode: string, more = {}) => ({
    kind: 'DeviceCode',
    clientId: 'television',
    userCode,
    params: { client_id: 'television' },
    ...more,
  });

  async function begin(userCode: string): Promise<string> {
    const id = randomSecret();
    await codes.upsert(id, payloadOf(userCode), deviceCodeSeconds);
    return id;
  }

  test('the second device that is given a code is told to ask again, and the first one keeps it', async () => {
    const first = await begin('BCDFGHJK');
    await expect(begin('BCDFGHJK')).rejects.toMatchObject({ code: 'service_unavailable' });
    const found = await codes.findByUserCode('BCDFGHJK');
    expect(await codes.find(first)).toMatchObject({ userCode: 'BCDFGHJK' });
    // By its hash alone: what somebody types there is this device's.
    await codes.upsert(String(found?.jti), payloadOf('BCDFGHJK', { inFlight: true }), deviceCodeSeconds);
    expect(await codes.find(first)).toMatchObject({ inFlight: true });
    expect(await codes.find('made up')).toBeUndefined();
  });

  test('of many devices at once one gets it', async () => {
    const began = await Promise.allSettled(Array.from({ length: 12 }, () => begin('KJHGFDCB')));
    expect(began.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('when it is over and forgotten, it may be given again', async () => {
    await begin('LMNPQRST');
    await pass(deviceCodeSeconds + deviceCodeRememberedSeconds - 10);
    await expect(begin('LMNPQRST')).rejects.toMatchObject({ code: 'service_unavailable' });
    // The refused one had claimed it for a minute.
    await pass(80);
    const second = await begin('LMNPQRST');
    expect(await codes.find(second)).toBeDefined();
  });
}
