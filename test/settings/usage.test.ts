// Usage and sign-in traces as a company sees them: the numbers, the chart, why sign-ins fail
// and what became of each; on a phone and a desktop, light and dark, without JavaScript; nobody sees another company's.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { listRecentEvents } from '../../src/ledger/usage-recent.ts';
import { scaleFor } from '../../src/page/chart.tsx';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { exchange, readCallback, startAttempt } from '../harness/client.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { until } from '../harness/until.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import { openSettingsLab, type SettingsLab, type SettingsWorkspace, type Visitor } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

const browser = createBrowser();

let lab: SettingsLab;
beforeAll(async () => {
  lab = await openSettingsLab();
});
afterAll(() => lab?.stop());

async function newCode(application: RegisteredApplication, changed: Record<string, string> = {}) {
  const attempt = startAttempt(lab.service, application, changed);
  const email = 'grace@example.test';
  const callback = await signInAs({ authorizationUrl: attempt.url, email, browser });
  const { code = '' } = readCallback(callback);
  return { code, verifier: attempt.verifier, trace: traceIdOf(application.clientId, attempt.nonce) };
}

/** A verifier that did not match, and then the right one. */
async function troubledSignIn(application: RegisteredApplication): Promise<string> {
  const made = await newCode(application);
  const wrong = await exchange(lab.service, application, { ...made, verifier: 'v'.repeat(43) });
  expect(wrong.body.error).toBe('invalid_grant');
  expect((await exchange(lab.service, application, made)).status).toBe(200);
  return made.trace;
}

const settings = ({ workspace }: SettingsWorkspace, rest: string) => `/settings/${workspace.id}${rest}`;

/** Steps are written a moment after they happen. */
async function getWith(visitor: Visitor, path: string, text: string): Promise<string> {
  return until(`${path} says ${text}`, async () => (await visitor.get(path)).html, {
    isIt: (html) => html.includes(text),
  });
}

