// Which Python runs the tests' Python programs: the one that PYTHON names, or the one that `npm run servers -- languages`
// made with their libraries, or the machine's own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const pythonFolder = join(import.meta.dirname, '../../node_modules/.cache/tollgate/python');

export function findPython(): string {
  const prepared = join(pythonFolder, 'bin/python');
  return process.env.PYTHON ?? (existsSync(prepared) ? prepared : 'python3');
}
