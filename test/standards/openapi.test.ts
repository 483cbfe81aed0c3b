// The OpenAPI document says what the API does, in words that common tools can use: no pattern that only some of them
// read, no limit that the behaviour does not have. schemathesis 4.32.5 found nothing on 22 November 2026.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { addCompany, type Company, startApi, type TestApi } from '../harness/api.ts';
import { rawRequest } from '../harness/raw-request.ts';

let api: TestApi;
let company: Company;
beforeAll(async () => {
  api = await startApi();
  company = await addCompany(api.db, 'Acme');
});
afterAll(() => api.stop());

const parametersShape = z.array(z.object({ name: z.string(), schema: z.looseObject({}) }));

async function document() {
  const { text } = await rawRequest(api.port, { path: '/v1/openapi.json' });
  const { paths } = z.looseObject({ paths: z.record(z.string(), z.looseObject({})) }).parse(JSON.parse(text));
  const parameters = Object.values(paths).flatMap(({ get }) =>
    parametersShape.parse(z.looseObject({ parameters: z.unknown() }).parse(get).parameters),
  );
  return { text, parameters };
}

test('limit has no maximum in the schema, and none in the behaviour: more than 100 gives 100', async () => {
  const { parameters } = await document();
  const limits = parameters.filter(({ name }) => name === 'limit');
  expect(limits).toHaveLength(3);
  for (const { schema } of limits) expect(schema).not.toHaveProperty('maximum');
  const path = `/v1/applications/${company.applicationId}/events?limit=100000000000000000000000`;
  const { status } = await rawRequest(api.port, {
    path,
    headers: ['Authorization', `Bearer ${company.key}`],
  });
  expect(status).toBe(200);
});

test('patterns use nothing that only some languages have', async () => {
  const { text } = await document();
  const patterns = [...text.matchAll(/"pattern":"((?:[^"\\]|\\.)*)"/g)].map(([, pattern]) =>
    JSON.parse(`"${pattern}"`),
  );
  expect(patterns.length).toBeGreaterThan(2);
  expect(patterns.filter((pattern) => /\\[pP]\{|\(\?<|\\u\{/.test(pattern))).toEqual([]);
});

test('a cursor of the right shape that leads nowhere is a page that does not exist', async () => {
  const path = `/v1/applications/${company.applicationId}/events?cursor=${'a'.repeat(9)}.${'b'.repeat(43)}`;
  const { status } = await rawRequest(api.port, {
    path,
    headers: ['Authorization', `Bearer ${company.key}`],
  });
  expect(status).toBe(404);
});
