// `npm run build` calls this after the compiler: the command (src/command/program.ts) and what it needs in a few files of
// dist/bundle, because finding and linking some 1,500 separate modules is most of a start. dist/src stays as it is, for
// whoever imports the package; a process loads one or the other, never both.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { keepClassNames } from './class-names.ts';

const root = resolve(import.meta.dirname, '..');
const folder = resolve(root, 'dist/bundle');

/** They find files beside themselves (WebAssembly, native code), or are not installed. Nothing in them is bundled too. */
const separate = ['@electric-sql/pglite', 'sharp', 'pg-native'];

/** Of OpenTelemetry's detectors src/telemetry/tracing.ts uses the one for the environment, and none that looks at the machine. */
const NEVER_RUN = /@opentelemetry\/resources\/.*\/machine-id\//;

/** Short enough that a class name put back (class-names.ts) moves only few positions away from the source map's. */
const LINE_CHARACTERS = 160;

/**
 * Our own files are mapped line by line, a dependency only by its name: a source map is read whenever a stack is shown,
 * and four fifths of it would be about lines of dependencies.
 */
const dependenciesByName: Plugin = {
  name: 'dependencies by name',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const source = path.split('/').at(-1);
      const map = JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAAA' });
      const mapUrl = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      const code = text.replaceAll(/^\/\/# sourceMappingURL=.*$/gm, '');
      return { contents: `${code}\n//# sourceMappingURL=${mapUrl}`, loader: 'js' };
    });
  },
};

await rm(folder, { recursive: true, force: true });
const { outputFiles, metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/command/program.ts'],
  outdir: folder,
  bundle: true,
  // What is loaded only when it is used (Stripe, traces, the password dictionaries) stays in files of its own.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24.7',
  external: separate,
  plugins: [dependenciesByName],
  minifyWhitespace: true,
  lineLimit: LINE_CHARACTERS,
  legalComments: 'linked',
  sourcemap: 'linked',
  sourcesContent: false,
  metafile: true,
  write: false,
  // Dependencies in CommonJS ask for Node's own modules with it.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
  },
});
// esbuild gives a late import of CommonJS nothing but a default export; Node gives it the names as well.
for (const [path, { entryPoint = '' }] of Object.entries(metafile.outputs)) {
  if (metafile.inputs[entryPoint]?.format === 'cjs' && !NEVER_RUN.test(entryPoint))
    throw new Error(`${entryPoint} (${path}) is CommonJS: import it late through a module of ours`);
}
const inputs = await Promise.all(
  Object.keys(metafile.inputs)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path))
    .map((path) => readFile(resolve(root, path), 'utf8')),
);

await mkdir(folder, { recursive: true });
const restore = keepClassNames(inputs);
for (const { path, text } of outputFiles) {
  await writeFile(path, path.endsWith('.js') ? restore(text) : text);
}
