// Query strings, read strictly: a parameter given twice, misspelt or empty is refused (400), because a list that
// silently ignores a filter returns rows that nobody asked for.
import type { z } from 'zod';
import { TollgateError } from '../errors.ts';

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
  return new TollgateError('invalid_request', `This list has only these parameters: ${known.join(', ')}.`);
}
