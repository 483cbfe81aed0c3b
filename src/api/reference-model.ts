// The OpenAPI document as the reference shows it: each call and each webhook with its parameters, fields, examples and
// answers. Everything comes from the document, so that the page cannot say anything else than it.
import { z } from 'zod';
import type { ApiDocument } from './openapi.ts';
import type { Sample } from './samples.ts';

/** A parameter, a header, or a field of an answer: `data[].email`. */
export type Field = {
  name: string;
  type: string;
  description: string;
  isRequired: boolean;
  example: string | undefined;
  /** When it is absent. */
  fallback: string | undefined;
};
export type Answer = {
  status: string;
  description: string;
  code: string | undefined;
  body: string | undefined;
  headers: Field[];
};
export type Operation = {
  /** Its anchor. */
  id: string;
  title: string;
  /** `GET /webhook-events`; of a webhook, `POST` to the subscriber. */
  request: string;
  description: string;
  parameters: { place: 'path' | 'query' | 'header'; fields: Field[] }[];
  /** What is sent to a subscriber, or answered to a call. */
  fields: Field[];
  exampleBody: string;
  samples: Sample[];
  answers: Answer[];
};
export type Reference = { calls: Operation[]; webhooks: Operation[] };

const schemaShape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  description: z.string().optional(),
  example: z.unknown().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
  required: z.array(z.string()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  items: z.unknown().optional(),
  oneOf: z.array(z.unknown()).optional(),
});
type Schema = z.output<typeof schemaShape>;
const contentShape = z.object({
  'application/json': z.object({ schema: schemaShape, example: z.unknown().optional() }),
});
const operationShape = z.object({
  operationId: z.string(),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(
    z.object({
      in: z.enum(['path', 'query', 'header']),
      name: z.string(),
      required: z.boolean().optional(),
      description: z.string(),
      schema: schemaShape,
    }),
  ),
  requestBody: z.object({ content: contentShape }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      headers: z
        .record(z.string(), z.object({ required: z.boolean().optional(), schema: schemaShape }))
        .optional(),
      content: contentShape.optional(),
    }),
  ),
  'x-codeSamples': z.array(z.object({ lang: z.string(), label: z.string(), source: z.string() })).optional(),
});
const documentShape = z.object({
  paths: z.record(z.string(), z.object({ get: operationShape })),
  webhooks: z.record(z.string(), z.object({ post: operationShape })),
  components: z.object({ schemas: z.record(z.string(), schemaShape) }),
});

export function readReference(document: ApiDocument): Reference {
  const { paths, webhooks, components } = documentShape.parse(JSON.parse(JSON.stringify(document)));
  const read = (operation: z.output<typeof operationShape>, request: string) =>
    operationOf(operation, request, schemaReader(components.schemas));
  return {
    calls: Object.entries(paths).map(([path, { get }]) => read(get, `GET ${path}`)),
    webhooks: Object.entries(webhooks).map(([type, { post }]) => read(post, type)),
  };
}

type SchemaReader = ReturnType<typeof schemaReader>;

function operationOf(
  operation: z.output<typeof operationShape>,
  request: string,
  { exampleOf, fieldsOf, fieldOf }: SchemaReader,
): Operation {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const content = requestBody?.content ?? responses['200']?.content;
  const schema = content?.['application/json'].schema ?? {};
  const places = (['path', 'query', 'header'] as const).map((place) => ({
    place,
    fields: parameters
      .filter((parameter) => parameter.in === place)
      .map((parameter) => ({
        ...fieldOf(parameter.name, parameter.schema, parameter.required === true),
        description: parameter.description,
      })),
  }));
  return {
    id: operationId.replaceAll('.', '-'),
    title: summary,
    request,
    description,
    parameters: places.filter(({ fields }) => fields.length > 0),
    fields: fieldsOf(schema, ''),
    exampleBody: JSON.stringify(exampleOf(schema), null, 2),
    samples: operation['x-codeSamples'] ?? [],
    answers: Object.entries(responses).map(([status, answer]) => {
      const { example, schema: answered } = answer.content?.['application/json'] ?? {};
      const code = z.object({ error: z.string() }).safeParse(example).data?.error;
      const body = example ?? (answered && exampleOf(answered));
      const headers = Object.entries(answer.headers ?? {}).map(([name, header]) =>
        fieldOf(name, header.schema, header.required === true),
      );
      return {
        status,
        description: answer.description,
        code,
        body: body === undefined ? undefined : JSON.stringify(body, null, 2),
        headers,
      };
    }),
  };
}

function schemaReader(components: Record<string, Schema>) {
  function resolve(given: unknown): Schema {
    const schema = schemaShape.parse(given);
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (components[name] ?? schema);
  }

  function exampleOf(given: unknown): unknown {
    const schema = resolve(given);
    if (schema.example !== undefined) return schema.example;
    if (schema.const !== undefined) return schema.const;
    // What was there last: a returning sign-in is the usual event.
    if (schema.oneOf) return exampleOf(schema.oneOf.at(-1));
    if (schema.items !== undefined) return [exampleOf(schema.items)];
    if (schema.properties) {
      const required = Object.entries(schema.properties).filter(([name]) => schema.required?.includes(name));
      return Object.fromEntries(required.map(([name, property]) => [name, exampleOf(property)]));
    }
    return schema.type === 'boolean' ? false : null;
  }

  function fieldOf(name: string, given: unknown, isRequired: boolean): Field {
    const schema = resolve(given);
    return {
      name,
      type: typeOf(schema),
      description: schema.description ?? '',
      isRequired,
      example: shown(schema.example),
      fallback: shown(schema.default),
    };
  }

  /** Of an object, and of what is in it, by their whole names. */
  function fieldsOf(given: unknown, prefix: string): Field[] {
    const schema = resolve(given);
    return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
      const own = resolve(property);
      const whole = `${prefix}${name}`;
      const field = fieldOf(whole, property, schema.required?.includes(name) === true);
      const items = own.items === undefined ? undefined : resolve(own.items);
      const one = items?.oneOf ? resolve(items.oneOf.at(-1)) : items;
      return [field, ...fieldsOf(own, `${whole}.`), ...(one ? fieldsOf(one, `${whole}[].`) : [])];
    });
  }

  return { exampleOf, fieldOf, fieldsOf };
}

function shown(value: unknown): string | undefined {
  return value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
}

function typeOf({ type = 'object', format, enum: values, const: only }: Schema): string {
  if (only !== undefined) return JSON.stringify(only);
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ');
  const names = Array.isArray(type) ? type : [type];
  return names.map((name) => (name === 'string' && format ? format : name)).join(' or ');
}
