// What loading the modules leaves behind. Node's loader makes about 150 MiB of garbage while it resolves the star
// exports of drizzle-orm, and V8 keeps that memory for the process; one thorough collection at the start returns it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Stops the process for about a tenth of a second: for the moment before it says that it is ready. */
export function returnLoadingMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // `last-resort` is what V8 does before it runs out of memory: everything, and the free pages go back.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
