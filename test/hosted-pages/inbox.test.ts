// The development inbox: a list that looks for new mail by itself, a message as HTML and as text, a code to take along.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hasChromium } from '../harness/chromium.ts';
import { type Lab, openLab, type Person, watchPeople } from './lab.ts';
import { mailbox, startWalk } from './walk.ts';

((await hasChromium()) ? describe : describe.skip)('the development inbox', () => {
  let lab: Lab;
  const watch = watchPeople();
  beforeAll(async () => {
    lab = await openLab();
  });
  afterEach(() => watch.end());
  afterAll(() => lab?.stop());

  async function open(path: string, options: Parameters<Lab['person']>[0] = {}): Promise<Person> {
    const person = watch.add(
      await lab.person({ permissions: ['clipboard-read', 'clipboard-write'], ...options }),
    );
    await person.page.goto(lab.service.url + path);
    return person;
  }

  async function askForCode(email: string): Promise<string> {
    const read = await mailbox(lab.service, email);
    const walker = await startWalk(lab.service, lab.application);
    await walker.submit('sign-in', { email });
    return read();
  }

  async function picture({ page }: Person, name: string): Promise<void> {
    const folder = process.env.SCREENSHOTS;
    if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  test('shows what arrives without being asked, and copies the code by one press', async () => {
    const email = 'arrives@example.com';
    const person = await open(`/dev/inbox?to=${email}`);
    const { page } = person;
    expect(await page.innerText('main')).toContain('No mail yet.');
    const code = await askForCode(email);
    await page.waitForSelector(`a:has-text("${code} is your Nordlicht Notes code")`);
    expect(await person.findings()).toEqual([]);
    await picture(person, 'inbox');
    await page.click('.inbox-code button');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(code);
  });

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';
    test(`a message is read as HTML and as text (${how} JavaScript)`, async () => {
      const email = `reads.${how}@example.com`;
      const code = await askForCode(email);
      const person = await open(`/dev/inbox?to=${email}`, {
        javaScriptEnabled,
        viewport: { width: 390, height: 844 },
        colorScheme: 'dark',
      });
      const { page } = person;
      await page.click('main li a');
      const mail = page.frameLocator('iframe');
      expect(await mail.locator('body').innerText()).toContain(code);
      await picture(person, `inbox-message-${how}`);
      if (javaScriptEnabled) expect(await person.findings()).toEqual([]);
      expect(await person.overflows()).toBe(false);
      await page.click('.tab:has-text("Text")');
      await page.waitForSelector('pre');
      expect(await page.innerText('pre')).toContain('Enter this code');
      expect(await page.isVisible('.inbox-code button')).toBe(javaScriptEnabled);
    });
  }

  test('threat 150: what stands in a mail neither runs nor leaves its frame', async () => {
    const name = '"><script>document.title="run"</script><form action=//evil.example>';
    const application = await lab.service.register({ name });
    const read = await mailbox(lab.service, 'hostile@example.com');
    const walker = await startWalk(lab.service, application);
    await walker.submit('sign-in', { email: 'hostile@example.com' });
    await read();
    const { page } = await open('/dev/inbox?to=hostile@example.com');
    const path = await page.getAttribute('main li a', 'href');
    const alone = await fetch(`${lab.service.url}${path}/html`);
    expect(alone.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*sandbox/);
    expect(await alone.text()).not.toMatch(/<script|<form/);
    expect((await fetch(`${lab.service.url}/dev/inbox/mail_${'0'.repeat(32)}`)).status).toBe(404);
  });
});
