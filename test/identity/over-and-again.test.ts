// A person whose proof is worth nothing any more is asked to prove again, in the same interaction, and gets in.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ours } from '../account-page/account-lab.ts';
import type { Page } from '../harness/browserless-browser.ts';
import { chooseForm, inboxReader } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { stopAt } from './by-half.ts';
import { outcomeOf, registerWithPassword, SIGNED_IN } from './identity-lab.ts';

let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
});
afterAll(() => service.stop());

test('a code that was typed too early is not asked for in a circle: a new one leads on', async () => {
  const email = 'over.again@example.com';
  const browser = ours();
  const welcome = await stopAt('welcome', startAttempt(service, application).url, { email, browser });
  await registerWithPassword({ service, application }, { email });
  const readCode = await inboxReader(`${service.url}/dev/inbox.json`, email);
  let page: Page = welcome;
  const seen: string[] = [];
  for (let pages = 0; pages < 8; pages += 1) {
    const step = chooseForm(page, {});
    if (!step) throw new Error(`no way on from ${page.url}`);
    const typed: Record<string, string> = {};
    for (const { name } of step.form.fields) {
      if (name === 'code') typed.code = await readCode(email);
      if (name === 'email') typed.email = email;
      if (name === 'name') typed.name = 'Ada Lovelace';
    }
    const arrival = await browser.submit(page, step.form, typed, step.button);
    if ('leftTo' in arrival) {
      expect(outcomeOf(arrival)).toBe(SIGNED_IN);
      expect(seen).toEqual(['sign-in', 'code']);
      return;
    }
    page = arrival.page;
    seen.push(new URL(page.url).pathname.split('/').at(-1) ?? '');
  }
  throw new Error(`in a circle: ${seen.join(', ')}`);
});
