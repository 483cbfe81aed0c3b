// API keys (threats 60, 63, 64, 68) through the API's own door.
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { apiKeys } from '../../drizzle/schema/workspaces.ts';
import { createApiKey, revokeApiKey, rotateApiKey } from '../../src/applications/api-key.ts';
import { createApiKeyReader } from '../../src/applications/api-key-check.ts';
import { lookUpsOf, transaction } from '../../src/database/connection.ts';
import { TollgateError } from '../../src/errors.ts';
import { addApplication, addCompany, type Company, START, startApi, type TestApi } from '../harness/api.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { until } from '../harness/until.ts';

let api: TestApi;
let company: Company;
beforeAll(async () => {
  api = await startApi();
  company = await addCompany(api.db, 'Acme');
});
afterAll(() => api.stop());

const path = () => `/v1/applications/${company.applicationId}/customers`;
const ask = (headers: string[], search = '') => rawRequest(api.port, { path: path() + search, headers });
const valid = (key: string, now: Date) => createApiKeyReader({ lookUps: api.db, clock: () => now })(key);
const bearer = (key: string) => ['Authorization', `Bearer ${key}`];

async function newKey(input: { scopes?: string[]; expiresAt?: Date; applicationIds?: string[] } = {}) {
  return createApiKey(api.db, {
    workspaceId: company.workspaceId,
    name: 'Backend',
    scopes: ['identity:read'],
    now: START,
    ...input,
  });
}

describe('promise 32: an API key', () => {
  test('has the shape <prefix>v1_<secret>, and a checksum that scanners can verify without asking us', async () => {
    const { key } = await newKey();
    expect(key).toMatch(/^tollgate_v1_[0-9A-Za-z]{49}$/);
    // The rule of docs/api.md, as a scanner would follow it.
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
    const changed = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    expect(value).not.toBe(crc32(changed.slice(0, -6)));
  });

  test('is stored as a hash: the database and the log never hold it', async () => {
    const { id, key } = await newKey();
    expect((await ask(bearer(key))).status).toBe(200);
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(JSON.stringify(row)).not.toContain(key.slice(16));
    expect(api.logLines.join('')).not.toContain(key.slice(12, 30));
  });

  test('needs a name, known scopes and a future expiry', async () => {
    const valid = { workspaceId: company.workspaceId, name: 'x', scopes: ['identity:read'], now: START };
    for (const wrong of [
      { name: ' ' },
      { name: 'x'.repeat(101) },
      { scopes: ['identity:write'] },
      { expiresAt: START },
    ]) {
      await expect(createApiKey(api.db, { ...valid, ...wrong })).rejects.toMatchObject({
        code: 'invalid_request',
      });
    }
  });

  test('expires when its time has come', async () => {
    const { key } = await newKey({ expiresAt: new Date(START.getTime() + 60_000) });
    expect((await ask(bearer(key))).status).toBe(200);
    api.clock.now = new Date(START.getTime() + 60_000);
    expect((await ask(bearer(key))).status).toBe(401);
    api.clock.now = START;
  });

  test('its last use is written at most once a minute', async () => {
    const { id, key } = await newKey();
    const lastUse = async () => {
      const [row] = await api.db.select({ at: apiKeys.lastUsedAt }).from(apiKeys).where(eq(apiKeys.id, id));
      return row?.at?.toISOString();
    };
    const isWritten = (time: string) => until('its use is written', lastUse, { isIt: (at) => at === time });
    await ask(bearer(key));
    await isWritten('2026-11-21T10:00:00.000Z');
    const [used] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(used?.lastUsedIpAddress).toBe('127.0.0.1');
    api.clock.now = new Date('2026-11-21T10:00:59.000Z');
    await ask(bearer(key));
    // Long enough for what must not happen.
    await sleep(50);
    expect(await lastUse()).toBe('2026-11-21T10:00:00.000Z');
    api.clock.now = new Date('2026-11-21T10:01:01.000Z');
    await Promise.all(Array.from({ length: 20 }, () => ask(bearer(key))));
    await isWritten('2026-11-21T10:01:01.000Z');
    api.clock.now = START;
  });
});

