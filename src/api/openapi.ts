// The OpenAPI 3.1 document of the customer-data API and its webhooks, made from the schemas that parse the requests and
// shape the answers.
import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { rateLimits } from '../limits/request-rates.ts';
import { webhookTimeoutMilliseconds } from '../limits/webhooks.ts';
import { customersQuerySchema, eventsQuerySchema, webhookEventsQuerySchema } from './query.ts';
import { samplesOf } from './samples.ts';
import {
  customerPageSchema,
  errorSchema,
  eventPageSchema,
  webhookEventPageSchema,
  webhookSchemas,
} from './schemas.ts';

export type ApiDocument = ReturnType<typeof createDocument>;

export function createApiDocument(apiBaseUrl: string): ApiDocument {
  return createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Tollgate customer-data API', version: '1.0.0', description: ABOUT },
      servers: [{ url: apiBaseUrl }],
      security: [{ apiKey: ['identity:read'] }],
      components: { securitySchemes: { apiKey: API_KEY } },
      paths: {
        '/applications/{applicationId}/customers': {
          get: listOperation({
            apiBaseUrl,
            pathTemplate: '/applications/{applicationId}/customers',
            sampleQuery: { limit: '10' },
            operationId: 'listCustomers',
            summary: 'List the customers of an application',
            description: 'Sorted by `registered_at`, then `sub`; newest first.',
            path: z.object({ applicationId }),
            query: customersQuerySchema,
            page: customerPageSchema,
          }),
        },
        '/applications/{applicationId}/events': {
          get: listOperation({
            apiBaseUrl,
            pathTemplate: '/applications/{applicationId}/events',
            sampleQuery: { order: 'committed', limit: '100' },
            operationId: 'listEvents',
            summary: 'List the registrations and sign-ins of an application',
            description:
              'Sorted by `occurred_at`, then `id`; newest first. With `order=committed`, as they became visible.',
            path: z.object({ applicationId }),
            query: eventsQuerySchema,
            page: eventPageSchema,
          }),
        },
        '/webhook-events': {
          get: listOperation({
            apiBaseUrl,
            pathTemplate: '/webhook-events',
            sampleQuery: { cursor: 'latest' },
            operationId: 'waitForWebhookEvents',
            summary: 'Wait for the events of all applications, as webhooks tell of them',
            description:
              'For a machine that no webhook can reach; `tollgate listen` asks it. Begin with `cursor=latest`, then ask again with each `next_cursor` and `wait=20`: the answer comes with the first event, or empty when the time is over. An event comes about a second after its webhook.',
            query: webhookEventsQuerySchema,
            page: webhookEventPageSchema,
          }),
        },
      },
      webhooks: Object.fromEntries(
        Object.entries(webhookSchemas).map(([type, schema]) => [
          type,
          { post: webhookOperation(type, schema) },
        ]),
      ),
    },
    // Fields may be added within v1: nobody should generate a client that refuses unknown ones.
    {
      override: ({ jsonSchema }) => {
        if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
        // The format says it; zod's expression for it is half a screen long.
        if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      },
    },
  );
}

const ABOUT = [
  'Reads the customers and the usage events of the applications in your workspace.',
  'Lists are newest first; follow `next_cursor` until `has_more` is false. Unknown or repeated query parameters are refused.',
  'Within v1, fields and parameters may be added. None is removed, renamed or given another meaning.',
  'The key belongs on a server: there is no CORS.',
].join('\n\n');

const API_KEY = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'tollgate_v1_<secret>',
  description:
    'An API key of the workspace with the scope `identity:read`, in one `Authorization: Bearer` header.',
} as const;

type ListDescription = {
  /** Where the samples ask. */
  apiBaseUrl: string;
  pathTemplate: string;
  sampleQuery: Record<string, string>;
  operationId: string;
  summary: string;
  description: string;
  path?: z.ZodObject;
  query: z.ZodObject;
  page: z.ZodObject;
};

