// Promise 47: where the version stands in paths, event kinds, signatures and keys.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createApiKey } from '../../src/applications/api-key.ts';
import { transaction } from '../../src/database/connection.ts';
import { webhookTypes } from '../../src/webhooks/event-types.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';

let service: TestTollgate;

beforeAll(async () => {
  service = await startTollgate();
});

afterAll(() => service.stop());

async function newKey(): Promise<string> {
  const input = {
    workspaceId: service.workspace.id,
    name: 'Test',
    scopes: ['identity:read' as const],
    now: new Date(),
  };
  return (await transaction(service.db, (tx) => createApiKey(tx, input))).key;
}

test('the customer-data API path carries the version v1', async () => {
  const application = await service.register();
  const headers = { authorization: `Bearer ${await newKey()}` };
  const path = `/applications/${application.id}/events`;
  expect((await fetch(`${service.url}/v1${path}`, { headers })).status).toBe(200);
  expect((await fetch(`${service.url}/v2${path}`, { headers })).status).toBe(404);
});

test('webhook event kinds end in .v1', () => {
  expect([...webhookTypes].sort()).toEqual([
    'identity.login.completed.v1',
    'identity.registration.completed.v1',
  ]);
});

test('API keys carry v1_ in their prefix', async () => {
  expect(await newKey()).toMatch(/^tollgate_v1_[0-9A-Za-z]+$/);
});
