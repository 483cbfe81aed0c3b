// What comes out of the customer-data API. The same schemas shape the answers and make the OpenAPI document, so the two
// cannot disagree; query.ts has those of the requests.
import { z } from 'zod';
// For its types only: what `.meta()` may say about OpenAPI.
import type {} from 'zod-openapi';

export const KINDS = ['registration', 'sign_in'] as const;
const STATUSES = ['committed', 'reversed'] as const;

const livemode = (what: string) =>
  z.boolean().meta({ description: `False for ${what} of an application in test mode.`, example: true });

const sub = z.string().meta({
  description: 'Stable subject identifier of the customer in this application; the `sub` of its ID Tokens.',
  example: 'n2Pq4uSxW0yZk8Jc3LrTgVb6MhFdAe1oIi9s5XwQ7EY',
});
const email = z.string().meta({
  description: 'Verified email address. It may change; `sub` does not.',
  example: 'ada@example.com',
});
const emailVerified = z
  .boolean()
  .meta({ description: 'Whether the person has proven that the address is theirs.', example: true });
const name = z
  .string()
  .nullable()
  .meta({ description: 'The person’s name, or null.', example: 'Ada Lovelace' });
const kindOf = (example: (typeof KINDS)[number]) =>
  z.enum(KINDS).meta({
    description: '`registration` for the first session in the application, `sign_in` for a later one.',
    example,
  });
const kind = kindOf('sign_in');
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
  description: '`reversed` once the charge was reversed by a later transfer in the ledger.',
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
    livemode: livemode('a customer'),
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
    livemode: livemode('an event'),
  })
  .meta({ id: 'Event' });

const page = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item).meta({ description: 'Newest first, unless `order` says otherwise.' }),
    has_more: z.boolean().meta({ description: 'Whether a next page exists.' }),
    next_cursor: z.string().nullable().meta({
      description:
        'Pass it as `cursor`, with the same filters, for the next page. Null on the last one, except with `order`.',
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

const webhook = (type: string, id: string, usual: (typeof KINDS)[number]) =>
  z
    .object({
      id: z.string().meta({
        description: 'The same on every attempt, and the `id` of the event in the API: deduplicate by it.',
        example: 'evt_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
      }),
      type: z.literal(type).meta({ description: 'What happened.', example: type }),
      created_at: time('When the event was committed to the ledger, RFC 3339 in UTC.'),
      livemode: livemode('an event'),
      data: z
        .object({
          application_id: z.string().meta({
            description: 'The application it happened in.',
            example: 'app_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
          }),
          test: z.literal(true).optional().meta({
            description:
              'Only in a test event sent from company settings. It did not happen and is not in the API.',
          }),
          customer: z
            .object({ sub, email, email_verified: emailVerified, name })
            .meta({ description: 'As in the customers list: `sub`, `email`, `email_verified`, `name`.' }),
          kind: kindOf(usual),
          amount,
          currency,
          status,
        })
        .meta({ description: 'The session and whose it was; its fields are below.' }),
    })
    .meta({ id });

/** By event type. */
export const webhookSchemas = {
  'identity.registration.completed.v1': webhook(
    'identity.registration.completed.v1',
    'RegistrationCompleted',
    'registration',
  ),
  'identity.login.completed.v1': webhook('identity.login.completed.v1', 'LoginCompleted', 'sign_in'),
};

export const webhookEventPageSchema = z
  .object({
    data: z
      .array(
        z.discriminatedUnion('type', [
          webhookSchemas['identity.registration.completed.v1'],
          webhookSchemas['identity.login.completed.v1'],
        ]),
      )
      .meta({ description: 'As webhooks send them, oldest first of each application.' }),
    has_more: z.boolean().meta({ description: 'Whether more is there already. Ask again at once.' }),
    next_cursor: z.string().meta({
      description: 'Pass it as `cursor`, with the same filters, for what comes after. Never null.',
      example: 'WzAsIjAxOWE5NWMyIl0.3q2-7w',
    }),
  })
  .meta({ id: 'WebhookEventPage' });
