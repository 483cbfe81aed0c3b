// Debian's packages for `npm run servers`: installed as root, or through sudo, without starting the services that they
// bring; a machine that is restarted must not find a second set of servers on our ports.
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
  const code = await new Promise((resolve, reject) => {
    // Only its complaints are shown, and sudo may ask for a password.
    spawn(program, rest, { stdio: ['inherit', 'ignore', 'inherit'] })
      .once('error', reject)
      .once('exit', resolve);
  });
  if (code !== 0) throw new Error(`Could not install ${packages.join(' ')}`);
  return true;
}