describe('promise 32: a key for chosen applications', () => {
  test('reads those, and every other one answers exactly as one that never existed (threat 62)', async () => {
    const other = await addApplication(api.db, company.workspaceId);
    const stranger = await addCompany(api.db, 'Umbrella');
    const { key } = await newKey({ applicationIds: [other] });
    const read = (applicationId: string) =>
      rawRequest(api.port, { path: `/v1/applications/${applicationId}/customers`, headers: bearer(key) });
    expect((await read(other)).status).toBe(200);
    const answers = await Promise.all(
      [company.applicationId, stranger.applicationId, 'app_0197f3c1e0d47a52b1c3d4e5f6a7b8c9'].map(read),
    );
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  });

  test('cannot be made for another company’s application, a deleted or a made-up one, or for none', async () => {
    const stranger = await addCompany(api.db, 'Globex');
    const deleted = await addApplication(api.db, company.workspaceId);
    await api.db.update(applications).set({ deletedAt: START }).where(eq(applications.id, deleted));
    const refusals = [[stranger.applicationId], [deleted], ['app_1'], []].map((applicationIds) =>
      newKey({ applicationIds }).then(
        () => 'made',
        (error: unknown) => error,
      ),
    );
    const sentences = (await Promise.all(refusals)).map((error) =>
      error instanceof TollgateError ? `${error.code}: ${error.description}` : error,
    );
    expect(sentences.slice(0, 3)).toEqual(
      Array.from({ length: 3 }, () => 'invalid_request: Choose among the applications of this workspace.'),
    );
    expect(sentences[3]).toBe('invalid_request: Choose at least one application, or all of them.');
  });

  test('keeps its applications when it is rotated', async () => {
    const other = await addApplication(api.db, company.workspaceId);
    const { id } = await newKey({ applicationIds: [other] });
    const rotation = { id, workspaceId: company.workspaceId, overlapSeconds: 0, now: START };
    const next = await transaction(api.db, (tx) => rotateApiKey(tx, rotation));
    expect((await ask(bearer(next.key))).status).toBe(404);
    expect(await valid(next.key, START)).toMatchObject({ applicationIds: [other] });
  });
});

describe('promise 32: rotating and revoking', () => {
  test('threat 64: revoked in one process, refused by the next request at another', async () => {
    const elsewhere = await startApi({ database: api.database });
    const askElsewhere = (key: string) => rawRequest(elsewhere.port, { path: path(), headers: bearer(key) });
    const { id, key } = await newKey();
    const { id: rotated, key: old } = await newKey();
    expect((await askElsewhere(key)).status).toBe(200);
    expect((await askElsewhere(old)).status).toBe(200);
    const workspaceId = company.workspaceId;
    await revokeApiKey(api.db, { id, workspaceId, now: START });
    const { key: next } = await transaction(api.db, (tx) =>
      rotateApiKey(tx, { id: rotated, workspaceId, overlapSeconds: 0, now: START }),
    );
    expect((await askElsewhere(key)).status).toBe(401);
    expect((await askElsewhere(old)).status).toBe(401);
    expect((await askElsewhere(next)).status).toBe(200);
    await elsewhere.close();
  });

  test('threat 64: a revoked key is refused by the very next request', async () => {
    const { id, key } = await newKey();
    expect((await ask(bearer(key))).status).toBe(200);
    const revocation = { id, workspaceId: company.workspaceId, now: START };
    expect(await revokeApiKey(api.db, { ...revocation, workspaceId: 'ws_other' })).toBe(false);
    expect(await revokeApiKey(api.db, revocation)).toBe(true);
    expect((await ask(bearer(key))).status).toBe(401);
    expect(await revokeApiKey(api.db, revocation)).toBe(false);
  });

  test('threat 64: a rotated key works for the overlap and not a moment longer; the new one has its scopes', async () => {
    const { id, key } = await newKey();
    const rotation = { id, workspaceId: company.workspaceId, overlapSeconds: 3600, now: START };
    const next = await transaction(api.db, (tx) => rotateApiKey(tx, rotation));
    expect((await ask(bearer(key))).status).toBe(200);
    expect((await ask(bearer(next.key))).status).toBe(200);
    api.clock.now = new Date(START.getTime() + 3_600_000);
    expect((await ask(bearer(key))).status).toBe(401);
    expect((await ask(bearer(next.key))).status).toBe(200);
    api.clock.now = START;
  });

  test('rotating without overlap ends the old key at once; an ended or foreign key cannot be rotated', async () => {
    const { id, key } = await newKey();
    const rotation = { id, workspaceId: company.workspaceId, overlapSeconds: 0, now: START };
    const foreign = transaction(api.db, (tx) => rotateApiKey(tx, { ...rotation, workspaceId: 'ws_other' }));
    await expect(foreign).rejects.toMatchObject({ code: 'not_found' });
    await transaction(api.db, (tx) => rotateApiKey(tx, rotation));
    expect((await ask(bearer(key))).status).toBe(401);
    const again = transaction(api.db, (tx) => rotateApiKey(tx, rotation));
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
  });

  test('a rotation never lengthens the life of the old key', async () => {
    const { id, key } = await newKey({ expiresAt: new Date(START.getTime() + 60_000) });
    const rotation = { id, workspaceId: company.workspaceId, overlapSeconds: 3600, now: START };
    await transaction(api.db, (tx) => rotateApiKey(tx, rotation));
    expect(await valid(key, new Date(START.getTime() + 59_000))).toBeDefined();
    expect(await valid(key, new Date(START.getTime() + 60_000))).toBeUndefined();
  });
});