function listOperation({
  apiBaseUrl,
  pathTemplate,
  sampleQuery,
  path,
  query,
  page,
  ...words
}: ListDescription): ZodOpenApiOperationObject {
  return {
    ...words,
    // Where Redoc and its like look for them.
    'x-codeSamples': samplesOf({ apiBaseUrl, path: pathTemplate, query: sampleQuery }),
    requestParams: { ...(path && { path }), query },
    responses: {
      '200': {
        description: 'One page.',
        headers: z.object({ 'X-Request-Id': requestId }),
        content: { 'application/json': { schema: page } },
      },
      ...failures(),
    },
  };
}

const applicationId = z.string().meta({
  description: 'The `applicationId` of one of your applications.',
  example: 'app_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
});
const requestId = z.string().meta({
  description: 'Reference of this request; include it when you contact support.',
  example: 'req_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
});
const retryAfter = z
  .int()
  .min(1)
  .meta({ description: 'Seconds to wait, then retry with jittered backoff.', example: 12 });
const wwwAuthenticate = z
  .string()
  .meta({ description: 'The scheme to use, and what was missing.', example: 'Bearer' });

function failures(): ZodOpenApiResponsesObject {
  const perMinute = rateLimits.api_requests.count;
  return {
    '400': failure('A parameter is unknown, repeated, empty or malformed.', {
      error: 'invalid_request',
      error_description: '"limit" must be a whole number of at least 1.',
    }),
    '401': failure(
      'No valid API key. The response does not say why.',
      {
        error: 'invalid_token',
        error_description: 'Send a valid API key in one "Authorization: Bearer" header.',
      },
      { 'WWW-Authenticate': wwwAuthenticate },
    ),
    '403': failure(
      'The key lacks the scope `identity:read`.',
      {
        error: 'insufficient_scope',
        error_description: 'This needs an API key with the scope identity:read.',
      },
      { 'WWW-Authenticate': wwwAuthenticate },
    ),
    '404': failure(
      "Unknown or deleted, or another workspace's: these are not told apart. Or no page with this cursor.",
      { error: 'not_found', error_description: 'This API key cannot read anything here.' },
    ),
    '405': failure(
      'Only GET, HEAD and OPTIONS are supported.',
      {
        error: 'method_not_allowed',
        error_description: 'This address only answers GET, HEAD, OPTIONS.',
      },
      { Allow: z.string().meta({ example: 'GET, HEAD, OPTIONS' }) },
    ),
    '429': failure(
      `More than ${perMinute} requests per minute with one key, or more at once than the company's share.`,
      {
        error: 'too_many_requests',
        error_description: 'Too many requests. Wait before you try again.',
      },
      { 'Retry-After': retryAfter },
    ),
    '503': failure(
      'Busy or restarting; nothing was done.',
      {
        error: 'service_unavailable',
        error_description: 'The service is busy or restarting. Try again shortly.',
      },
      { 'Retry-After': retryAfter },
    ),
  };
}

type Refusal = z.output<typeof errorSchema>;

function failure(description: string, example: Refusal, headers: Record<string, z.ZodType> = {}) {
  const content = { 'application/json': { schema: errorSchema, example } };
  return { description, headers: z.object({ ...headers, 'X-Request-Id': requestId }), content };
}

const webhookHeaders = z.object({
  'x-service-webhook-timestamp': z.string().meta({
    description: 'Unix time in seconds. Refuse a request that is more than 300 s away from your clock.',
    example: '1795253400',
  }),
  'x-service-webhook-signature': z.string().meta({
    description:
      '`v1=` and the lower-case hex HMAC-SHA256 of `<timestamp>.<raw body>` with the signing secret.',
    example: `v1=${'0123456789abcdef'.repeat(4)}`,
  }),
  'x-service-webhook-id': z.string().meta({ description: 'The `id` in the body.' }),
});

function webhookOperation(type: string, schema: z.ZodObject): ZodOpenApiOperationObject {
  return {
    operationId: type,
    summary: `Receive ${type}`,
    description:
      'At least once and in any order: deduplicate by `id`, and answer 2xx only after you have saved it.',
    security: [],
    requestParams: { header: webhookHeaders },
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: `Saved. Answer within ${webhookTimeoutMilliseconds / 1000} s.` },
      '410': { description: 'Gone: the subscription is disabled and nothing is sent any more.' },
      default: { description: 'Anything else is a failure and is retried.' },
    },
  };
}
