// The programs of package.json that share code with the tests: outside of Jest its globals cannot be imported, and nobody would
// notice before the next time that somebody wants a contact sheet or a walk.
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

async function importersOf(name: string, start: string): Promise<string[]> {
  const seen = new Set<string>();
  const found: string[] = [];
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = await readFile(file, 'utf8');
    for (const [, imported = ''] of text.matchAll(/^(?:import|export) (?!type\b)[^;]*?from '([^']+)'/gm)) {
      if (imported === name) found.push(file.slice(root.length + 1));
      if (imported.startsWith('.')) await visit(join(dirname(file), imported));
    }
  };
  await visit(start);
  return found;
}

const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const programs = Object.entries<string>(scripts).flatMap(([name, command]) => {
  const [, file] = /--import tsx (\S+\.ts)/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test('there are some', () => {
  expect(programs.map(([name]) => name)).toContain('contact-sheets');
});

test.each(programs)('npm run %s imports nothing that only Jest has', async (_name, file) => {
  expect(await importersOf('@jest/globals', join(root, file))).toEqual([]);
});
