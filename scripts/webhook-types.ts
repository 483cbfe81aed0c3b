// `npm run webhook-types` writes packages/webhooks/src/types.ts: the types of webhooks and of the customer-data API, from
// the schemas that shape both (src/api/schemas.ts). test/webhooks/package.test.ts fails when they are not current.
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import {
  customerPageSchema,
  customerSchema,
  errorSchema,
  eventPageSchema,
  eventSchema,
  webhookSchemas,
} from '../src/api/schemas.ts';

export const typesFile = resolve(import.meta.dirname, '../packages/webhooks/src/types.ts');

/** Names that mean something else in every TypeScript program get others. */
const names: Record<string, string> = { Event: 'UsageEvent', EventPage: 'UsageEventPage', Error: 'ApiError' };

export function renderTypes(): string {
  const webhooks = Object.values(webhookSchemas);
  const answers = [customerSchema, customerPageSchema, eventSchema, eventPageSchema, errorSchema];
  return [
    '// Types of webhooks, and of the answers of the customer-data API: made by `npm run webhook-types`, not by hand. Fields may\n// be added; ignore what you do not know.\n',
    `/** Every webhook; \`type\` tells which. */\nexport type WebhookEvent = ${webhooks.map(nameOf).join(' | ')};\n`,
    ...[...webhooks, ...answers].map(
      (schema) => `export type ${nameOf(schema)} = ${typeOf(shapeOf(schema), '')};\n`,
    ),
  ].join('\n');
}

type Shape = {
  $ref?: string;
  anyOf?: Shape[];
  const?: string | boolean;
  enum?: string[];
  type?: string | string[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
  description?: string;
};

/** A schema with a name is a reference to its definition. */
function shapeOf(schema: z.ZodType): Shape {
  const { $ref, $defs = {} } = z.toJSONSchema(schema) as Shape & { $defs?: Record<string, Shape> };
  const definition = $defs[$ref?.split('/').at(-1) ?? ''];
  if (!definition) throw new Error('a schema without a name');
  return definition;
}

function nameOf(schema: z.ZodType): string {
  return renamed(z.globalRegistry.get(schema)?.id ?? '');
}

function renamed(id: string): string {
  return names[id] ?? id;
}

/** @throws for what no schema of ours has yet. */
function typeOf(shape: Shape, indent: string): string {
  if (shape.$ref) return renamed(shape.$ref.split('/').at(-1) ?? '');
  if (shape.anyOf) return shape.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (shape.const !== undefined) return literal(shape.const);
  if (shape.enum) return shape.enum.map(literal).join(' | ');
  if (Array.isArray(shape.type))
    return shape.type.map((type) => typeOf({ ...shape, type }, indent)).join(' | ');
  if (shape.type === 'array' && shape.items) return `${typeOf(shape.items, indent)}[]`;
  if (shape.type === 'object') return objectOf(shape, `${indent}  `);
  if (shape.type === 'integer') return 'number';
  if (shape.type === 'string' || shape.type === 'boolean' || shape.type === 'null') return shape.type;
  throw new Error(`no type is known for ${JSON.stringify(shape)}`);
}

function objectOf({ properties = {}, required = [] }: Shape, indent: string): string {
  const fields = Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [`${indent}/** ${field.description} */`] : []),
    `${indent}${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, indent)};`,
  ]);
  return `{\n${fields.join('\n')}\n${indent.slice(2)}}`;
}

function literal(value: string | boolean): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}

if (import.meta.main) await writeFile(typesFile, renderTypes());
