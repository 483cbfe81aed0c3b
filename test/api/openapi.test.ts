// The OpenAPI document and the readable reference (promise 33): what they promise is what
// the API does.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  customerPageSchema,
  customerSchema,
  errorSchema,
  eventPageSchema,
  eventSchema,
  webhookSchemas,
} from '../../src/api/schemas.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { addCompany, addRows, type Company, START, startApi, type TestApi } from '../harness/api.ts';
import { rawRequest } from '../harness/raw-request.ts';

const responseShape = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.looseObject({ required: z.boolean().optional() })).optional(),
  content: z.record(z.string(), z.object({ schema: z.object({ $ref: z.string() }) })).optional(),
});
const operationShape = z.object({
  operationId: z.string(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), description: z.string(), schema: z.looseObject({}) }),
  ),
  security: z.array(z.unknown()).optional(),
  responses: z.record(z.string(), responseShape),
});
const documentShape = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(z.string(), z.strictObject({ get: operationShape })),
  webhooks: z.record(z.string(), z.strictObject({ post: operationShape })),
  components: z.object({
    schemas: z.record(z.string(), z.looseObject({})),
    securitySchemes: z.record(z.string(), z.object({ type: z.literal('http'), scheme: z.literal('bearer') })),
  }),
});

let api: TestApi;
let acme: Company;
let text: string;
let document: z.infer<typeof documentShape>;
beforeAll(async () => {
  api = await startApi({ rateLimitFactor: 0.1 });
  acme = await addCompany(api.db, 'Acme');
  await addRows(api.db, acme.applicationId, [1, 2, 3, 4]);
  const answer = await rawRequest(api.port, { path: '/v1/openapi.json' });
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  text = answer.text;
  document = documentShape.parse(JSON.parse(text));
});
afterAll(() => api.stop());

