// Loads the compiled service with some of its words exchanged. Says so when a word is not there any more: a measurement
// in which nothing was switched off would look like a piece of machinery that wins nothing.
import { registerHooks } from 'node:module';
import { type Exchange, JOB_POOL, PIECES } from './pieces.ts';

/** Before anything of the service is loaded. */
export function loadWithout(name: string): { assertExchanged(): void } {
  const piece = [...PIECES, JOB_POOL].find((each) => each.name === name);
  if (!piece) throw new Error(`no piece of machinery is called ${name}`);
  const left = new Set(piece.exchanges);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const due = piece.exchanges.filter(({ module }) => url.endsWith(`/dist/src/${module}`));
      if (due.length === 0) return loaded;
      let source = textOf(loaded.source);
      for (const exchange of due) {
        source = exchanged(source, exchange);
        left.delete(exchange);
      }
      return { ...loaded, source };
    },
  });
  return {
    assertExchanged() {
      const [missed] = left;
      if (missed) throw new Error(`${missed.module} was not loaded: ${name} is not switched off`);
    },
  };
}

function exchanged(source: string, { module, text, instead }: Exchange): string {
  const [before, after, ...more] = source.split(text);
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${module} must have exactly once: ${text}`);
  return before + instead + after;
}

function textOf(source: unknown): string {
  if (typeof source === 'string') return source;
  if (source instanceof Uint8Array) return Buffer.from(source).toString('utf8');
  throw new TypeError('a module without its text');
}
