// Text that is the same for everybody who asks, compressed once. What names a person or has a token in it is never sent
// compressed: the length of the answer would tell about it.
import { gzipSync } from 'node:zlib';
import type { Context } from 'koa';

export type FixedText = { text: string; zipped: () => Buffer };

export function fixedText(text: string): FixedText {
  let zipped: Buffer | undefined;
  return {
    text,
    zipped() {
      zipped ??= gzipSync(text, { level: 9 });
      return zipped;
    },
  };
}

/** The caller has set the type. */
export function sendFixedText(ctx: Context, { text, zipped }: FixedText): void {
  ctx.vary('Accept-Encoding');
  if (ctx.acceptsEncodings('gzip', 'identity') !== 'gzip') {
    ctx.body = text;
    return;
  }
  ctx.set('Content-Encoding', 'gzip');
  ctx.body = zipped();
}
