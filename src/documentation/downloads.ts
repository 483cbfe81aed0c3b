// Files that integrators take from us, served beside the pages that tell of them: a verifier of webhooks for each language,
// of the release that runs. Those of examples/webhooks are one file of code; the package for Node.js is what the build packed.
import { existsSync, readFileSync } from 'node:fs';

const PACKAGE = 'tollgate-webhooks.tgz';

/** By their names below /docs/files. */
const files: Record<string, string> = {
  [PACKAGE]: `dist/${PACKAGE}`,
  'tollgate_webhooks.py': 'examples/webhooks/python/tollgate_webhooks.py',
  'tollgate_webhooks.php': 'examples/webhooks/php/tollgate_webhooks.php',
  'tollgate_webhooks.go': 'examples/webhooks/go/tollgate_webhooks.go',
};

const FOLDER = '/docs/files/';

/** Where a file of the repository is served; undefined: it is not. */
export function downloadOf(repositoryPath: string): string | undefined {
  const [name] = Object.entries(files).find(([, path]) => `/${path}` === repositoryPath) ?? [];
  return name === undefined ? undefined : FOLDER + name;
}

export type Download = { name: string; type: string; content: string | Buffer };

export function readDownload(path: string): Download | undefined {
  const name = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : '';
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return undefined;
  // By the package's own import map: the build may have put this module into another file (scripts/bundle.ts).
  const url = new URL(import.meta.resolve(`#root/${file}`));
  if (name !== PACKAGE) return { name, type: 'text/plain', content: readFileSync(url, 'utf8') };
  // From the sources, before any build, there is none.
  return existsSync(url) ? { name, type: 'application/gzip', content: readFileSync(url) } : undefined;
}
