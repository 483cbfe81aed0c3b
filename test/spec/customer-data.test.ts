// Promises 29 and 30, sentence by sentence, and what promises 31, 45 and 47 mean for the two
// lists. Every answer is parsed with the schema that the OpenAPI document is made of.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { customerPageSchema, errorSchema, eventPageSchema } from '../../src/api/schemas.ts';
import { transaction } from '../../src/database/connection.ts';
import { takeBack } from '../../src/oidc/charge/undo-charge.ts';
import {
  addApplication,
  addCompany,
  addRows,
  type Company,
  START,
  startApi,
  type TestApi,
} from '../harness/api.ts';
import { rawRequest } from '../harness/raw-request.ts';

let api: TestApi;
let acme: Company;
let rival: Company;
/** 120 customers and as many events, two at each moment. */
const NUMBERS = Array.from({ length: 120 }, (_, number) => number);

beforeAll(async () => {
  api = await startApi();
  acme = await addCompany(api.db, 'Acme');
  rival = await addCompany(api.db, 'Rival');
  await addRows(api.db, acme.applicationId, NUMBERS);
  await addRows(api.db, rival.applicationId, [1, 2, 3]);
});
afterAll(() => api.stop());

async function get(path: string, key = acme.key) {
  const answer = await fetch(`${api.url}${path}`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}
async function customersOf(query = '', company = acme) {
  const { status, body } = await get(`/applications/${company.applicationId}/customers${query}`, company.key);
  expect(status).toBe(200);
  return customerPageSchema.strict().parse(body);
}
async function eventsOf(query = '', company = acme) {
  const { status, body } = await get(`/applications/${company.applicationId}/events${query}`, company.key);
  expect(status).toBe(200);
  return eventPageSchema.strict().parse(body);
}
async function refused(path: string, status: number, error: string) {
  const answer = await get(path);
  expect([answer.status, errorSchema.strict().parse(answer.body).error]).toEqual([status, error]);
}
const tag = (number: number, company = acme) => `${company.applicationId.slice(-12)}_${number}`;
const emailOf = (number: number, company = acme) =>
  `person.${number}.${company.applicationId.slice(-12)}@example.com`;

describe('promise 29: the customers list', () => {
  test('returns customers with sub, verified email, name and activity timestamps', async () => {
    const { data } = await customersOf('?limit=1');
    expect(data).toEqual([
      {
        sub: `sub_${tag(119)}`,
        email: emailOf(119),
        email_verified: true,
        name: 'Person 119',
        registered_at: '2026-11-21T10:00:59.000Z',
        last_sign_in_at: '2026-11-21T10:00:59.000Z',
        sign_in_count: 1,
        livemode: true,
      },
    ]);
  });

  test('a customer without a name has null', async () => {
    const { data } = await customersOf(`?sub=sub_${tag(3)}`);
    expect(data).toHaveLength(1);
    expect(data[0]?.name).toBeNull();
  });

  test('limit is the number of rows: 50 when absent, at most 100', async () => {
    expect((await customersOf()).data).toHaveLength(50);
    expect((await customersOf('?limit=7')).data).toHaveLength(7);
    expect((await customersOf('?limit=100')).data).toHaveLength(100);
    expect((await customersOf('?limit=101')).data).toHaveLength(100);
    expect((await customersOf(`?limit=${'9'.repeat(400)}`)).data).toHaveLength(100);
  });

  test('newest first, and by sub within a moment', async () => {
    const { data } = await customersOf('?limit=100');
    const places = data.map(({ registered_at, sub }) => `${registered_at} ${sub}`);
    const sorted = data.toSorted((a, b) => b.registered_at.localeCompare(a.registered_at));
    expect(data.map((row) => row.registered_at)).toEqual(sorted.map((row) => row.registered_at));
    expect(new Set(places).size).toBe(100);
  });

  test('email finds exactly one customer, in any case; another company cannot find it', async () => {
    const shouted = encodeURIComponent(` ${emailOf(7).toUpperCase()} `);
    expect((await customersOf(`?email=${shouted}`)).data.map((row) => row.sub)).toEqual([`sub_${tag(7)}`]);
    expect((await customersOf(`?email=${emailOf(7)}`, rival)).data).toEqual([]);
    expect((await customersOf('?email=nobody@example.com')).data).toEqual([]);
    expect((await customersOf(`?email=${emailOf(7).slice(1)}`)).data).toEqual([]);
    expect((await customersOf('?email=%25@example.com')).data).toEqual([]);
  });

  test('created_after includes its moment and created_before excludes it, in any offset', async () => {
    const until = await customersOf('?created_before=2026-11-21T10:00:02Z');
    expect(until.data.map((row) => row.sub).sort()).toEqual([0, 1, 2, 3].map((n) => `sub_${tag(n)}`).sort());
    const from = await customersOf('?created_after=2026-11-21T11:00:59%2B01:00');
    expect(from.data.map((row) => row.sub).sort()).toEqual([118, 119].map((n) => `sub_${tag(n)}`).sort());
    const window = '?created_after=2026-11-21T10:00:02.000Z&created_before=2026-11-21T10:00:03.000Z';
    expect((await customersOf(window)).data).toHaveLength(2);
    expect((await customersOf('?created_after=2027-01-01T00:00:00Z')).data).toEqual([]);
    expect((await customersOf('?created_after=0001-01-01T00:00:00Z&limit=100')).data).toHaveLength(100);
  });
});

describe('promise 30: the events list', () => {
  test('returns events with kind, amount, currency, status and event time', async () => {
    const { data } = await eventsOf('?limit=1');
    expect(data).toEqual([
      {
        id: `evt_${tag(119)}`,
        kind: 'sign_in',
        sub: `sub_${tag(119)}`,
        amount: '0.020000',
        currency: 'EUR',
        status: 'committed',
        occurred_at: '2026-11-21T10:00:59.000Z',
        livemode: true,
      },
    ]);
  });

  test('kind and sub select; the time window is half-open', async () => {
    const registrations = await eventsOf('?kind=registration&limit=100');
    expect(registrations.data).toHaveLength(60);
    expect(new Set(registrations.data.map((row) => row.kind))).toEqual(new Set(['registration']));
    expect((await eventsOf(`?sub=sub_${tag(8)}`)).data.map((row) => row.id)).toEqual([`evt_${tag(8)}`]);
    const window = '?occurred_after=2026-11-21T10:00:02Z&occurred_before=2026-11-21T10:00:04Z';
    expect((await eventsOf(window)).data).toHaveLength(4);
    expect((await eventsOf(`${window}&kind=sign_in`)).data).toHaveLength(2);
  });

  test('an event whose charge was taken back has the status reversed, and nothing else about it changes', async () => {
    const query = `?sub=sub_${tag(10)}`;
    const before = await eventsOf(query);
    const reversal = { eventId: `evt_${tag(10)}`, reason: 'test', now: START };
    await transaction(api.db, (tx) => takeBack(tx, reversal));
    const after = await eventsOf(query);
    expect(after.data).toEqual(before.data.map((row) => ({ ...row, status: 'reversed' })));
    expect((await eventsOf(`?sub=sub_${tag(11)}`)).data[0]?.status).toBe('committed');
  });

  test('an application without events has an empty list, not an error', async () => {
    const applicationId = await addApplication(api.db, acme.workspaceId);
    for (const list of ['customers', 'events']) {
      const { status, body } = await get(`/applications/${applicationId}/${list}`);
      expect([status, body]).toEqual([200, { data: [], has_more: false, next_cursor: null }]);
    }
  });
});

describe('promise 45: errors', () => {
  const wrong = [
    [
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=10abc',
      'limit=',
      'limit',
      'limit=%D9%A3',
      'limit=1e2',
      'limit=0x10',
    ],
    [
      'limit=%2B5',
      'limit=5&limit=5',
      'limit=5&limit=6',
      'limit=%205',
      'limit=NaN',
      'limit=null',
      'limit[]=5',
    ],
    [
      'cursor=',
      'cursor=abc',
      'cursor=a.b',
      'cursor=a.b.c',
      'cursor=.',
      'cursor=%00',
      `cursor=${'a'.repeat(4000)}`,
    ],
    ['sub=', 'sub=a%00b', 'sub=a&sub=b', `sub=${'a'.repeat(256)}`, 'sub=%F0%9F%98%80'],
    ['Limit=5', 'page=2', 'offset=10', 'foo', '__proto__=1', 'constructor=1', 'toString=1', 'limit=5&x'],
  ].flat();
  const moments = [
    ['', '2026-11-21', '2026-11-21T10:00:00', '2026-11-21T10:00Z', '2026-11-21T10:00:00+02:00', '1795253400'],
    [
      '2026-02-30T10:00:00Z',
      '2026-13-01T10:00:00Z',
      '2026-11-21T25:00:00Z',
      '2026-11-21 10:00:00Z',
      'yesterday',
    ],
    [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00%2B01:00',
      '9999-12-31T23:59:59-01:00',
      '+10000-01-01T00:00:00Z',
    ],
  ].flat();
  const cases = {
    customers: ['email=', 'email=a', 'email=a%00@b.c', 'email=a@b.c&email=a@b.c', 'kind=sign_in'],
    events: ['kind=', 'kind=login', 'kind=REGISTRATION', 'kind=sign_in&kind=sign_in', 'email=a@b.c'],
  };
  for (const list of ['customers', 'events'] as const) {
    const times =
      list === 'customers' ? ['created_after', 'created_before'] : ['occurred_after', 'occurred_before'];
    const queries = [
      ...wrong,
      ...cases[list],
      ...times.flatMap((name) => moments.map((at) => `${name}=${at}`)),
    ];
    test.each(queries)(`threat 65: ${list}?%s is 400 invalid_request`, async (query) => {
      await refused(`/applications/${acme.applicationId}/${list}?${query}`, 400, 'invalid_request');
    });
  }

  test("threat 62: another company's, a deleted and an unknown application are the same 404", async () => {
    const deleted = await addApplication(api.db, acme.workspaceId);
    await api.db.update(applications).set({ deletedAt: START }).where(eq(applications.id, deleted));
    const seen = new Set<string>();
    const ids = [
      rival.applicationId,
      deleted,
      'app_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
      'x',
      '%00',
      '..%2F',
      "'--",
      '%zz',
    ];
    for (const id of ids) {
      for (const list of ['customers', 'events']) {
        const path = `/v1/applications/${id}/${list}?limit=1`;
        const headers = ['Authorization', `Bearer ${acme.key}`];
        const answer = await rawRequest(api.port, { path, headers });
        const { 'x-request-id': _id, date: _date, ...rest } = answer.headers;
        seen.add(JSON.stringify([answer.status, answer.text, rest]));
      }
    }
    expect([...seen]).toHaveLength(1);
    expect([...seen][0]).toMatch(/^\[404,/);
  });

  test('threat 62: what is wrong with a query is not told about an application of others', async () => {
    await refused(`/applications/${rival.applicationId}/customers?limit=0`, 404, 'not_found');
  });

  test('threat 63: other paths are 404', async () => {
    const own = `/applications/${acme.applicationId}`;
    const others = ['', '/', own, `${own}/`, `${own}/customers/`, `${own}/customers/x`, `${own}/Customers`];
    for (const path of [
      ...others,
      '/applications',
      '/applications//customers',
      '/openapi.yaml',
      '/docs/',
      '/%2e%2e/',
    ]) {
      await refused(path, 404, 'not_found');
    }
  });

  test('threat 63: write methods are 405 and say what is allowed', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND', 'QUERY']) {
      for (const path of [
        `/v1/applications/${acme.applicationId}/customers`,
        '/v1/openapi.json',
        '/v1/docs',
      ]) {
        const headers = ['Authorization', `Bearer ${acme.key}`, 'Content-Length', '0'];
        const answer = await rawRequest(api.port, { method, path, headers });
        expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD, OPTIONS']);
        expect(JSON.parse(answer.text)).toHaveProperty('error', 'method_not_allowed');
      }
    }
  });

  test('HEAD says what GET would, OPTIONS what may be asked; there is no CORS', async () => {
    const path = `/v1/applications/${acme.applicationId}/customers`;
    const headers = ['Authorization', `Bearer ${acme.key}`, 'Origin', 'https://evil.example'];
    const head = await rawRequest(api.port, { method: 'HEAD', path, headers });
    const full = await rawRequest(api.port, { path, headers });
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(full.text)),
    ]);
    const preflight = ['Origin', 'https://evil.example', 'Access-Control-Request-Method', 'GET'];
    const options = await rawRequest(api.port, { method: 'OPTIONS', path, headers: preflight });
    expect([options.status, options.text, options.headers.allow]).toEqual([204, '', 'GET, HEAD, OPTIONS']);
    for (const answer of [head, full, options]) {
      const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control'));
      expect(names).toEqual([]);
    }
  });

  test('every answer is private, typed and has a reference', async () => {
    const { headers } = await get(`/applications/${acme.applicationId}/customers`);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/^req_/);
  });
});

describe('promise 47: versioning', () => {
  test('the path of the API carries the version v1', async () => {
    expect(new URL(api.url).pathname).toBe('/v1');
    await refused('/../v2/applications', 404, 'not_found');
  });

  test('{api_base_url} may be an address of its own: it answers there and takes nothing else over', async () => {
    const own = await startApi({ apiBaseUrl: 'https://api.example.com' });
    const company = await addCompany(own.db, 'Own');
    const headers = ['Authorization', `Bearer ${company.key}`];
    const statusOf = async (path: string) => (await rawRequest(own.port, { path, headers })).status;
    expect(await statusOf(`/applications/${company.applicationId}/events`)).toBe(200);
    expect(await statusOf(`/v1/applications/${company.applicationId}/events`)).toBe(404);
    const elsewhere = await rawRequest(own.port, { path: '/oauth/token', method: 'POST' });
    expect([elsewhere.status, JSON.parse(elsewhere.text).error_description]).toEqual([
      404,
      'There is nothing at this address.',
    ]);
    const document = JSON.parse((await rawRequest(own.port, { path: '/openapi.json' })).text);
    expect(document.servers).toEqual([{ url: 'https://api.example.com' }]);
    await own.stop();
  });
});
