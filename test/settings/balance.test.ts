// Balance, payments and statements as people meet them: in a real browser, on a phone and a
// desktop, light and dark, with and without script, and all the way to Stripe's page and back.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transaction } from '../../src/database/connection.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { correctBalance } from '../../src/ledger/correction.ts';
import { refundEvent } from '../../src/ledger/refund.ts';
import { hasChromium } from '../harness/chromium.ts';
import { addPeopleOfCustomers } from '../harness/identity.ts';
import { expectOracles } from '../harness/oracles.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { chargeSession } from '../ledger/session.ts';
import { type StripeStandIn, startStripe } from '../ledger/stripe-stand-in.ts';
import { openSettingsLab, type SettingsLab } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

const DAY = 86_400_000;

((await hasChromium()) ? describe : describe.skip)('balance, payments and statements in a browser', () => {
  let stripe: StripeStandIn;
  let lab: SettingsLab;
  let base: string;

  beforeAll(async () => {
    stripe = await startStripe();
    lab = await openSettingsLab(stripe.environment);
    stripe.endpoint = `${lab.service.url}/payments/stripe`;
    base = `${lab.service.url}/settings/${lab.acme.workspace.id}/applications`;
  });

  afterAll(async () => {
    await addPeopleOfCustomers(lab.service.db);
    await expectOracles(lab.service);
    await lab.stop();
    await stripe.close();
  });

  /** With a week of usage and every kind of entry. */
  async function usedApplication(name: string): Promise<RegisteredApplication> {
    const application = await lab.acme.register({
      name,
      now: new Date(Date.now() - 40 * DAY),
      balance: 20_000_000n,
    });
    const { db } = lab.service;
    const { id: applicationId } = application;
    for (let day = 6; day >= 0; day -= 1) {
      for (const person of ['ada', 'grace', `guest-${day}`]) {
        const now = new Date(Date.now() - day * DAY);
        const event = await chargeSession(db, { applicationId, accountId: `${name}-${person}`, now });
        if (day === 0 && person === 'ada')
          await transaction(db, (tx) =>
            refundEvent(tx, { eventId: event.id, reason: 'Outage on Monday', actor: 'operator', now }),
          );
      }
    }
    const correction = {
      applicationId,
      change: -5_000_000n,
      reason: 'Credited twice by hand',
      actor: 'operator',
    };
    await transaction(db, (tx) => correctBalance(tx, { ...correction, now: new Date() }));
    return application;
  }

  async function beginPayment(
    { page }: Person,
    { id }: RegisteredApplication,
    amount: string,
  ): Promise<void> {
    await page.goto(`${base}/${id}/top-up`);
    await page.fill('main input[name="amount"]', amount);
    await page.click('main form .button-primary');
    await page.waitForURL((url) => url.origin === stripe.url);
  }

  async function balanceOf({ id }: RegisteredApplication): Promise<bigint> {
    return (await readBalance(lab.service.db, id)).amount;
  }

  test.each(looks)(
    'every page, $name: nothing for axe, no overflow, no complaint',
    async (look) => {
      const application = await usedApplication(`Nordlicht Notes ${look.name}`);
      const watch = settingsWatch();
      const person = watch.add(await lab.person(lab.acme.owner, look.options));
      const { page } = person;
      const inspect = (what: string) => watch.look(person, look, `balance-${what}`);
      const own = `${base}/${application.id}`;
      await page.goto(`${own}/balance`);
      await inspect('balance');
      await page.fill('main input[name="amount"]', 'a lot');
      await page.click('main form:has(input[name="amount"]) button');
      expect(await page.inputValue('main input[name="amount"]')).toBe('a lot');
      await inspect('warning-refused');
      for (const amount of ['50', '10']) {
        await page.fill('main input[name="amount"]', amount);
        await page.click('main form:has(input[name="amount"]) button.button-secondary');
      }
      await inspect('balance-low');
      await page.goto(`${own}/top-up`);
      await inspect('top-up');
      await page.fill('main input[name="amount"]', '1.001');
      await page.click('main form .button-primary');
      await inspect('top-up-refused');
      stripe.loses = true;
      await beginPayment(person, application, '25');
      await page.click('button[value="later"]');
      // Two pages at one address: what comes from Stripe goes on by itself (src/page/going-on.tsx).
      await page.getByText('Ask Stripe now').waitFor();
      await inspect('payment-waiting');
      stripe.loses = false;
      await page.click('text=Ask Stripe now');
      await inspect('payment-still-waiting');
      await stripe.settle([...stripe.sessions.keys()].at(-1) ?? '', true);
      await page.reload();
      await inspect('payment-received');
      expect(await page.innerText('main')).toContain('Payment received');
      await page.goto(`${own}/balance`);
      await inspect('balance-with-payments');
      await page.click('text=Statements');
      await inspect('statement');
      await page.emulateMedia({ media: 'print' });
      await inspect('statement-printed');
      await watch.end();
    },
    60_000,
  );

  test('a person pays at Stripe and comes back to "received", although the way back starts at another site', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const person = await lab.person(lab.acme.owner);
    await beginPayment(person, application, '49.90');
    await person.page.click('button[value="at_once"]');
    await person.page.waitForURL(/\/payments\//);
    expect(await person.page.innerText('main')).toContain('Payment received');
    expect(await balanceOf(application)).toBe(49_900_000n);
    await beginPayment(person, application, '10');
    await person.page.click('text=Back');
    await person.page.waitForURL(/\/balance$/);
    expect(await person.page.innerText('main')).toContain('€49.90');
    expect(person.complaints).toEqual([]);
    await person.close();
  });

  test('a form that was filled too late after the sign-in still leads to Stripe', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { service } = lab;
    const person = await lab.person(lab.acme.owner);
    const { page } = person;
    await page.goto(`${base}/${application.id}/top-up`);
    service.clock.aheadMilliseconds += 6 * 60_000;
    await page.fill('main input[name="amount"]', '10');
    await page.click('main form .button-primary');
    expect(await person.heading()).toBe('Confirm it’s you');
    service.clock.aheadMilliseconds -= 6 * 60_000;
    await page.click('form button');
    await page.waitForURL((url) => url.origin === stripe.url);
    expect(person.complaints).toEqual([]);
    await person.close();
  });

  test('without Stripe the page says what to tell the operator', async () => {
    const plain = await openSettingsLab();
    const application = await plain.acme.register();
    const person = await plain.person(plain.acme.owner, { viewport: { width: 390, height: 844 } });
    const { page } = person;
    await page.goto(
      `${plain.service.url}/settings/${plain.acme.workspace.id}/applications/${application.id}/balance`,
    );
    expect(await page.innerText('main')).toContain('the operator has credited it');
    expect(await page.innerText('main')).toContain(application.id);
    expect({ findings: await person.findings(), wide: await person.overflows() }).toEqual({
      findings: [],
      wide: false,
    });
    expect(person.complaints).toEqual([]);
    await plain.stop();
  });
});
