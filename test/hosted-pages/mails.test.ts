// The mails that people get, as a mail server and the development inbox receive them: the code in the subject, what asked
// for it in words, the same in text and HTML, in every language, and nothing in them that is fetched from anywhere.

import { mkdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { enterAccount } from '../account-page/account-walk.ts';
import { hasChromium, launchChromium } from '../harness/chromium.ts';
import { startSmtp, type TestSmtp } from '../harness/smtp.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { mailbox, mails, startWalk } from './walk.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

let service: TestTollgate;
let application: RegisteredApplication;
beforeAll(async () => {
  service = await startTollgate();
  application = await service.register({ name: 'Nordlicht Notes' });
});
afterAll(() => service?.stop());

/** Asks for a code in a language; the mail and the code in it. */
async function askForCode(email: string, language: string, userAgent = FIREFOX) {
  const readCode = await mailbox(service, email);
  const walker = await startWalk(service, application, {
    headers: { 'user-agent': userAgent },
    parameters: { ui_locales: language },
  });
  await walker.submit('sign-in', { email });
  const code = await readCode();
  const [mail] = await mails(service, email);
  if (!mail) throw new Error('no mail');
  return { ...mail, code };
}

const languages = [
  ['en', (code: string) => `${code} is your Nordlicht Notes code`, 'Firefox on Windows', 'Device'],
  ['de', (code: string) => `${code} ist Ihr Code für Nordlicht Notes`, 'Firefox auf Windows', 'Gerät'],
  ['fr', (code: string) => `${code} est votre code pour Nordlicht Notes`, 'Firefox sur Windows', 'Appareil'],
  ['es', (code: string) => `${code} es su código para Nordlicht Notes`, 'Firefox en Windows', 'Dispositivo'],
] as const;

describe('a mail with a code', () => {
  test.each(languages)(
    'in %s: subject, device, time, and the same words in text and HTML',
    async (language, subject, device, word) => {
      const mail = await askForCode(`code.${language}@example.com`, language);
      expect(mail.subject).toBe(subject(mail.code));
      expect(mail.text).toContain(`    ${mail.code}\n`);
      expect(mail.text).toContain(`${word}: ${device}\n`);
      expect(mail.text).toMatch(/: .*20\d\d.* UTC\n/);
      expect(mail.text).toContain('-- \nNordlicht Notes');
      expect(mail.html).toContain(`<html lang="${language}">`);
      expect(wordsOf(mail.html)).toContain(device);
      for (const paragraph of mail.text.split('\n\n').filter((each) => !/^ {4}|: |^-- /.test(each)))
        expect(wordsOf(mail.html)).toContain(paragraph.trim().replace(/\s+/g, ' '));
    },
  );

  test('threat 147: nothing in it is fetched, runs or is asked of a third party; no network address stands in it', async () => {
    const { html, text } = await askForCode('quiet@example.com', 'en');
    expect(html).not.toMatch(/<(img|script|link|iframe|object|video|audio)\b|url\(|@import|\bsrc=|https?:/i);
    expect(`${html}${text}`).not.toContain('127.0.0.1');
  });

  test('a browser that calls itself by markup or line ends is an unknown device', async () => {
    const { html, text } = await askForCode('liar@example.com', 'en', '<b>Eve</b> "quoted"');
    expect(text).toContain('Device: Unknown device');
    expect(html).not.toContain('Eve');
  });

  test('goes to a mail server with both parts, the code in the subject line, and to one mailbox', async () => {
    const smtp: TestSmtp = await startSmtp();
    const sending = await startTollgate({ SMTP_URL: smtp.url });
    try {
      const walker = await startWalk(sending, await sending.register({ name: 'Nordlicht Notes' }));
      await walker.submit('sign-in', { email: 'smtp@example.com' });
      const envelope = await until('the mail has come', () => smtp.accepted[0]);
      expect(envelope.to).toEqual(['smtp@example.com']);
      expect(envelope.message).toMatch(/^Subject: \d{6} is your Nordlicht Notes code\r?$/m);
      expect(envelope.message).toContain('Content-Type: text/plain');
      expect(envelope.message).toContain('Content-Type: text/html');
    } finally {
      await sending.stop();
      await smtp.stop();
    }
  });
});

describe('a mail about the account', () => {
  test('says which device and when, and what to do if it was somebody else', async () => {
    const person = await enterAccount(service, 'told@example.com', '/account/password');
    const form = await person.open('/account/password');
    await person.send(form, '/account/password', { password: 'marzipan tugboat lantern' });
    const text = await person.mail('was just set');
    expect(text).toContain('Application: Tollgate');
    expect(text).toMatch(/Time: .* UTC/);
    expect(text).toContain('If this wasn’t you');
  });
});

((await hasChromium()) ? describe : describe.skip)('in a mail program', () => {
  test.each(['light', 'dark'] as const)(
    '%s: nothing is wider than a phone, and text stands out',
    async (colorScheme) => {
      const { html } = await askForCode(`looks.${colorScheme}@example.com`, 'de');
      const browser = await launchChromium();
      try {
        const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 700 } });
        await page.setContent(html);
        const folder = process.env.SCREENSHOTS;
        if (folder) {
          await mkdir(folder, { recursive: true });
          await page.screenshot({ path: `${folder}/mail-${colorScheme}.png`, fullPage: true });
        }
        const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect(await page.evaluate(isWide)).toBe(false);
        const card = await page.$eval(
          '.m-card',
          (element) => element.ownerDocument.defaultView?.getComputedStyle(element).backgroundColor,
        );
        expect(card).toBe(colorScheme === 'dark' ? 'rgb(22, 24, 29)' : 'rgb(255, 255, 255)');
      } finally {
        await browser.close();
      }
    },
  );
});

function wordsOf(html: string): string {
  return html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replace(/\s+/g, ' ');
}
