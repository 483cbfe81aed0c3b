// `npm run build` calls this: the package that integrators install (packages/webhooks), packed into one file of dist, which
// the service hands out (src/documentation/downloads.ts). No registry has it.
import { execSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

// By a shell: on Windows npm is no program that could be started without one.
const packed = execSync('npm pack --silent --pack-destination dist ./packages/webhooks', {
  cwd: root,
  encoding: 'utf8',
});
// Without its version in the name: pages and programs tell where it is.
renameSync(join(dist, packed.trim()), join(dist, 'tollgate-webhooks.tgz'));
