// Where the next page of a list begins, as it stands in an address. It needs no signature: it only says "beyond this",
// and every query is bound to the workspace anyway.
import type { Place } from '../../database/pagination.ts';

export function writePlace({ time, id }: Place): string {
  return `${time.getTime()}.${id}`;
}

/** undefined: from the beginning, also for what nobody was given. */
export function readPlace(text: string | undefined): Place | undefined {
  const [, milliseconds, id] = /^(\d{1,14})\.([\w-]{1,255})$/.exec(text ?? '') ?? [];
  return milliseconds && id ? { time: new Date(Number(milliseconds)), id } : undefined;
}
