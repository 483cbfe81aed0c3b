// The looks in which pages of company settings are tried, and what is asked of every page in each of them: no finding
// of axe-core, nothing that scrolls sideways, no complaint of the browser, and with SCREENSHOTS=folder a picture to look at.
import { expect } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { type Person, watchPeople } from '../hosted-pages/lab.ts';

export type Look = { name: string; options: BrowserContextOptions };

const phone = { width: 390, height: 844 };
const desktop = { width: 1280, height: 860 };

/** Each of colours and widths once; a page that is right in both is right in the other two. */
export const looks: Look[] = [
  { name: 'light-desktop', options: { colorScheme: 'light', viewport: desktop } },
  { name: 'dark-phone', options: { colorScheme: 'dark', viewport: phone } },
  {
    name: 'light-phone-without-script',
    options: { colorScheme: 'light', viewport: phone, javaScriptEnabled: false },
  },
];

export function settingsWatch() {
  return {
    ...watchPeople(),
    async look(person: Person, { name, options }: Look, page: string): Promise<void> {
      const folder = process.env.SCREENSHOTS;
      if (folder) await person.page.screenshot({ path: `${folder}/${page}-${name}.png`, fullPage: true });
      // Axe is a script itself; the same pages are asked with scripts on.
      if (options.javaScriptEnabled === false) return;
      expect({ page, findings: await person.findings(), overflows: await person.overflows() }).toEqual({
        page,
        findings: [],
        overflows: false,
      });
    },
  };
}
