// Finding and running the programs of `npm run servers`: in PATH, or where Debian keeps those of PostgreSQL and servers.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** One folder for each major version, and none of them in PATH. */
const DEBIAN_POSTGRES = '/usr/lib/postgresql';
/** In root's PATH alone. */
const DEBIAN_SERVERS = '/usr/sbin';

export async function findProgram(name: string): Promise<string | undefined> {
  const versions = (await readdir(DEBIAN_POSTGRES).catch(() => [])).sort((a, b) => Number(b) - Number(a));
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => join(DEBIAN_POSTGRES, version, 'bin')),
    DEBIAN_SERVERS,
  ];
  for (const folder of folders) {
    const path = join(folder, name);
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

/** @throws with the path that the program would have. */
export async function needProgram(name: string): Promise<string> {
  const path = await findProgram(name);
  if (path === undefined) throw new Error(`${name} is not installed`);
  return path;
}

export const isRoot = process.getuid?.() === 0;

/** @throws with what it said. */
export function runProgram(path: string, words: string[], options: { cwd?: string } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(path, words, options, (error, stdout, stderr) => {
      if (error)
        reject(
          new Error(`${path} ${words[0] ?? ''} failed: ${stderr.trim() || stdout.trim() || error.message}`),
        );
      else resolve(stdout);
    });
  });
}
