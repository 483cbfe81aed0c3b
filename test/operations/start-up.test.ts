// The command as it is installed starts from a few large files (scripts/bundle.ts). What a bundle may get wrong without
// anybody seeing it: files that it finds beside itself, names that are shown, positions in stacks, and being used at all.
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin, SourceMap } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keepClassNames } from '../../scripts/class-names.ts';
import { sha256 } from '../../src/secrets.ts';
import { type CommandLine, createCommandLine, type Service } from '../harness/command-line.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'dist/bundle');
/** Of 1,600 modules, when each is a file of its own; the rest is PGlite. */
const MOST_FILES = 60;

let tollgate: CommandLine;
let service: Service;
let loaded: string[];

beforeAll(async () => {
  tollgate = await createCommandLine();
  // Every file that Node's loaders are asked for, by either way.
  const recorder = join(tollgate.directory, 'recorder.mjs');
  const list = join(tollgate.directory, 'loaded.txt');
  await writeFile(
    recorder,
    `import { registerHooks } from 'node:module';
     import { appendFileSync } from 'node:fs';
     registerHooks({ load(url, context, next) {
       if (url.startsWith('file:')) appendFileSync(${JSON.stringify(list)}, url + '\\n');
       return next(url, context);
     } });`,
  );
  service = await tollgate.start({ NODE_OPTIONS: `--import=${pathToFileURL(recorder)}` });
  loaded = (await readFile(list, 'utf8')).trim().split('\n');
}, 60_000);
afterAll(() => tollgate.remove());

test('it loads a few files, no module of ours twice, and nothing that is for later', () => {
  expect(loaded.length).toBeLessThan(MOST_FILES);
  const ours = loaded.filter((url) => url.startsWith(`${pathToFileURL(root)}/dist/`));
  expect(ours.filter((url) => url.includes('/dist/src/')).map((url) => url.split('/dist/')[1])).toEqual([
    'src/cli.js',
  ]);
  for (const later of ['stripe', 'sharp', 'opentelemetry', 'zxcvbn'])
    expect(loaded.filter((url) => url.includes(later))).toEqual([]);
});

test('discovery and the scripts of pages are served, and the version is found', async () => {
  const discovery = await fetch(`${service.url}/.well-known/openid-configuration`);
  expect(await discovery.json()).toMatchObject({ issuer: service.url });
  for (const name of ['copy', 'passkey']) {
    const script = await readFile(join(root, `dist/src/page/browser/${name}.js`), 'utf8');
    const answer = await fetch(`${service.url}/assets/${name}-${sha256(script).slice(0, 12)}.js`);
    expect(await answer.text()).toBe(script);
  }
  const manifest: { version: string } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect((await tollgate.run('--version')).stdout.trim()).toBe(manifest.version);
});

test('every class has the name that its module gave it', async () => {
  const renamed = keepClassNames(['class Client {}', 'class SQL {}', 'class e2 {}'])(
    'class Client2 extends x.Y{class _SQL{class e2 {class Client{',
  );
  expect(renamed).toBe(
    'class Client2 extends x.Y{static name="Client";class _SQL{static name="SQL";class e2 {class Client{',
  );
  expect(() => keepClassNames(['class A {}'])('class B{')).toThrow('class B');
});

test('a stack shows the line of our source', async () => {
  const { stdout } = await promisify(execFile)('grep', [
    '-ln',
    'TOLLGATE_SECRET is not the one',
    '-r',
    folder,
  ]);
  const file = stdout.split('\n').find((name) => name.endsWith('.js')) ?? '';
  const lines = (await readFile(file, 'utf8')).split('\n');
  const line = lines.findIndex((text) => text.includes('TOLLGATE_SECRET is not the one'));
  const map = new SourceMap(JSON.parse(await readFile(`${file}.map`, 'utf8')));
  const entry = map.findEntry(line, (lines[line] ?? '').indexOf('TOLLGATE_SECRET is not the one'));
  const source = await readFile(join(root, 'src/service/pairwise-key.ts'), 'utf8');
  const expected = source.split('\n').findIndex((text) => text.includes('TOLLGATE_SECRET is not the one'));
  expect(entry).toMatchObject({
    originalSource: expect.stringMatching(/src\/service\/pairwise-key\.ts$/),
    originalLine: expected,
  });
});

test('what the bundle leaves to node_modules is installed with the package, not with its development', async () => {
  const manifest: { dependencies: Record<string, string> } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  const asked = new Set<string>();
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.js'))) {
    const text = await readFile(join(folder, name), 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:^|;)import\s*(?:[\w*{][^'"();]*from\s*)?"([^"]+)"/gm))
      asked.add(specifier);
  }
  const packages = [...asked].filter((name) => !name.startsWith('.') && !isBuiltin(name));
  for (const name of packages) expect(Object.keys(manifest.dependencies)).toContain(name);
});
