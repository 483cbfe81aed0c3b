// The lines that docs/clients.md tells people to paste, read from the page and filled in: what is tested is what it says.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import type { Run } from './drivers.ts';

const page = join(import.meta.dirname, '../../../docs/clients.md');

/** Where the page's application is. */
export const shop = 'https://shop.example';

type Wanted = {
  /** Of the section, whose first block of this language is meant. */
  heading: string;
  language: string;
  /** What a newcomer would not have written. */
  theLine: string;
};

export async function pastedLines(
  { heading, language, theLine }: Wanted,
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
