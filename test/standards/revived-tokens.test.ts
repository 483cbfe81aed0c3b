// Threat 187: opaque tokens of a time before their service was disabled, or their API deleted, stay dead when it is
// enabled or registered again.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as client from 'openid-client';
import { registerResource } from '../harness/resource.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';

let service: TestTollgate;
let job: RegisteredApplication;
let api: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  job = await service.register({ name: 'Nightly', isService: true, redirectUris: [], balance: 0n });
  api = await service.register({ name: 'API' });
});
afterAll(() => service.stop());

function configOf({ clientId, clientSecret }: RegisteredApplication): Promise<client.Configuration> {
  const insecure = { execute: [client.allowInsecureRequests] };
  return client.discovery(new URL(service.url), clientId, clientSecret, undefined, insecure);
}

async function newToken(resource: string): Promise<string> {
  const asked = { resource, scope: 'orders:read' };
  return (await client.clientCredentialsGrant(await configOf(job), asked)).access_token;
}

const isActive = async (token: string) =>
  (await client.tokenIntrospection(await configOf(api), token)).active;

/** Marks have the resolution of a token's `iat`: what is issued in the same second counts as before. */
function untilActiveAgain(resource: string): Promise<boolean> {
  return until('a token of afterwards is active', async () => isActive(await newToken(resource)), {
    isIt: (active) => active,
    seconds: 5,
  });
}

test('a service that is disabled and enabled again', async () => {
  const resource = 'https://api.acme.test/jobs';
  const introspectingIds = [api.id];
  const described = { tokenFormat: 'opaque' as const, askingIds: [job.id], introspectingIds };
  await registerResource(service.db, { workspaceId: job.workspaceId, identifier: resource, ...described });
  const token = await newToken(resource);
  expect(await isActive(token)).toBe(true);
  const { operator } = service.tollgate;
  await operator('application disable', { application: job.id });
  expect(await isActive(token)).toBe(false);
  await operator('application enable', { application: job.id });
  expect(await isActive(token)).toBe(false);
  await untilActiveAgain(resource);
  expect(await isActive(token)).toBe(false);
});

test('an API that is deleted and registered again', async () => {
  const identifier = 'https://api.acme.test/again';
  const { operator } = service.tollgate;
  const described = { name: 'Again', scope: ['orders:read=See orders'], format: 'opaque' };
  const register = async () => {
    const chosen = { application: [job.id], introspect: [api.id] };
    const made = await operator('api create', { identifier, ...described, ...chosen });
    return String((made as { id?: unknown }).id);
  };
  const id = await register();
  const token = await newToken(identifier);
  expect(await isActive(token)).toBe(true);
  const issuedAt = Math.floor(Date.now() / 1000);
  await operator('api delete', { id });
  expect(await isActive(token)).toBe(false);
  await until('the next second', async () => Math.floor(Date.now() / 1000), {
    isIt: (second) => second > issuedAt,
    seconds: 5,
  });
  await register();
  expect(await isActive(token)).toBe(false);
  expect(await isActive(await newToken(identifier))).toBe(true);
});
