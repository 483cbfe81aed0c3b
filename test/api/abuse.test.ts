// The customer-data API under load and abuse (threats 61, 65 and 67).
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { addCompany, addRows, type Company, startApi, type TestApi } from '../harness/api.ts';
import { rawRequest } from '../harness/raw-request.ts';
import { rounds } from '../harness/rounds.ts';

/** Several times the limit of 600. */
const FLOOD = rounds(3_000, 10_000);

const started: TestApi[] = [];
afterEach(async () => {
  for (const api of started.splice(0)) await api.stop();
});

/** For one test, which may break it. */
async function start(rateLimitFactor = 1000): Promise<{ api: TestApi; acme: Company }> {
  const made = await open(rateLimitFactor);
  started.push(made.api);
  return made;
}

async function open(rateLimitFactor = 1000): Promise<{ api: TestApi; acme: Company }> {
  const api = await startApi({ rateLimitFactor });
  const acme = await addCompany(api.db, 'Acme');
  await addRows(api.db, acme.applicationId, [1, 2, 3]);
  return { api, acme };
}
const pathOf = (company: Company) => `/v1/applications/${company.applicationId}/customers`;
const bearer = (key: string) => ['Authorization', `Bearer ${key}`];

describe('threat 61: when the keys cannot be read', () => {
  test('threat 61: an unreachable key table is 503 with Retry-After, for good and bad keys alike', async () => {
    const { api, acme } = await start();
    await api.db.execute(sql`alter table api_keys rename to api_keys_away`);
    for (const key of [acme.key, 'tollgate_v1_wrong']) {
      const answer = await rawRequest(api.port, { path: pathOf(acme), headers: bearer(key) });
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      expect(JSON.parse(answer.text)).toHaveProperty('error', 'service_unavailable');
      expect(answer.text).not.toContain('api_keys');
    }
    await api.db.execute(sql`alter table api_keys_away rename to api_keys`);
    const { status } = await rawRequest(api.port, { path: pathOf(acme), headers: bearer(acme.key) });
    expect(status).toBe(200);
  });

  test('threat 61: without any key it stays 401 while the database is away, and the document is served', async () => {
    const { api, acme } = await start();
    await api.db.execute(sql`alter table api_keys rename to api_keys_away`);
    expect((await rawRequest(api.port, { path: pathOf(acme) })).status).toBe(401);
    expect((await rawRequest(api.port, { path: '/v1/openapi.json' })).status).toBe(200);
  });

  test('a failing note of the last use fails no answer', async () => {
    const { api, acme } = await start();
    await api.db.execute(sql`alter table api_keys add constraint never_used check (last_used_at is null)`);
    for (let n = 0; n < 3; n += 1) {
      const { status } = await rawRequest(api.port, { path: pathOf(acme), headers: bearer(acme.key) });
      expect(status).toBe(200);
    }
  });
});

