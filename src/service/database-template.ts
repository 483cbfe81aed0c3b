// A migrated, empty embedded database that the installation makes once, so that a first start copies files instead
// of initialising PostgreSQL for seconds. Without it (or with an older one) a start does the missing work itself.
import { chmod, cp, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../database/connection.ts';
import { migrate } from '../database/migrate.ts';
import { createLog } from '../log.ts';
import { startJobs } from '../queue/jobs.ts';

const manifest = fileURLToPath(import.meta.resolve('#root/package.json'));
const template = join(dirname(manifest), 'dist', 'database-template');

/** For the installation; an earlier template is replaced. */
export async function makeTemplate(): Promise<void> {
  await rm(template, { recursive: true, force: true });
  const unfinished = `${template}.new`;
  await rm(unfinished, { recursive: true, force: true });
  const connection = await openDatabase({ folder: unfinished });
  await migrate(connection);
  const jobs = await startJobs({ connection, log: createLog({ level: 'silent' }) });
  await jobs.stop();
  await connection.close();
  await rename(unfinished, template);
}

/** Gives a database that does not exist yet the template's files: all of them or, after a crash, none. */
export async function placeTemplate(folder: string): Promise<void> {
  if ((await exists(folder)) || !(await exists(template))) return;
  const unfinished = `${folder}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(template, unfinished, { recursive: true });
  // The copy has the template's modes; the data in it will be for its owner only.
  await chmod(unfinished, 0o700);
  await rename(unfinished, folder);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
