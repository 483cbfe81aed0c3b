// The pages of webhook subscriptions in a real browser, in every look, from the first endpoint to its end.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { hasChromium } from '../harness/chromium.ts';
import { until } from '../harness/until.ts';
import { answerOk, answerStatus } from '../webhooks/sink.ts';
import { looks, settingsWatch } from './looks.ts';
import { openWebhookLab, SECRET, type WebhookLab } from './webhook-lab.ts';

let webhooks: WebhookLab;
let lab: WebhookLab['lab'];
let sink: WebhookLab['sink'];
let base: string;

beforeAll(async () => {
  webhooks = await openWebhookLab();
  ({ lab, sink, base } = webhooks);
});
afterAll(() => webhooks?.stop());
afterEach(() => {
  sink.respond = answerOk;
});

/** Chromium refuses a reload while the answer of a form is still coming; whoever asks again gets the page. */
const reloaded = (page: Page): Promise<string> =>
  page.reload().then(
    () => page.content(),
    () => '',
  );

((await hasChromium()) ? describe : describe.skip)('webhooks in a browser', () => {
  const watch = settingsWatch();
  afterEach(() => watch.end());

  for (const look of looks) {
    test(look.name, async () => {
      const person = watch.add(await lab.person(lab.acme.owner, look.options));
      const { page } = person;
      const see = (name: string) => watch.look(person, look, name);
      const submit = () => page.click('main form .button-primary');
      await page.goto(`${lab.service.url}${base}`);
      await see('webhooks');
      await page.click('text=Add an endpoint');
      await page.uncheck('#sign_ins');
      await page.uncheck('#registrations');
      await page.fill('[name=url]', 'https://localhost:22/hooks');
      await submit();
      await see('webhook-refused');
      expect(await page.inputValue('[name=url]')).toBe('https://localhost:22/hooks');
      await page.fill('[name=url]', sink.url);
      await page.check('#sign_ins');
      await page.check('#registrations');
      await submit();
      await see('webhook-made');
      const secret = (await page.innerText('[data-copy-value]')).trim();
      expect(secret).toMatch(SECRET);
      const path = page.url();
      await page.goto(`${path}/health`);
      await see('webhook-health');
      await page.click('button:has-text("Send test event")');
      await until('the page says that it was accepted', () => reloaded(page), {
        isIt: (text) => text.includes('Accepted'),
      });
      await see('webhook-delivery');
      const body = await page.innerText('[data-copy-value]');
      const headers = await page.innerText('.attempt pre >> nth=0');
      sink.respond = answerStatus(503);
      await page.click('button:has-text("Send again")');
      await until('the page says 503', () => reloaded(page), { isIt: (text) => text.includes('503') });
      await see('webhook-delivery-failing');
      await page.goto(path);
      await see('webhook-failing');
      await page.goto(`${path}/settings`);
      await see('webhook-settings');
      await page.click('text=Rotate secret');
      await see('webhook-secret');
      await submit();
      await see('webhook-rotated');
      await page.goto(`${lab.service.url}${base}/check?subscription=${path.split('/').at(-1)}`);
      await page.fill('[name=headers]', headers);
      await page.fill('[name=body]', JSON.stringify(JSON.parse(body), null, 2));
      await submit();
      await see('webhook-check-failed');
      expect(await page.innerText('[role=alert]')).toContain('Body is exact');
      await page.fill('[name=body]', body);
      await submit();
      await see('webhook-check-genuine');
      expect(await page.innerText('output')).toContain('genuine');
      sink.respond = answerStatus(410);
      await page.goto(`${path}/health`);
      await page.click('button:has-text("Send test event")');
      await page.goto(path);
      await until('the page says that it is disabled', () => reloaded(page), {
        isIt: (text) => text.includes('This subscription is disabled'),
      });
      await see('webhook-disabled');
      await page.goto(`${path}/delete`);
      await see('webhook-delete');
      await page.click('main form .button-final');
      expect(await page.innerText('output')).toContain('deleted');
      sink.respond = answerOk;
    });
  }
});
