// Files of any length: lines are sent while they are read, one piece at a time, in the company's lane, and end with the
// reader's patience or ours.
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Read } from '../../database/reading-lanes.ts';
import { downloadSeconds } from '../../limits/reads.ts';
import type { MemberVisit, SettingsDependencies } from './visit.ts';

export type Download = {
  /** `text/csv; charset=utf-8` */
  type: string;
  name: string;
  lines(read: Read): AsyncIterable<string>;
};

/** @throws TollgateError too_many_requests, before the first byte */
export function sendDownload(
  ctx: Context,
  { log }: Pick<SettingsDependencies, 'log'>,
  visit: Pick<MemberVisit, 'lane'>,
  { type, name, lines }: Download,
): void {
  const place = visit.lane.openDownload();
  const body = Readable.from(lines(place.read));
  const timer = setTimeout(() => body.destroy(new Error('read too slowly')), downloadSeconds * 1000);
  timer.unref();
  body.on('error', (error) => log.warn({ err: error, file: name }, 'a download was cut off'));
  body.on('close', () => {
    clearTimeout(timer);
    place.end();
  });
  ctx.type = type;
  ctx.set('Cache-Control', 'no-store');
  ctx.attachment(name);
  ctx.body = body;
}
