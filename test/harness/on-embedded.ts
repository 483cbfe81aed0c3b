// Before each test file of the project `embedded`.
import { basename } from 'node:path';
import { expect } from '@jest/globals';
import { runOnce, STORES_VARIABLE } from './stores.ts';

const file = basename(expect.getState().testPath ?? '');
process.env[STORES_VARIABLE] = file in runOnce ? 'none' : 'embedded';
