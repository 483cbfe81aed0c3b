// Before each test file of the project `postgres+redis`.
import { STORES_VARIABLE } from './stores.ts';

process.env[STORES_VARIABLE] = 'servers';
