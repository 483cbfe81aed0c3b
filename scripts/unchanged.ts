// `npm start` and `npm run demo` ask this before they compile: exit code 0 when dist was built from exactly the files that
// are there now. `npm run build` ends with `--note`, which writes down what it was built from.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const note = join(root, 'dist/built-from');
const folders = ['src', 'adapters', 'interactions', 'drizzle', 'scripts', 'packages/webhooks/src'];
const files = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'tsconfig.browser.json',
  'packages/webhooks/package.json',
  'packages/webhooks/tsconfig.json',
];
/** Somebody may have removed a part of dist. */
const built = [
  'dist/src/cli.js',
  'dist/bundle/program.js',
  'dist/src/page/browser/copy.js',
  'dist/tollgate-webhooks.tgz',
  'packages/webhooks/dist/webhooks.js',
];

/** Size and time of each file: reading all of them would take longer than it saves. */
async function fingerprint(): Promise<string> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    }),
  );
  const paths = [...lists.flat(), ...files.map((file) => join(root, file))].sort();
  const lines = await Promise.all(
    paths.map(async (path) => {
      const { size, mtimeMs } = await stat(path);
      return `${path} ${size} ${mtimeMs}`;
    }),
  );
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

if (process.argv.includes('--note')) {
  await writeFile(note, await fingerprint());
} else {
  const noted = await readFile(note, 'utf8').catch(() => undefined);
  const isThere = built.every((file) => existsSync(join(root, file)));
  if (!isThere || noted !== (await fingerprint())) process.exitCode = 1;
}
