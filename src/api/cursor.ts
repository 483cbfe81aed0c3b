// The place in a list at which the next page starts. Signed, so that it can be trusted as it is,
// and bound to its list, application and filters: a cursor of another list is a mistake, not a position.

import type { Place } from '../database/pagination.ts';
import { TollgateError } from '../errors.ts';
import { hmac, isHmacOf, type Keys } from '../secrets.ts';

/** What a cursor belongs to. */
export type List = { name: string; applicationId: string; filters: object };

export function writeCursor(keys: Pick<Keys, 'cursor'>, list: List, { time, id }: Place): string {
  const place = Buffer.from(JSON.stringify([time.getTime(), id])).toString('base64url');
  return `${place}.${hmac(keys.cursor, ...signedParts(list, place))}`;
}

/** @throws TollgateError not_found for anything that writeCursor did not make for this very list: there is no such page. */
export function readCursor(keys: Pick<Keys, 'cursor'>, list: List, cursor: string): Place {
  const [place, signed, ...rest] = cursor.split('.');
  if (place === undefined || signed === undefined || rest.length > 0) throw foreignCursor();
  if (!isHmacOf(signed, keys.cursor, ...signedParts(list, place))) throw foreignCursor();
  const [milliseconds, id]: unknown[] = JSON.parse(Buffer.from(place, 'base64url').toString());
  return { time: new Date(Number(milliseconds)), id: String(id) };
}

function signedParts({ name, applicationId, filters }: List, place: string): string[] {
  return [name, applicationId, JSON.stringify(filters), place];
}

function foreignCursor(): TollgateError {
  return new TollgateError(
    'not_found',
    'This page does not exist. "cursor" must be the next_cursor of the previous page, used with the same list and filters.',
  );
}
