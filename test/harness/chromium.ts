// A real browser for the tests that need one: skipped where none is installed, required where CI is set.
import { access } from 'node:fs/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { inboxReader } from './browserless-person.ts';

const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].filter((path) => path !== undefined);

export async function findChromium(): Promise<string | undefined> {
  for (const path of candidates) {
    const isThere = await access(path).then(
      () => true,
      () => false,
    );
    if (isThere) return path;
  }
  return undefined;
}

export async function hasChromium(): Promise<boolean> {
  const isThere = (await findChromium()) !== undefined;
  if (!isThere && process.env.CI) throw new Error('Chromium is required where CI is set');
  return isThere;
}

export async function launchChromium(): Promise<Browser> {
  const executablePath = await findChromium();
  if (executablePath === undefined) throw new Error('no Chromium found; say with CHROMIUM where it is');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
}

/** Collects what a developer would see in red: errors, exceptions, violations of the content security policy. */
export function watchConsole(context: BrowserContext): string[] {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.location().url}: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(String(error.error())));
  return complaints;
}

/** From the sign-in page until the browser has left the hosted pages; waits for nothing that is not shown. */
export async function signInOnPages(
  page: Page,
  { issuer, email, name = 'Ada Lovelace' }: { issuer: string; email: string; name?: string },
): Promise<void> {
  const readCode = await inboxReader(`${issuer}/dev/inbox.json`, email);
  const isHosted = () => page.url().startsWith(issuer);
  for (let pages = 0; pages < 10 && isHosted(); pages += 1) {
    const code = page.locator('input[autocomplete="one-time-code"]');
    const address = page.locator('input[type="email"]');
    const nameField = page.locator('input[autocomplete="name"]');
    const before = page.url();
    if (await code.isVisible()) await code.fill(await readCode(email));
    if (await address.isVisible()) await address.fill(email);
    if (await nameField.isVisible()) await nameField.fill(name);
    await page.locator('main button[type="submit"]').first().click();
    await page.waitForURL((url) => url.href !== before);
  }
  if (isHosted()) throw new Error(`still on ${page.url()}`);
}
