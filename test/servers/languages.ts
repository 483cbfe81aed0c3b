// `npm run servers -- languages`: what the programs of examples/quickstarts in other languages need, and Apache. Ruby and PHP
// come from Debian's packages, Python's libraries from PyPI into a folder of this clone. It takes a minute, so CI leaves them out.
import { join } from 'node:path';
import { apachePackage, apacheVersion } from '../harness/apache.ts';
import { pythonFolder } from '../harness/python.ts';
import { installPackages } from './debian.ts';
import { findProgram, runProgram } from './program.ts';

const root = join(import.meta.dirname, '../..');

const rubyLibraries = 'require "sinatra/base"; require "openid_connect"; require "puma"';
const needed = [
  // Debian keeps the part that `venv` needs apart.
  { program: 'python3', words: ['-c', 'import ensurepip'], names: ['python3', 'python3-venv'] },
  {
    program: 'ruby',
    words: ['-e', rubyLibraries],
    names: ['ruby', 'ruby-sinatra', 'ruby-openid-connect', 'puma'],
  },
  {
    program: 'php',
    words: ['-r', 'mb_convert_encoding("", "UTF-8"); curl_init();'],
    names: ['php-cli', 'php-curl', 'php-mbstring'],
  },
];

/** @returns what is there now. @throws when something cannot be had: a test would be left out unnoticed. */
export async function prepareLanguages(): Promise<string> {
  const packages: string[] = [];
  for (const { program, words, names } of needed) if (!(await works(program, words))) packages.push(...names);
  if (!(await apacheVersion())) packages.push(apachePackage);
  if (packages.length > 0 && !(await installPackages(packages)))
    throw new Error(`Not installed: ${packages.join(' ')}. Without apt-get that is yours to do.`);
  await installPythonLibraries();
  return 'Ready for quickstarts: Python with Flask and Authlib, Ruby with Sinatra, PHP. And Apache with mod_auth_openidc.';
}

async function works(name: string, words: string[]): Promise<boolean> {
  const program = await findProgram(name);
  if (!program) return false;
  return runProgram(program, words).then(
    () => true,
    () => false,
  );
}

/** Apart from the machine's own libraries, which may be older than the quickstart asks for. */
async function installPythonLibraries(): Promise<void> {
  const python = await findProgram('python3');
  if (!python) throw new Error('python3 is not installed');
  await runProgram(python, ['-m', 'venv', pythonFolder]);
  const programs = ['examples/quickstarts', 'examples/resource-servers', 'test/interop/clients'];
  const requirements = programs.flatMap((folder) => ['-r', join(root, folder, 'python/requirements.txt')]);
  const own = join(pythonFolder, 'bin/python');
  await runProgram(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
}
