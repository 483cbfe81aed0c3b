// Threat 84 at length: `npm run webhook-endurance` runs the same with a hundred thousand events.
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { measureLatency } from './latency.ts';
import { surviveOutage } from './outage.ts';

const EVENTS = Number(process.env.ENDURANCE_EVENTS ?? 60);

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase();
}, 60_000);
afterEach(() => database.remove());

test(`threat 84: ${EVENTS} events to an endpoint that fails 30 % at random and is down for 72 hours all arrive`, async () => {
  const seed = Number(process.env.ENDURANCE_SEED ?? Date.now() % 1_000_000);
  const result = await surviveOutage({ database, events: EVENTS, seed });
  expect({ seed, ...result }).toMatchObject({
    delivered: EVENTS,
    undelivered: {},
    received: EVENTS,
    duplicates: 0,
  });
}, 240_000);

test('threat 80: an endpoint that never answers holds back nobody else', async () => {
  const options = { database, events: 40, perSecond: 20, besideDeadEndpoint: true };
  const latency = await measureLatency(options);
  expect(latency.received).toBe(40);
  // Far below the fifteen seconds that each of its attempts takes, on a busy machine as well.
  expect(latency.longestMs).toBeLessThan(5_000);
}, 120_000);
