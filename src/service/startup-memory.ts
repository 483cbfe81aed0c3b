// What loading the modules leaves behind: their compiled code, which the next start takes over, and garbage that V8
// would keep for the process (about 20 MiB; 150 MiB where the modules are loaded one by one).
import { flushCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * For the moment when the process listens. Node itself writes only at the end: a process that is killed would leave
 * nothing to the next one, and one that ran for long has thrown away the code that only a start needs. A process that
 * took its code over from an earlier one has nothing to write.
 */
export function keepCompiledCode(): void {
  flushCompileCache();
}

/** Stops the process for some hundredths of a second: for the moment before it says that it is ready. */
export function returnLoadingMemory(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  // `last-resort` is what V8 does before it runs out of memory: everything, and the free pages go back.
  if (typeof collect === 'function') collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
