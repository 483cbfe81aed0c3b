// Apache with mod_auth_openidc as docs/clients.md sets it up: the lines are read from the page.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Apache, startApache } from '../../harness/apache.ts';
import { freePort } from '../../harness/free-port.ts';
import type { RegisteredApplication } from '../../harness/tollgate.ts';
import { applicationBrowser, certificate } from '../../harness/web-application.ts';
import { type Driver, throughWebsite } from './drivers.ts';

const page = join(import.meta.dirname, '../../../docs/clients.md');
const theLine = 'OIDCPKCEMethod S256';

type Settings = { issuer: string; port: number; application: RegisteredApplication; hasLines?: boolean };

/** Where the page says that Tollgate sends people back to. */
export const callbackAt = (port: number) => `https://localhost:${port}/members/signed-in`;

export async function apacheAsDocumented(settings: Settings): Promise<Apache> {
  const { issuer, port, application, hasLines = true } = settings;
  const [, documented = ''] = /```apache\n(.*?)```/s.exec(await readFile(page, 'utf8')) ?? [];
  const filled = documented
    .replace('https://id.example.com', issuer)
    .replace('https://shop.example', `https://localhost:${port}`)
    .replace('<Client ID>', application.clientId)
    .replace('<Client Secret>', application.clientSecret ?? '')
    .replace('<32 random characters>', 'a passphrase for the cookies here');
  if (!filled.includes(theLine)) throw new Error(`docs/clients.md does not say ${theLine}`);
  return startApache(hasLines ? filled : filled.replace(theLine, ''), { port, certificate });
}

export const modAuthOpenidc = (version: string): Driver => ({
  name: 'Apache mod_auth_openidc',
  version,
  isOfTheSystem: true,
  lines: `\`${theLine}\``,
  async signIn(run) {
    const port = await freePort();
    const application = await run.register(callbackAt(port));
    const { issuer, hasLines } = run;
    const apache = await apacheAsDocumented({ issuer, port, application, hasLines });
    try {
      const protectedPage = `https://localhost:${port}/members/account`;
      const browser = applicationBrowser();
      const start = await browser.open(protectedPage);
      if (!('leftTo' in start)) throw new Error(`Apache starts no sign-in: ${await apache.log()}`);
      return await throughWebsite(browser, start.leftTo, run, protectedPage);
    } finally {
      await apache.stop();
    }
  },
});