describe('promise 46: request limits', () => {
  test('exceeding the limit of a key gives 429 with a whole Retry-After; exactly the limit passes', async () => {
    const { api, acme } = await start(0.05);
    const other = await addCompany(api.db, 'Other');
    const ask = (company: Company) =>
      rawRequest(api.port, { path: pathOf(company), headers: bearer(company.key) });
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(acme)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(70);
    for (const { headers, text } of refused) {
      expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
      expect(JSON.parse(text)).toHaveProperty('error', 'too_many_requests');
    }
    expect((await ask(other)).status).toBe(200);
  });

  test('failed authentications are limited per address, and never shut out a valid key', async () => {
    const { api, acme } = await start(0.5);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        rawRequest(api.port, { path: pathOf(acme), headers: bearer('guess') }),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(30);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(20);
    for (const { headers } of refused) expect(headers['retry-after']).toMatch(/^[1-9]\d?$/);
    const valid = await rawRequest(api.port, { path: pathOf(acme), headers: bearer(acme.key) });
    expect(valid.status).toBe(200);
  });

  test(`threat 67: ${FLOOD} parallel lists of one company leave its neighbour undisturbed`, async () => {
    const { api, acme } = await start(1);
    const neighbour = await addCompany(api.db, 'Neighbour');
    await addRows(api.db, neighbour.applicationId, [1, 2, 3]);
    const agent = new Agent({ keepAlive: true, maxSockets: 100 });
    // A backend keeps its connection; new ones would wait for the 100 others to be accepted, one a turn.
    const kept = new Agent({ keepAlive: true, maxSockets: 1 });
    await statusOf(api.port, neighbour, kept);
    const floodStartedAt = performance.now();
    const flood = Array.from({ length: FLOOD }, () => statusOf(api.port, acme, agent));
    const waits: number[] = [];
    const neighbours: number[] = [];
    for (let n = 0; n < 50; n += 1) {
      const startedAt = performance.now();
      neighbours.push(await statusOf(api.port, neighbour, kept));
      waits.push(performance.now() - startedAt);
    }
    const statuses = await Promise.all(flood);
    const floodMilliseconds = performance.now() - floodStartedAt;
    agent.destroy();
    kept.destroy();
    // 600 a minute; a machine that needs longer than a minute for the flood starts another one.
    const passed = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    // Not all 600: on a slow machine some of a hundred at once would wait in the company's line for too long.
    expect(passed).toBeGreaterThan(0);
    expect(passed).toBeLessThanOrEqual(600 * Math.ceil(floodMilliseconds / 60_000));
    expect(statuses.filter((status) => status === 429)).toHaveLength(FLOOD - passed);
    expect(new Set(neighbours)).toEqual(new Set([200]));
    // Measured against the flood itself, and by the median, so that a slow or busy machine changes nothing: whoever had to
    // stand in the flood's line would wait there each time.
    const [median = 0] = waits.toSorted((a, b) => a - b).slice(waits.length / 2);
    expect(median).toBeLessThan(floodMilliseconds / 10);
  }, 180_000);
});

function statusOf(port: number, company: Company, agent: Agent): Promise<number> {
  const headers = { Authorization: `Bearer ${company.key}` };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: pathOf(company), headers, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

describe('threat 67: requests that are not plain GETs', () => {
  let api: TestApi;
  let acme: Company;
  beforeAll(async () => {
    ({ api, acme } = await open());
  });
  afterAll(() => api.stop());

  test('threat 67: a gzip bomb is refused unread, and the connection ends', async () => {
    const body = gzipSync(Buffer.alloc(10_000_000));
    const encoded = ['Content-Encoding', 'gzip', 'Content-Type', 'application/json'];
    const headers = [...bearer(acme.key), ...encoded, 'Content-Length', String(body.length)];
    const asked = await rawRequest(api.port, { path: pathOf(acme), headers, body });
    expect([asked.status, asked.headers.connection]).toEqual([400, 'close']);
    const posted = await rawRequest(api.port, { method: 'POST', path: pathOf(acme), headers, body });
    expect([posted.status, posted.headers.connection]).toEqual([405, 'close']);
    const chunked = [...bearer(acme.key), 'Transfer-Encoding', 'chunked'];
    const streamed = await rawRequest(api.port, { path: pathOf(acme), headers: chunked, body });
    expect(streamed.status).toBe(400);
  });

  test('threat 67: 16 kB of headers are 431', async () => {
    const headers = [...bearer(acme.key), 'X-Padding', 'x'.repeat(16 * 1024)];
    expect((await rawRequest(api.port, { path: pathOf(acme), headers })).status).toBe(431);
  });

  const smuggled = 'GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n';
  test.each([
    [
      'CL.TE',
      `Content-Length: ${smuggled.length + 5}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
    ],
    ['two lengths', `Content-Length: 0\r\nContent-Length: 5\r\n\r\n${smuggled}`],
    ['a negative length', `Content-Length: -1\r\n\r\n${smuggled}`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`],
    ['a broken chunk size', `Transfer-Encoding: chunked\r\n\r\nzz\r\n${smuggled}`],
    ['a bare line feed', `X-A: b\nContent-Length: 5\r\n\r\n${smuggled}`],
  ])('threat 67: %s gets one 400, and the hidden request is never answered', async (_name, rest) => {
    const head = `GET ${pathOf(acme)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${acme.key}\r\n`;
    const answer = await exchange(api.port, head + rest);
    expect(answer.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 400']);
    expect(answer).not.toContain('"openapi"');
    const after = await rawRequest(api.port, { path: pathOf(acme), headers: bearer(acme.key) });
    expect(after.status).toBe(200);
  });
});

/** Everything that comes back until the server closes, or for half a second. */
function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.setTimeout(500, () => socket.destroy());
  });
}
