// Promise 48: the complete suite runs on both kinds of store. What runs once is a list with reasons, and a file
// on it, such as this one, cannot quietly use the stores that it would have to be run on twice.
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startApi } from './api.ts';
import { startProtocol } from './protocol.ts';
import { connectTestRedis } from './redis.ts';
import { runOnce } from './stores.ts';
import { startTollgate } from './tollgate.ts';

test('every file that runs once exists, with a reason', async () => {
  for (const [file, reason] of Object.entries(runOnce)) {
    await expect(access(join(import.meta.dirname, '..', file))).resolves.toBeUndefined();
    expect(reason.length).toBeGreaterThan(10);
  }
});

test.each(Object.entries({ startTollgate, startApi, startProtocol, connectTestRedis }))(
  '%s does not choose stores for a file of that list',
  async (_name, start) => {
    await expect(async () => start()).rejects.toThrow('uses the stores of its project');
  },
);
