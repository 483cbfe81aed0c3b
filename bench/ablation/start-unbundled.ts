// What src/cli.ts does where only the compiler has run: the compiled modules one by one, from the compile cache.
import { enableCompileCache, setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';

const compiled = join(import.meta.dirname, '../../dist');
enableCompileCache(join(compiled, 'compile-cache'));
setSourceMapsSupport(true, { nodeModules: true });
const { runCommandLine }: typeof import('../../src/command/program.ts') = await import(
  `${compiled}/src/command/program.js`
);
await runCommandLine(process.argv);