describe('the OpenAPI 3.1 document', () => {
  test('has exactly the two lists, the waiting one and the two webhooks, under {api_base_url}', () => {
    expect(document.servers).toEqual([{ url: 'http://localhost:4080/v1' }]);
    expect(Object.keys(document.paths)).toEqual([
      '/applications/{applicationId}/customers',
      '/applications/{applicationId}/events',
      '/webhook-events',
    ]);
    expect(Object.keys(document.webhooks)).toEqual([
      'identity.registration.completed.v1',
      'identity.login.completed.v1',
    ]);
  });

  test('every reference in it resolves, and every component is used', () => {
    const references = new Set(text.match(/"#\/components\/schemas\/[^"]+"/g));
    const used = [...references].map((reference) => reference.slice('"#/components/schemas/'.length, -1));
    expect(used.toSorted()).toEqual(Object.keys(document.components.schemas).toSorted());
  });

  test('every list needs the API key and its scope', () => {
    expect(document.security).toEqual([{ apiKey: ['identity:read'] }]);
    expect(document.components.securitySchemes).toHaveProperty('apiKey');
    for (const { get } of Object.values(document.paths)) expect(get.security).toBeUndefined();
  });

  test('limit is an integer from 1 on, 50 by default; more than 100 gives 100', () => {
    for (const { get } of Object.values(document.paths)) {
      const limit = get.parameters.find(({ name }) => name === 'limit');
      expect(limit?.schema).toEqual(expect.objectContaining({ type: 'integer', minimum: 1, default: 50 }));
      expect(limit?.schema).not.toHaveProperty('maximum');
    }
  });

  test('a parameter of the document is a parameter of the list, and no other is', async () => {
    for (const [path, { get }] of Object.entries(document.paths)) {
      const names = get.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const url = path.replace('{applicationId}', acme.applicationId);
      const headers = ['Authorization', `Bearer ${acme.key}`];
      const answer = await rawRequest(api.port, { path: `/v1${url}?nothing=1`, headers });
      expect(JSON.parse(answer.text).error_description).toBe(
        `This list supports only these parameters: ${names.join(', ')}.`,
      );
    }
  });

  test('the examples are valid', () => {
    for (const schema of [customerSchema, eventSchema, errorSchema]) {
      const examples = Object.entries(schema.shape).map(([name, field]) => [
        name,
        z.globalRegistry.get(field)?.example,
      ]);
      schema.parse(Object.fromEntries(examples));
    }
  });

  test('a webhook example is a valid webhook body, and another type is not', () => {
    const data = {
      application_id: 'app_1',
      customer: { sub: 's', email: 'ada@example.com', email_verified: true, name: null },
      kind: 'sign_in',
      amount: '0.020000',
      currency: 'EUR',
      status: 'committed',
    };
    const body = {
      id: 'evt_1',
      type: 'identity.login.completed.v1',
      created_at: '2026-11-21T10:00:00.000Z',
      livemode: true,
      data,
    };
    expect(webhookSchemas['identity.login.completed.v1'].parse(body)).toEqual(body);
    expect(webhookSchemas['identity.registration.completed.v1'].safeParse(body).success).toBe(false);
  });
});

describe('every answer that the API gives is in the document', () => {
  const schemas = new Map<string, z.ZodObject>([
    ['#/components/schemas/CustomerPage', customerPageSchema],
    ['#/components/schemas/EventPage', eventPageSchema],
    ['#/components/schemas/Error', errorSchema],
  ]);

  test.each(['customers', 'events'])('%s: 200, 400, 401, 403, 404, 405, 429 and 503', async (list) => {
    const { responses } = Object.entries(document.paths).find(([path]) => path.endsWith(list))?.[1].get ?? {};
    const company = await addCompany(api.db, 'Other');
    await addRows(api.db, company.applicationId, [1]);
    const bare = { workspaceId: company.workspaceId, name: 'No scopes', scopes: [], now: START };
    const { key: scopeless } = await createApiKey(api.db, bare);
    const path = `/v1/applications/${company.applicationId}/${list}`;
    const headers = ['Authorization', `Bearer ${company.key}`];
    const answers = [
      await rawRequest(api.port, { path, headers }),
      await rawRequest(api.port, { path: `${path}?limit=0`, headers }),
      await rawRequest(api.port, { path }),
      await rawRequest(api.port, { path, headers: ['Authorization', `Bearer ${scopeless}`] }),
      await rawRequest(api.port, { path: `/v1/applications/${acme.applicationId}/${list}`, headers }),
      await rawRequest(api.port, { path, method: 'DELETE', headers }),
    ];
    const many = await Promise.all(Array.from({ length: 61 }, () => rawRequest(api.port, { path, headers })));
    answers.push(...many.slice(-1));
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 401, 403, 404, 405, 429]);
    expect(Object.keys(responses ?? {})).toEqual(['200', '400', '401', '403', '404', '405', '429', '503']);
    for (const { status, headers: sent, text: body } of answers) {
      const described = responses?.[String(status)];
      const schema = schemas.get(described?.content?.['application/json']?.schema.$ref ?? '');
      expect(schema?.strict().safeParse(JSON.parse(body)).error).toBeUndefined();
      for (const [name, { required }] of Object.entries(described?.headers ?? {})) {
        if (required) expect(sent).toHaveProperty(name.toLowerCase());
      }
    }
  });
});

describe('the readable reference', () => {
  test('names every parameter, field and error code, in one valid page without inline script', async () => {
    const { status, headers, text: page } = await rawRequest(api.port, { path: '/v1/docs' });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page).toMatch(/^<!doctype html><html lang="en">/);
    expect(page).not.toMatch(/<script(?! type="module" src="\/assets\/)|style=|onclick/);
    const parameters = Object.values(document.paths).flatMap(({ get }) =>
      get.parameters.map(({ name }) => name),
    );
    const fields = [customerSchema, eventSchema, errorSchema].flatMap(({ shape }) => Object.keys(shape));
    const codes = [
      'invalid_request',
      'invalid_token',
      'insufficient_scope',
      'not_found',
      'too_many_requests',
    ];
    for (const word of [...parameters, ...fields, ...codes]) expect(page).toContain(word);
  });
});
