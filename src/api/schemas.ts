// What goes in and out of the customer-data API (specification §2, §4.5, §4.6, §6, §7). The same schemas parse
// requests, shape answers and make the OpenAPI document, so the three cannot disagree.
import { z } from 'zod';
// For its types only: what `.meta()` may say about OpenAPI.
import type {} from 'zod-openapi';
import { listDefault, listMaximum } from '../limits.ts';

const KINDS = ['registration', 'sign_in'] as const;
const STATUSES = ['committed', 'reversed'] as const;

const sub = z.string().meta({
  description: 'Stable subject identifier of the customer in this application; the `sub` of its ID Tokens.',
  example: 'n2Pq4uSxW0yZk8Jc3LrTgVb6MhFdAe1oIi9s5XwQ7EY',
});
const email = z.string().meta({
  description: 'Verified e-mail address; it may change, `sub` does not.',
  example: 'ada@example.com',
});
const emailVerified = z
  .boolean()
  .meta({ description: 'Whether the address was proven by its owner.', example: true });
const name = z
  .string()
  .nullable()
  .meta({ description: 'What the person is called, or null.', example: 'Ada Lovelace' });
const kind = z
  .enum(KINDS)
  .meta({ description: 'First session in the application, or a later one.', example: 'sign_in' });
const amount = z
  .string()
  .regex(/^\d+\.\d{6}$/)
  .meta({
    description: 'Price of the session in `currency`, a decimal with six places.',
    example: '0.020000',
  });
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .meta({ description: 'ISO 4217 code.', example: 'EUR' });
const status = z.enum(STATUSES).meta({
  description: '`reversed` once the charge was taken back by a later transfer in the ledger.',
  example: 'committed',
});
const time = (description: string) =>
  z.iso.datetime({ precision: 3 }).meta({ description, example: '2026-11-21T09:30:00.000Z' });

export const customerSchema = z
  .object({
    sub,
    email,
    email_verified: emailVerified,
    name,
    registered_at: time('First session, RFC 3339 in UTC.'),
    last_sign_in_at: time('Latest session, RFC 3339 in UTC.'),
    sign_in_count: z.int().min(0).meta({ description: 'Sessions in this application.', example: 7 }),
  })
  .meta({ id: 'Customer' });

export const eventSchema = z
  .object({
    id: z.string().meta({
      description: 'Identifier of the event, and the `id` of its webhook.',
      example: 'evt_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
    }),
    kind,
    sub,
    amount,
    currency,
    status,
    occurred_at: time('When the session was charged, RFC 3339 in UTC.'),
  })
  .meta({ id: 'Event' });

const page = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item).meta({ description: 'Newest first.' }),
    has_more: z.boolean().meta({ description: 'Whether a next page exists.' }),
    next_cursor: z.string().nullable().meta({
      description: 'Pass it as `cursor`, with the same filters, for the next page. Null on the last one.',
      example: 'WzE3NjM3MTc0MDAwMDAsIm4yUHEiXQ.3q2-7w',
    }),
  });

export const customerPageSchema = page(customerSchema).meta({ id: 'CustomerPage' });
export const eventPageSchema = page(eventSchema).meta({ id: 'EventPage' });

export const errorSchema = z
  .object({
    error: z.string().meta({ description: 'Stable code, for programs.', example: 'invalid_request' }),
    error_description: z.string().meta({
      description: 'Explanation, for people; its wording may change.',
      example: '"limit" must be a whole number of at least 1.',
    }),
  })
  .meta({ id: 'Error' });

const webhook = (type: string, id: string) =>
  z
    .object({
      id: z.string().meta({
        description: 'The same on every attempt, and the `id` of the event in the API: deduplicate by it.',
        example: 'evt_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
      }),
      type: z.literal(type),
      created_at: time('When the event was committed to the ledger, RFC 3339 in UTC.'),
      data: z.object({
        application_id: z.string().meta({ example: 'app_019a95c2b1c07d3e8f2a4b6c8d0e1f23' }),
        customer: z.object({ sub, email, email_verified: emailVerified, name }),
        kind,
        amount,
        currency,
        status,
      }),
    })
    .meta({ id });

/** By event type, as section 6 of the specification names them. */
export const webhookSchemas = {
  'identity.registration.completed.v1': webhook(
    'identity.registration.completed.v1',
    'RegistrationCompleted',
  ),
  'identity.login.completed.v1': webhook('identity.login.completed.v1', 'LoginCompleted'),
};

// ── Queries. Every value arrives as text; an empty one matches nothing below. ───────────────────────────────

const limit = z
  .string()
  .regex(/^[0-9]+$/, '"limit" must be a whole number of at least 1.')
  .transform((digits) => Math.min(Number(digits), listMaximum))
  .refine((value) => value >= 1, '"limit" must be a whole number of at least 1.')
  .default(listDefault)
  .meta({
    description: `Rows per page. More than ${listMaximum} gives ${listMaximum}.`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, { type: 'integer', minimum: 1, maximum: listMaximum, default: listDefault });
    },
  });
export const emailExplanation = '"email" must be one e-mail address.';
const cursor = z.string().min(1, '"cursor" must be the next_cursor of the page before.').optional().meta({
  description: '`next_cursor` of the page before. It fits only the same list with the same filters.',
});
const subFilter = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,255}$/, '"sub" must be the sub of a customer.')
  .optional()
  .meta({ description: 'Only this customer.' });
const moment = (parameter: string, description: string) => {
  const explanation = `"${parameter}" must be an RFC 3339 time with its offset, such as 2026-11-21T09:30:00Z (in a URL, "+" is written %2B).`;
  return z.iso
    .datetime({ offset: true, error: explanation })
    .regex(/T\d\d:\d\d:\d\d/, explanation)
    .transform((text) => new Date(text))
    .refine(isStorable, explanation)
    .optional()
    .meta({
      description,
      override: ({ jsonSchema }) => {
        delete jsonSchema.allOf;
        jsonSchema.format = 'date-time';
      },
    });
};

export const customersQuerySchema = z.object({
  limit,
  cursor,
  sub: subFilter,
  email: z
    .string()
    .regex(/^\P{Cc}{1,320}$/u, emailExplanation)
    .optional()
    .meta({
      description: 'Only the customer with exactly this address; case and surrounding space do not matter.',
      example: 'ada@example.com',
    }),
  created_after: moment('created_after', 'Registered at this moment or later.'),
  created_before: moment('created_before', 'Registered before this moment.'),
});

export const eventsQuerySchema = z.object({
  limit,
  cursor,
  sub: subFilter,
  kind: z
    .enum(KINDS, { error: '"kind" must be registration or sign_in.' })
    .optional()
    .meta({ description: 'Only this kind of session.' }),
  occurred_after: moment('occurred_after', 'Charged at this moment or later.'),
  occurred_before: moment('occurred_before', 'Charged before this moment.'),
});

/** PostgreSQL has no year 0 as JavaScript writes it, and an offset can carry 9999 into the year 10000. */
function isStorable(moment: Date): boolean {
  return moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;
}
