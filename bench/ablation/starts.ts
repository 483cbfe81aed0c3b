// How the production process can be started: as it is, and without what makes its start short.
import { resolve } from 'node:path';

export type Start = { name: string; script: string; environment: Record<string, string> };

const command = resolve('dist/src/cli.js');
const unbundled = resolve('bench/ablation/start-unbundled.ts');
/** Node's own switch. */
const NO_CACHE = { NODE_DISABLE_COMPILE_CACHE: '1' };

export const AS_IT_IS: Start = { name: 'as it is', script: command, environment: {} };

export const WITHOUT: Start[] = [
  { name: 'without the compile cache', script: command, environment: NO_CACHE },
  { name: 'without the bundle', script: unbundled, environment: {} },
  { name: 'without both', script: unbundled, environment: NO_CACHE },
];
