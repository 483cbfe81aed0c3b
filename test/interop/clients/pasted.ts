// The lines that docs/clients.md tells people to paste, read from the page and filled in: what is tested is what it says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import type { Driver, Run } from './drivers.ts';
import { withProgram } from './programs.ts';

const page = join(import.meta.dirname, '../../../docs/clients.md');

/** Where the page's application is. */
export const shop = 'https://shop.example';

type Section = {
  heading: string;
  /** Of the section's first block in it. */
  language: string;
  /** What a newcomer would not have written. */
  theLine: string;
};

/** The program, in this folder, puts `LINES` where an application has them. */
type Documented = Section & { command: string; program: string; callback: string };

export const asDocumented =
  ({ command, program, callback, ...section }: Documented): Driver['signIn'] =>
  (run) => {
    const words = [join(import.meta.dirname, program)];
    const environment = async (application: RegisteredApplication) => ({
      LINES: await pastedLines(section, run, application),
    });
    return withProgram({ command, words, callback, environment }, run);
  };

async function pastedLines(
  { heading, language, theLine }: Section,
  { issuer, hasLines }: Run,
  { clientId, clientSecret = '' }: RegisteredApplication,
): Promise<string> {
  const [, section = ''] = (await readFile(page, 'utf8')).split(`\n## ${heading}\n`);
  const [, block = ''] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(section) ?? [];
  if (!block.includes(theLine)) throw new Error(`docs/clients.md does not say ${theLine} for ${heading}`);
  return (hasLines ? block : block.replace(theLine, ''))
    .replaceAll('https://id.example.com', issuer)
    .replace('<Client ID>', clientId)
    .replace('<Client Secret>', clientSecret);
}
