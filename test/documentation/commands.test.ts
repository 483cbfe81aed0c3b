// What documents and pages tell a newcomer to type: it signs people in without a further step, and is tried where it works.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

type Told = { file: string; command: string };

async function pages(): Promise<string[]> {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  return [
    'README.md',
    'examples/quickstarts/README.md',
    'packages/webhooks/README.md',
    'interactions/arrival/start-page.tsx',
    ...docs.map((name) => `docs/${name}`),
  ];
}

/** With the lines that a backslash joins. */
async function toldIn(file: string): Promise<Told[]> {
  const text = (await readFile(join(root, file), 'utf8')).replaceAll(/\\\n\s*/g, '');
  return [...text.matchAll(/npx tollgate ([^`'\n]+)/g)].map(([, command = '']) => ({ file, command }));
}

describe('commands that documents tell to type', () => {
  let told: Told[] = [];
  beforeAll(async () => {
    told = (await Promise.all((await pages()).map(toldIn))).flat();
  });

  test('an application for one’s own machine is made in test mode, so that its first sign-in needs no balance', () => {
    const local = told.filter(({ command }) => /^application create .*localhost/.test(command));
    expect(local.map(({ file }) => file)).toEqual(
      expect.arrayContaining(['interactions/arrival/start-page.tsx', 'docs/integrate.md', 'docs/clients.md']),
    );
    for (const { file, command } of local)
      expect([file, command]).toEqual([file, expect.stringMatching(/ --test /)]);
  });

  test('each page that names one says, or leads to, where it works: in the clone, and from no registry', async () => {
    const markdown = new Set(told.map(({ file }) => file).filter((file) => file.endsWith('.md')));
    for (const file of markdown) {
      const text = await readFile(join(root, file), 'utf8');
      expect([file, text]).toEqual([
        file,
        expect.stringMatching(/integrate\.md#the-command-tollgate|## The command `tollgate`/),
      ]);
    }
  });

  test('the first one builds nothing that is built: npx links the clone, for which npm runs its `prepare`', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(scripts.prepare).toMatch(
      /^node scripts\/unchanged\.ts \|\| \(npm run --silent build && [^()]+\)$/,
    );
    const linked = JSON.parse(await readFile(join(root, 'packages/webhooks/package.json'), 'utf8'));
    expect(Object.keys(linked.scripts)).toEqual(['prepack']);
  });

  test('nothing is installed from a registry that does not have it', async () => {
    for (const file of [
      ...(await pages()),
      'docs/webhooks.md',
      'examples/quickstarts/node/server.js',
      'examples/quickstarts/next/auth.js',
    ])
      expect([file, await readFile(join(root, file), 'utf8')]).toEqual([
        file,
        expect.not.stringMatching(/npm install .*@tollgate\/webhooks/),
      ]);
  });
});