describe('threat 60: anything but one Bearer header', () => {
  const presentations: [string, (key: string) => { headers: string[]; search?: string }][] = [
    ['no key', () => ({ headers: [] })],
    ['a wrong prefix', (key) => ({ headers: bearer(key.replace('tollgate', 'turnpike')) })],
    ['v2_ instead of v1_', (key) => ({ headers: bearer(key.replace('v1_', 'v2_')) })],
    ['a truncated key', (key) => ({ headers: bearer(key.slice(0, -1)) })],
    ['a lengthened key', (key) => ({ headers: bearer(`${key}0`) })],
    ['an upper-cased key', (key) => ({ headers: bearer(key.toUpperCase()) })],
    ['a key in the query', (key) => ({ headers: [], search: `?access_token=${key}&api_key=${key}` })],
    ['a key in a cookie', (key) => ({ headers: ['Cookie', `api_key=${key}; Authorization=Bearer ${key}`] })],
    [
      'Basic',
      (key) => ({ headers: ['Authorization', `Basic ${Buffer.from(`${key}:`).toString('base64')}`] }),
    ],
    ['two equal headers', (key) => ({ headers: [...bearer(key), ...bearer(key)] })],
    ['a good and a bad header', (key) => ({ headers: [...bearer(key), ...bearer('x')] })],
    ['a bad and a good header', (key) => ({ headers: [...bearer('x'), ...bearer(key)] })],
    ['two keys in one header', (key) => ({ headers: ['Authorization', `Bearer ${key}, Bearer ${key}`] })],
    ['two keys after one scheme', (key) => ({ headers: ['Authorization', `Bearer ${key} ${key}`] })],
    ['the bare key', (key) => ({ headers: ['Authorization', key] })],
    ['the scheme alone', () => ({ headers: ['Authorization', 'Bearer'] })],
    ['two spaces', (key) => ({ headers: ['Authorization', `Bearer  ${key}`] })],
    ['quotes', (key) => ({ headers: ['Authorization', `Bearer "${key}"`] })],
    ['text beyond ASCII', () => ({ headers: ['Authorization', 'Bearer schlüssel'] })],
    ['10,000 characters', () => ({ headers: bearer('a'.repeat(10_000)) })],
    ['the hash of the key', () => ({ headers: bearer('x'.repeat(43)) })],
    ['another header', (key) => ({ headers: ['X-Api-Key', key, 'Proxy-Authorization', `Bearer ${key}`] })],
  ];

  test.each(presentations)('threat 60: %s gets the constant 401', async (_name, present) => {
    const { headers, search } = present(company.key);
    const answer = await ask(headers, search);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toBe(
      '{"error":"invalid_token","error_description":"Send a valid API key in one \\"Authorization: Bearer\\" header."}',
    );
  });

  test('threat 60: every kind of 401 has the same headers but its reference and date', async () => {
    const seen = new Set<string>();
    for (const [, present] of presentations) {
      const { headers, search } = present(company.key);
      const { 'x-request-id': _id, date: _date, ...rest } = (await ask(headers, search)).headers;
      seen.add(JSON.stringify(rest));
    }
    expect([...seen]).toHaveLength(1);
  });

  test('threat 60: a browser gets the same JSON', async () => {
    const answer = await ask(['Accept', 'text/html']);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toHaveProperty('error', 'invalid_token');
  });
});

test('threat 63: a key without identity:read gets 403 insufficient_scope', async () => {
  const { key } = await newKey({ scopes: [] });
  const answer = await ask(bearer(key));
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.text)).toHaveProperty('error', 'insufficient_scope');
  expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="identity:read"');
});

test('threat 60: keys that are presented at one moment share a look-up and are still told apart', async () => {
  const neighbour = await addCompany(api.db, 'Neighbour');
  const [own, expired] = [await newKey(), await newKey({ expiresAt: new Date(START.getTime() + 1) })];
  const revoked = await newKey();
  await revokeApiKey(api.db, { id: revoked.id, workspaceId: company.workspaceId, now: START });
  const later = new Date(START.getTime() + 1);
  const read = createApiKeyReader({ lookUps: lookUpsOf(api.connection), clock: () => later });
  const presented = [own.key, neighbour.key, 'nothing', expired.key, revoked.key, own.key, 'x'.repeat(300)];
  const found = await Promise.all(presented.map(read));
  expect(found.map((key) => key?.id)).toEqual([
    own.id,
    neighbour.keyId,
    undefined,
    undefined,
    undefined,
    own.id,
    undefined,
  ]);
  expect(found[1]?.workspaceId).toBe(neighbour.workspaceId);
});

test('threat 68: right and wrong prefixes and first bytes take the same way: one look-up of the hash', async () => {
  const wrong = [
    `tollgate_v1_${'x'.repeat(49)}`,
    `nothing_at_all`,
    `${company.key.slice(0, -4)}zzzz`,
    company.key.slice(0, 30),
  ];
  const times = new Map(wrong.map((key) => [key, [] as number[]]));
  for (let round = 0; round < 300; round += 1) {
    for (const [key, samples] of times) {
      const startedAt = performance.now();
      expect(await valid(key, START)).toBeUndefined();
      samples.push(performance.now() - startedAt);
    }
  }
  const medians = [...times.values()].map((samples) => samples.toSorted((a, b) => a - b)[150] ?? 0);
  // A kind that skipped the look-up would take a tenth of the others.
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(4);
});
