// Query strings, read strictly: a parameter given twice, misspelt or empty is refused (400), because a list that
// silently ignores a filter returns rows that nobody asked for.
import { z } from 'zod';
import { TollgateError } from '../errors.ts';
import {
  listeningApplications,
  listeningCursorCharacters,
  listeningWaitSeconds,
} from '../limits/listening.ts';
import { listDefault, listMaximum } from '../limits/requests.ts';
import { KINDS } from './schemas.ts';

/** @throws TollgateError invalid_request, naming the first parameter that is wrong. */
export function readQuery<T extends z.ZodObject>(schema: T, querystring: string): z.output<T> {
  const given = new URLSearchParams(querystring);
  const known = Object.keys(schema.shape);
  for (const parameter of given.keys()) {
    if (!known.includes(parameter)) throw unknownParameter(known);
    if (given.getAll(parameter).length > 1) {
      throw new TollgateError('invalid_request', `"${parameter}" must be given once.`);
    }
  }
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (parsed.success) return parsed.data;
  throw new TollgateError('invalid_request', parsed.error.issues[0]?.message ?? 'The query is invalid.');
}

/** Does not repeat the name: it is the caller's text, and could be a key that was put into the URL. */
function unknownParameter(known: string[]): TollgateError {
  return new TollgateError(
    'invalid_request',
    `This list supports only these parameters: ${known.join(', ')}.`,
  );
}

// ── What each list takes. Every value arrives as text; an empty one matches nothing below. ──────────────────

const limit = z
  .string()
  .regex(/^[0-9]+$/, '"limit" must be a whole number of at least 1.')
  .transform((digits) => Math.min(Number(digits), listMaximum))
  .refine((value) => value >= 1, '"limit" must be a whole number of at least 1.')
  .default(listDefault)
  .meta({
    description: `Rows per page, ${listDefault} when absent. More than ${listMaximum} gives ${listMaximum}.`,
    override: ({ jsonSchema }) => {
      delete jsonSchema.pattern;
      Object.assign(jsonSchema, { type: 'integer', minimum: 1, default: listDefault });
    },
  });
export const emailExplanation = '"email" must be an email address.';
const cursorOf = (pattern: RegExp, more = '') =>
  z
    .string()
    .regex(pattern, '"cursor" must be the next_cursor of the previous page.')
    .optional()
    .meta({
      description: `\`next_cursor\` of the previous page. It is valid only for the same list with the same filters; otherwise the answer is 404.${more}`,
    });
const cursor = cursorOf(/^[A-Za-z0-9_-]{1,700}\.[A-Za-z0-9_-]{43}$/);
/** The events list in the order of commits also begins where it ends. */
const eventsCursor = cursorOf(
  /^(?:latest|[A-Za-z0-9_-]{1,700}\.[A-Za-z0-9_-]{43})$/,
  ' With `order=committed` also `latest`.',
);
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
      example: '2026-11-01T00:00:00Z',
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
      // The check above is a guard; common tools cannot read its pattern, and know what an address is.
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        jsonSchema.format = 'email';
      },
    }),
  created_after: moment('created_after', 'Registered at this moment or later.'),
  created_before: moment('created_before', 'Registered before this moment.'),
});

export const eventsQuerySchema = z.object({
  limit,
  cursor: eventsCursor,
  sub: subFilter,
  kind: z
    .enum(KINDS, { error: '"kind" must be registration or sign_in.' })
    .optional()
    .meta({ description: 'Only this kind of session: `registration` or `sign_in`.', example: 'sign_in' }),
  occurred_after: moment('occurred_after', 'Charged at this moment or later.'),
  occurred_before: moment('occurred_before', 'Charged before this moment.'),
  order: z.enum(['committed'], { error: '"order" must be committed, or be left out.' }).optional().meta({
    description:
      '`committed`: oldest first, in the order in which events become visible, to follow them without loss. Takes `limit` and `cursor` only; `next_cursor` is never null, and `cursor=latest` begins behind the newest event.',
    example: 'committed',
  }),
});

const waitExplanation = `"wait" must be a whole number of seconds from 0 to ${listeningWaitSeconds}.`;

export const webhookEventsQuerySchema = z.object({
  limit,
  cursor: cursorOf(
    new RegExp(`^(?:latest|[A-Za-z0-9_-]{1,${listeningCursorCharacters}}\\.[A-Za-z0-9_-]{43})$`),
    ' Or `latest`, to begin behind the newest events.',
  ),
  application_id: z
    .string()
    .regex(/^\w{1,64}$/, '"application_id" must be the ID of an application.')
    .optional()
    .meta({
      description: `Only this application. Needed when the key reads more than ${listeningApplications}.`,
      example: 'app_019a95c2b1c07d3e8f2a4b6c8d0e1f23',
    }),
  wait: z
    .string()
    .regex(/^[0-9]{1,2}$/, waitExplanation)
    .transform(Number)
    .refine((seconds) => seconds <= listeningWaitSeconds, waitExplanation)
    .default(0)
    .meta({
      description: 'Seconds to wait for the first event when there is none yet; 0 when absent.',
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern;
        Object.assign(jsonSchema, {
          type: 'integer',
          minimum: 0,
          maximum: listeningWaitSeconds,
          default: 0,
        });
      },
    }),
});

/** PostgreSQL has no year 0 as JavaScript writes it, and an offset can carry 9999 into the year 10000. */
function isStorable(moment: Date): boolean {
  return moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999;
}
