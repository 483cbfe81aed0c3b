// Debian's packages for `npm run servers`: installed as root, or through sudo, without starting the services that they
// bring (test/servers/install.sh).
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findProgram, isRoot } from './program.ts';

/** false where there is no apt-get. @throws when it fails, or nobody may use it. */
export async function installPackages(packages: string[]): Promise<boolean> {
  if (!(await findProgram('apt-get'))) return false;
  const sudo = isRoot ? undefined : await findProgram('sudo');
  if (!isRoot && sudo === undefined) throw new Error(`As root: apt-get install ${packages.join(' ')}`);
  const words = [...(sudo ? [sudo] : []), 'sh', join(import.meta.dirname, 'install.sh'), ...packages];
  const [program = 'sh', ...rest] = words;
  const { code, said } = await run(program, rest);
  if (code !== 0) throw new Error(`Could not install ${packages.join(' ')}:\n${said}`);
  return true;
}

/** Packages say much while they are installed, which matters only when it fails. sudo asks on the terminal itself. */
function run(program: string, words: string[]): Promise<{ code: number | null; said: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, { stdio: ['inherit', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.on('data', (data) => (said += String(data)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, said }));
  });
}
