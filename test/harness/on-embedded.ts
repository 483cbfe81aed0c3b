// Before each test file of the project `embedded`.
import { join, relative } from 'node:path';
import { expect } from '@jest/globals';
import { runOnce, STORES_VARIABLE } from './stores.ts';

const file = relative(join(import.meta.dirname, '..'), expect.getState().testPath ?? '');
process.env[STORES_VARIABLE] = file in runOnce ? 'none' : 'embedded';