describe('the usage page', () => {
  test('counts, costs and failures by application and period, all from the address', async () => {
    const { acme, service } = lab;
    const shop = await acme.register({ name: 'Counted shop' });
    const until = new Date();
    await writeHistory(service.db, { applicationId: shop.id, until, days: 40, perDay: 10, customers: 5 });
    const visitor = lab.visitor(acme.viewer);
    const figures = async (days: number) => {
      const { html } = await visitor.get(settings(acme, `/usage?application=${shop.id}&days=${days}`));
      return [...html.matchAll(/stat-figure">([^<]*)</g)].map(([, figure]) => figure?.replace(/[€,]/g, ''));
    };
    const [week, month] = [await figures(7), await figures(30)];
    expect(Number(month[1])).toBeGreaterThan(Number(week[1]));
    const [registrations, signIns, cost] = month.map(Number);
    expect(cost).toBeCloseTo((registrations ?? 0) * 0.05 + (signIns ?? 0) * 0.02, 6);
    expect((await visitor.get(settings(acme, '/usage?days=nonsense'))).status).toBe(200);
  });

  test('a failure appears by its reason, in the list, and leads to the trace with the charge and the webhook', async () => {
    const { acme } = lab;
    const shop = await acme.register({ name: 'Troubled shop' });
    const trace = await troubledSignIn(shop);
    const visitor = lab.visitor(acme.viewer);
    const usage = settings(acme, `/usage?application=${shop.id}`);
    await getWith(visitor, usage, 'The verifier did not match the challenge.');
    const html = await getWith(visitor, usage, settings(acme, `/usage/traces/${trace}`));
    const [, event] = /\/usage\/traces\/(evt_\w+)/.exec(html) ?? [];
    for (const name of [trace, event]) {
      const page = (await visitor.get(settings(acme, `/usage/traces/${name}`))).html;
      const order = ['page was opened', 'one-time code', 'Consent was given', 'did not match', 'charged'];
      const places = order.map((text) => page.indexOf(text));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(places).not.toContain(-1);
      expect(page).toContain('Signed in');
    }
    const found = await visitor.get(settings(acme, `/usage/traces?trace=%20${trace}%20`));
    expect(found.location).toContain(settings(acme, `/usage/traces/${trace}`));
  });

  test('an unregistered origin: the trace leads to the form with the origin in it, which anybody may have made up', async () => {
    const { acme, service } = lab;
    const shop = await acme.register({ name: 'Single page shop', clientType: 'public' });
    const made = await newCode(shop);
    const headers = { origin: 'https://spa.example.test' };
    expect((await exchange(service, shop, { ...made, headers })).status).toBe(400);
    const visitor = lab.visitor(acme.owner);
    const path = settings(acme, `/usage/traces/${made.trace}`);
    const html = await getWith(visitor, path, 'Register https://spa.example.test');
    expect(html).toContain('Its script cannot read the response.');
    const [, link = ''] = /href="([^"]*addresses\/change\?origin=[^"]*)"/.exec(html) ?? [];
    const form = await visitor.get(link.replaceAll('&amp;', '&'));
    expect(form.html).toContain('value="https://spa.example.test"');
    const found = await visitor.get(settings(acme, `/applications/${shop.id}/addresses`));
    expect(found.html).not.toContain('https://spa.example.test');
  });

  test('a wrong callback: the trace shows what was sent beside what is registered', async () => {
    const { acme, service } = lab;
    const shop = await acme.register({ name: 'Moved shop' });
    const attempt = startAttempt(service, shop, { redirect_uri: `${shop.redirectUris[0]}/` });
    await fetch(attempt.url, { redirect: 'manual', headers: { accept: 'text/html' } });
    const trace = traceIdOf(shop.clientId, attempt.nonce);
    const visitor = lab.visitor(acme.viewer);
    const html = await getWith(visitor, settings(acme, `/usage/traces/${trace}`), 'Registered now');
    expect(html).toContain(`<dt>Sent</dt><dd><code>${shop.redirectUris[0]}/</code></dd>`);
    expect(html).toContain(`<li><code>${shop.redirectUris[0]}</code></li>`);
    expect(html).toContain(settings(acme, `/applications/${shop.id}/addresses"`));
  });

  test('a nonce that was repeated leads to all its attempts', async () => {
    const { acme, service } = lab;
    const shop = await acme.register({ name: 'Repeating shop' });
    const names = [];
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const made = await newCode(shop, { nonce: 'the-same' });
      const answer = await exchange(service, shop, { ...made, verifier: 'v'.repeat(43) });
      names.push(answer.headers.get('x-tollgate-trace') ?? '');
    }
    const beginning = names[0]?.slice(0, 26);
    const visitor = lab.visitor(acme.viewer);
    const html = await getWith(visitor, settings(acme, `/usage/traces?trace=${beginning}`), names[1] ?? '');
    expect(html).toContain(names[0]);
    const { location } = await visitor.get(settings(acme, `/usage/traces/${beginning}`));
    expect(location).toBe(settings(acme, `/usage/traces?trace=${beginning}`));
  });

  test('the webhook of a sign-in stands in its trace with every attempt, and only in that of its own company', async () => {
    const { acme, other, service } = lab;
    const shop = await acme.register({ name: 'Webhook shop' });
    const made = await newCode(shop);
    expect((await exchange(service, shop, made)).status).toBe(200);
    const applicationIds = [shop.id];
    const [event] = await listRecentEvents(service.db, { applicationIds, limit: 1 });
    const eventId = event?.id ?? '';
    const createdAt = event?.occurredAt ?? new Date();
    const message = { eventId, applicationId: shop.id, type: 'identity.login.completed.v1', body: '{}' };
    await service.db.insert(webhookMessages).values({ ...message, createdAt });
    for (const [owner, url] of [
      [acme, 'https://hooks.acme.example/in'],
      [other, 'https://hooks.other.example/in'],
    ] as const) {
      const id = `whs_${owner.workspace.id}`;
      await service.db.insert(webhookSubscriptions).values({
        ...{ id, url, workspaceId: owner.workspace.id, types: [], status: 'paused', createdAt },
        sealedSecret: 'sealed',
      });
      const delivery = { id: `dlv_${id}`, subscriptionId: id, eventId, createdAt };
      await service.db.insert(webhookDeliveries).values({
        ...delivery,
        ...{ status: 'delivered', attemptCount: 2, finishedAt: createdAt },
      });
      const attempt = { deliveryId: delivery.id, durationMs: 35 };
      await service.db.insert(webhookAttempts).values([
        { ...attempt, id: `att_1${id}`, number: 1, failure: 'timeout', startedAt: new Date(+createdAt + 1) },
        { ...attempt, id: `att_2${id}`, number: 2, responseStatus: 204, startedAt: new Date(+createdAt + 2) },
      ]);
    }
    const visitor = lab.visitor(acme.viewer);
    const { html } = await visitor.get(settings(acme, `/usage/traces/${eventId}`));
    const words = html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    expect(words).toContain('https://hooks.acme.example/in: no answer (timeout) after 35 ms.');
    expect(words).toContain('https://hooks.acme.example/in: status 204 after 35 ms.');
    expect(words.indexOf('charged')).toBeLessThan(words.indexOf('attempt 1'));
    expect(words).not.toContain('hooks.other.example');
  });

  test('renews itself only when asked to', async () => {
    const visitor = lab.visitor(lab.acme.viewer);
    expect((await visitor.get(settings(lab.acme, '/usage'))).headers.get('refresh')).toBeNull();
    expect((await visitor.get(settings(lab.acme, '/usage?live=1'))).headers.get('refresh')).toBe('10');
  });

  test("threat 53: another company's application, trace and event are as unknown as made-up ones", async () => {
    const { acme, other } = lab;
    const theirs = await other.register({ name: 'Their secret shop' });
    const trace = await troubledSignIn(theirs);
    const owner = lab.visitor(other.owner);
    await getWith(owner, settings(other, `/usage/traces/${trace}`), 'did not match');
    const theirPage = await owner.get(settings(other, '/usage'));
    const [, event] = /\/usage\/traces\/(evt_\w+)/.exec(theirPage.html) ?? [];
    const spy = lab.visitor(acme.owner);
    const real = [`/usage?application=${theirs.id}`, `/usage/traces/${trace}`, `/usage/traces/${event}`];
    const invented = [
      `/usage?application=app_${'0'.repeat(32)}`,
      `/usage/traces/trc_${'x'.repeat(22)}`,
      `/usage/traces/evt_${'0'.repeat(32)}`,
    ];
    const withoutReference = (html: string) => html.replaceAll(/req_\w+/g, '');
    for (const [index, path] of real.entries()) {
      const answer = await spy.get(settings(acme, path));
      const twin = await spy.get(settings(acme, invented[index] ?? ''));
      expect([answer.status, twin.status]).toEqual([404, 404]);
      expect(withoutReference(answer.html)).toBe(withoutReference(twin.html));
    }
    for (const path of ['/usage', '/usage?days=90']) {
      const { html } = await spy.get(settings(acme, path));
      for (const secret of ['Their secret shop', trace, theirs.id]) expect(html).not.toContain(secret);
    }
    const search = await spy.get(settings(acme, `/usage/traces?trace=${trace}`));
    expect(search.status).toBe(404);
  });

  test('threats 44 and 7: names and searches stay text', async () => {
    const { acme } = lab;
    const name = '"><script>alert(1)</script>';
    await acme.register({ name });
    const visitor = lab.visitor(acme.viewer);
    const { html } = await visitor.get(settings(acme, '/usage'));
    expect(html).toContain('&lt;script');
    expect(html).not.toContain(name);
    const answer = await visitor.get(settings(acme, `/usage/traces?trace=${encodeURIComponent(name)}`));
    expect(answer.html).not.toContain(name);
    expect(answer.status).toBe(404);
    expect((await visitor.get(settings(acme, '/usage?days=7&days=30'))).status).toBe(400);
    expect((await visitor.get(settings(acme, '/usage/traces/%00'))).status).toBe(404);
  });
});

describe('the chart', () => {
  test.each([
    [0, [0, 1, 2]],
    [1, [0, 1, 2]],
    [7, [0, 2, 4, 6, 8]],
    [40, [0, 10, 20, 30, 40]],
    [41, [0, 20, 40, 60]],
    [1_999, [0, 500, 1_000, 1_500, 2_000]],
    [1_234_567, [0, 500_000, 1_000_000, 1_500_000]],
  ])('a highest bar of %i has the lines %j', (highest, ticks) => {
    expect(scaleFor(highest).ticks).toEqual(ticks);
    expect(scaleFor(highest).top).toBe(ticks.at(-1));
  });
});

((await hasChromium()) ? describe : describe.skip)('in a browser', () => {
  test.each(looks.slice(0, 2))('every page reads well: $name', async (look) => {
    const { name, options } = look;
    const watch = settingsWatch();
    const company = await lab.addWorkspace(`Nordlicht ${name}`);
    const person = watch.add(await lab.person(company.developer, options));
    const { page } = person;
    const see = (what: string) => watch.look(person, look, `usage-${what}`);
    const go = (rest: string) => page.goto(`${lab.service.url}${settings(company, rest)}`);
    await go('/usage');
    await see('no-application');
    const shop = await company.register({ name: 'Nordlicht Kundenkonto' });
    await company.register({ name: 'Gruppenbuchung' });
    await go('/usage');
    await see('no-sign-in');
    const trace = await troubledSignIn(shop);
    await fetch(startAttempt(lab.service, shop, { state: null }).url, { redirect: 'manual' });
    const until = new Date(Date.now() - 86_400_000);
    await writeHistory(lab.service.db, {
      applicationId: shop.id,
      until,
      days: 89,
      perDay: 60,
      customers: 40,
    });
    await getWith(lab.visitor(company.viewer), settings(company, '/usage'), 'state was missing.');
    await go('/usage');
    await see('usage-30');
    await page.click('.chart-table > summary');
    await see('usage-table');
    await page.click('.tab:has-text("Last 90 days")');
    await page.selectOption('[name="application"]', { label: 'Nordlicht Kundenkonto' });
    await page.click('.filter button');
    expect(await page.innerText('.content .lead')).toContain('Nordlicht Kundenkonto in the last 90 days');
    await see('usage-90');
    await page.click('.tab:has-text("Last 7 days")');
    await see('usage-7');
    await page.fill('[name="trace"]', 'trc_nothing');
    await page.click('form[action$="/usage/traces"] button');
    await see('trace-unknown');
    await page.fill('[name="trace"]', trace);
    await page.click('form[action$="/usage/traces"] button');
    expect(await page.innerText('h1')).toBe('Sign-in trace');
    await see('trace');
    await watch.end();
  });

  test('everything works without JavaScript', async () => {
    const { acme } = lab;
    const shop = await acme.register({ name: 'Scriptless shop' });
    const trace = await troubledSignIn(shop);
    await getWith(lab.visitor(acme.viewer), settings(acme, `/usage/traces/${trace}`), 'did not match');
    const person = await lab.person(acme.viewer, { javaScriptEnabled: false });
    const { page } = person;
    await page.goto(`${lab.service.url}${settings(acme, '/usage')}`);
    await page.selectOption('[name="application"]', { label: 'Scriptless shop' });
    await page.click('.filter button');
    await page.click('.chart-table > summary');
    expect(await page.locator('.chart-table tbody tr').first().innerText()).toMatch(/0\s+1\s+1$/);
    await page.fill('[name="trace"]', trace);
    await page.click('form[action$="/usage/traces"] button');
    expect(await page.innerText('.timeline')).toContain('The verifier did not match the challenge.');
    const { complaints } = person;
    await person.close();
    expect(complaints).toEqual([]);
  });
});
