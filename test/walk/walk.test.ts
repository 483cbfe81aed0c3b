// A minute of the walker (docs/walker.md, threat 104) on both kinds of store: people with good and bad intentions walk
// the pages by chance, and after each step it is asked whether anybody got what they did not prove.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { hasPostgres } from '../harness/database.ts';
import { hasRedis } from '../harness/redis.ts';

const root = resolve(import.meta.dirname, '../..');
const SECONDS = 30;

const kinds = (await hasPostgres()) && (await hasRedis()) ? ['servers', 'embedded'] : ['embedded'];

test.each(kinds)('nobody gets what they did not prove, in orders nobody thought of (%s)', async (stores) => {
  const { code, output } = await walk([
    '--stores',
    stores,
    '--steps',
    '100000',
    '--seconds',
    String(SECONDS),
  ]);
  // The story that breaks a rule, with its seed, is in the output.
  expect(code === 0 ? '' : output).toBe('');
  expect(output).toContain('0 rules broken');
});

async function walk(options: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/walk/run.ts', ...options], { cwd: root });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += String(chunk)));
  const code = await new Promise<number | null>((done) => child.on('close', done));
  return { code, output };
}
