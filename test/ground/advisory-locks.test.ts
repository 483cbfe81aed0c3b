// Advisory locks have a number each, and all of them come from one file.
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { advisoryLocks } from '../../src/database/advisory-locks.ts';

const root = join(import.meta.dirname, '../..');

test('no two locks share a number', () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('whoever takes a lock takes its number from the list, or makes it from a name', async () => {
  const strange: string[] = [];
  for await (const file of glob('{src,adapters,interactions}/**/*.{ts,tsx}', { cwd: root })) {
    const text = await readFile(join(root, file), 'utf8');
    const takes = text.includes('advisory_lock(') || text.includes('advisory_xact_lock(');
    const isListed = /advisoryLocks|hashtextextended|\$\{lock\}/.test(text);
    const isOwnNumber = /7_235_198_\d+/.test(text) && !file.endsWith('advisory-locks.ts');
    if ((takes && !isListed) || isOwnNumber) strange.push(file);
  }
  expect(strange).toEqual([]);
});
