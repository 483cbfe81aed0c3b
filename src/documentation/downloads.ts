// Files that integrators take from us, served beside the pages that tell of them: a webhook verifier for each language without a
// package. They are those of examples/webhooks, of the release that runs.
import { readFileSync } from 'node:fs';

/** By their names below /docs/files. */
const files: Record<string, string> = {
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

export function readDownload(path: string): { name: string; text: string } | undefined {
  const name = path.startsWith(FOLDER) ? path.slice(FOLDER.length) : '';
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (file === undefined) return undefined;
  // By the package's own import map: the build may have put this module into another file (scripts/bundle.ts).
  return { name, text: readFileSync(new URL(import.meta.resolve(`#root/${file}`)), 'utf8') };
}
