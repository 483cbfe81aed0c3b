// API keys (specification §2 "API key", §5; attacks 60, 63, 64, 68) through the API's own door.
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { apiKeys } from '../drizzle/schema.ts';
import {
  authenticateApiKey,
  createApiKey,
  isWellFormedApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../src/applications/api-key.ts';
import { transaction } from '../src/database.ts';
import { addCompany, type Company, START, startApi, type TestApi } from './harness/api.ts';
import { rawRequest } from './harness/raw-request.ts';

let api: TestApi;
let company: Company;
beforeAll(async () => {
  api = await startApi();
  company = await addCompany(api.db, 'Acme');
});
afterAll(() => api.stop());

const path = () => `/v1/applications/${company.applicationId}/customers`;
const ask = (headers: string[], search = '') => rawRequest(api.port, { path: path() + search, headers });
const bearer = (key: string) => ['Authorization', `Bearer ${key}`];

async function newKey(input: { scopes?: string[]; expiresAt?: Date } = {}) {
  return createApiKey(api.db, {
    workspaceId: company.workspaceId,
    name: 'Backend',
    scopes: ['identity:read'],
    now: START,
    ...input,
  });
}

describe('§2: an API key', () => {
  test('§2: has the shape <prefix>v1_<secret>, and a checksum that scanners can verify without asking us', async () => {
    const { key } = await newKey();
    expect(key).toMatch(/^tollgate_v1_[0-9A-Za-z]{49}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
    const changed = key.slice(0, 20) + (key[20] === 'a' ? 'b' : 'a') + key.slice(21);
    expect(isWellFormedApiKey(changed)).toBe(false);
    // The rule of docs/api.md, written a second time.
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const value = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(value).toBe(crc32(key.slice(0, -6)));
  });

  test('§2: is stored as a hash: the database and the log never hold it', async () => {
    const { id, key } = await newKey();
    expect((await ask(bearer(key))).status).toBe(200);
    const [row] = await api.db.select().from(apiKeys).where(eq(apiKeys.id, id));
    expect(JSON.stringify(row)).not.toContain(key.slice(16));
    expect(api.logLines.join('')).not.toContain(key.slice(12, 30));
  });

  test('§2: needs a name, known scopes and a future expiry', async () => {
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

  test('§5.6: expires when its time has come', async () => {
    const { key } = await newKey({ expiresAt: new Date(START.getTime() + 60_000) });
    expect((await ask(bearer(key))).status).toBe(200);
    api.clock.now = new Date(START.getTime() + 60_000);
    expect((await ask(bearer(key))).status).toBe(401);
    api.clock.now = START;
  });

  test('its last use is written at most once a minute', async () => {
    const { id, key } = await newKey();
    const lastUse = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      const [row] = await api.db.select({ at: apiKeys.lastUsedAt }).from(apiKeys).where(eq(apiKeys.id, id));
      return row?.at?.toISOString();
    };
    await ask(bearer(key));
    expect(await lastUse()).toBe('2026-11-21T10:00:00.000Z');
    api.clock.now = new Date('2026-11-21T10:00:59.000Z');
    await ask(bearer(key));
    expect(await lastUse()).toBe('2026-11-21T10:00:00.000Z');
    api.clock.now = new Date('2026-11-21T10:01:01.000Z');
    await Promise.all(Array.from({ length: 20 }, () => ask(bearer(key))));
    expect(await lastUse()).toBe('2026-11-21T10:01:01.000Z');
    api.clock.now = START;
  });
});

describe('§5.6: rotating and revoking', () => {
  test('attack 64: a revoked key is refused by the very next request', async () => {
    const { id, key } = await newKey();
    expect((await ask(bearer(key))).status).toBe(200);
    const revocation = { id, workspaceId: company.workspaceId, now: START };
    expect(await revokeApiKey(api.db, { ...revocation, workspaceId: 'ws_other' })).toBe(false);
    expect(await revokeApiKey(api.db, revocation)).toBe(true);
    expect((await ask(bearer(key))).status).toBe(401);
    expect(await revokeApiKey(api.db, revocation)).toBe(false);
  });

  test('attack 64: a rotated key works for the overlap and not a moment longer; the new one has its scopes', async () => {
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
    expect(await authenticateApiKey(api.db, key, new Date(START.getTime() + 59_000))).toBeDefined();
    expect(await authenticateApiKey(api.db, key, new Date(START.getTime() + 60_000))).toBeUndefined();
  });
});

describe('attack 60: anything but one Bearer header', () => {
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

  test.each(presentations)('attack 60: %s gets the constant 401', async (_name, present) => {
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

  test('attack 60: every kind of 401 has the same headers but its reference and date', async () => {
    const seen = new Set<string>();
    for (const [, present] of presentations) {
      const { headers, search } = present(company.key);
      const { 'x-request-id': _id, date: _date, ...rest } = (await ask(headers, search)).headers;
      seen.add(JSON.stringify(rest));
    }
    expect([...seen]).toHaveLength(1);
  });

  test('attack 60: a browser gets the same JSON', async () => {
    const answer = await ask(['Accept', 'text/html']);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.text)).toHaveProperty('error', 'invalid_token');
  });
});

test('attack 63: a key without identity:read gets 403 insufficient_scope', async () => {
  const { key } = await newKey({ scopes: [] });
  const answer = await ask(bearer(key));
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.text)).toHaveProperty('error', 'insufficient_scope');
  expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="identity:read"');
});

test('attack 68: right and wrong prefixes and first bytes take the same way: one look-up of the hash', async () => {
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
      expect(await authenticateApiKey(api.db, key, START)).toBeUndefined();
      samples.push(performance.now() - startedAt);
    }
  }
  const medians = [...times.values()].map((samples) => samples.toSorted((a, b) => a - b)[150] ?? 0);
  // A kind that skipped the look-up would take a tenth of the others.
  expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(2);
});
