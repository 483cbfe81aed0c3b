// Payments by Stripe Checkout (promise 27, threat 74), against a stand-in that speaks Stripe's wire format: what
// credits a balance, exactly once, and what never does.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { createApplication } from '../../src/applications/application.ts';
import { addMember } from '../../src/applications/membership.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { rowsOf, transaction } from '../../src/database/connection.ts';
import { inspectPayments } from '../../src/doctor/payments.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { correctBalance } from '../../src/ledger/correction.ts';
import { askAboutDoubtfulPayments } from '../../src/ledger/payment-outcome.ts';
import { createLog } from '../../src/log.ts';
import { createPaymentProvider } from '../../src/payments/providers.ts';
import { expectOracles } from '../harness/oracles.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from '../settings/lab.ts';
import { STRIPE_KEY, STRIPE_WEBHOOK_SECRET, type StripeStandIn, startStripe } from './stripe-stand-in.ts';

let stripe: StripeStandIn;
let lab: SettingsLab;
let owner: Visitor;
let base: string;

beforeAll(async () => {
  stripe = await startStripe();
  lab = await openSettingsLab(stripe.environment);
  stripe.endpoint = `${lab.service.url}/payments/stripe`;
  owner = lab.visitor(lab.acme.owner);
  base = `/settings/${lab.acme.workspace.id}/applications`;
});

afterEach(() => {
  Object.assign(stripe, { loses: false, fails: false });
});

afterAll(async () => {
  await expectOracles(lab.service, {
    allowServerErrors: true,
    canaries: [STRIPE_KEY, STRIPE_WEBHOOK_SECRET],
  });
  await lab.stop();
  await stripe.close();
});

/** From the form to Stripe: the payment's session there, and our page about it. */
async function begin(application: RegisteredApplication, amount: string) {
  const answer = await owner.post(`${base}/${application.id}/top-up`, { amount });
  expect(answer.status).toBe(303);
  const id = answer.location?.split('/').pop() ?? '';
  const session = stripe.sessions.get(id);
  if (!session) throw new Error(`no session at ${answer.location}`);
  return { id, session, page: new URL(session.success_url).pathname };
}

async function balanceOf({ id }: { id: string }): Promise<bigint> {
  return (await readBalance(lab.service.db, id)).amount;
}

function logged(message: string): number {
  return lab.service.logLines.filter((line) => JSON.parse(line).msg === message).length;
}

describe('a top-up', () => {
  test('goes to Stripe with the payment’s own id, comes back, and is credited by the signed notification', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id, session, page } = await begin(application, '49.90');
    expect(session).toMatchObject({
      amount_total: 4990,
      currency: 'eur',
      metadata: { tollgate_payment: expect.any(String) },
    });
    expect(session.client_reference_id).toBe(session.metadata.tollgate_payment);
    const request = stripe.requests.findLast(({ method }) => method === 'POST');
    expect(request?.headers['idempotency-key']).toBe(session.client_reference_id);
    expect((await owner.get(page)).html).toContain('Waiting for Stripe');
    await stripe.pay(id);
    expect(stripe.sent.at(-1)).toMatchObject({ status: 200 });
    expect((await owner.get(page)).html).toContain('Payment received. €49.90');
    expect(await balanceOf(application)).toBe(49_900_000n);
  });

  test('the address that the browser comes back with credits nothing', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { page } = await begin(application, '10');
    expect((await owner.get(`${page}?paid=yes&status=paid`)).html).toContain('Waiting for Stripe');
    expect(await balanceOf(application)).toBe(0n);
  });

  test('threat 74: however often and at once it is told, it is credited once', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id } = await begin(application, '10');
    await stripe.pay(id);
    const told = stripe.sent.at(-1);
    if (!told) throw new Error('nothing was sent');
    const repeated = await Promise.all(Array.from({ length: 10 }, () => stripe.repeat(told)));
    expect(repeated.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(await balanceOf(application)).toBe(10_000_000n);
  });

  test('a transfer that takes days is credited when it arrives, and not before', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id, page } = await begin(application, '10');
    await stripe.pay(id, 'later');
    expect(await balanceOf(application)).toBe(0n);
    await stripe.settle(id, true);
    expect(await balanceOf(application)).toBe(10_000_000n);
    const second = await begin(application, '10');
    await stripe.pay(second.id, 'later');
    await stripe.settle(second.id, false);
    expect(await balanceOf(application)).toBe(10_000_000n);
    expect((await owner.get(second.page)).html).toContain('This payment failed');
    expect((await owner.get(page)).html).toContain('Payment received');
  });

  test('out of order: "expired" or "failed" after "paid" changes nothing, "paid" after them credits', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id, session } = await begin(application, '10');
    await stripe.expire(id);
    const expired = stripe.sent.at(-1);
    session.status = 'open';
    await stripe.pay(id);
    expect(await balanceOf(application)).toBe(10_000_000n);
    if (expired) expect((await stripe.repeat(expired)).status).toBe(200);
    expect(await balanceOf(application)).toBe(10_000_000n);
  });
});

test('threat 56: fields that the form does not have change nothing', async () => {
  const [application, victim] = [await lab.acme.register({ balance: 0n }), await lab.other.register()];
  const more = {
    currency: 'usd',
    status: 'paid',
    applicationId: victim.id,
    balance: '1',
    provider: 'x',
    id: 'pay_1',
  };
  const answer = await owner.post(`${base}/${application.id}/top-up`, { amount: '10', ...more });
  const id = answer.location?.split('/').pop() ?? '';
  expect(stripe.sessions.get(id)).toMatchObject({ currency: 'eur', amount_total: 1000 });
  expect(await balanceOf(application)).toBe(0n);
  await stripe.pay(id);
  expect(await balanceOf(application)).toBe(10_000_000n);
  expect(await balanceOf(victim)).toBe(100_000_000n);
});

describe('threat 74: nothing is credited, and the status says whether to try again', () => {
  let application: RegisteredApplication;

  beforeAll(async () => {
    application = await lab.acme.register({ balance: 0n });
  });

  afterEach(async () => {
    expect(await balanceOf(application)).toBe(0n);
  });

  const completed = 'checkout.session.completed';

  test.each([
    ['another amount', { amount_total: 100_000 }],
    ['another currency', { currency: 'usd' }],
  ])('%s: understood, not credited, an error in the log', async (_name, changed) => {
    const { session } = await begin(application, '10');
    const before = logged('paid in another amount or currency than agreed; not credited');
    const paid = { ...session, status: 'complete', payment_status: 'paid', ...changed };
    expect((await stripe.deliver(completed, paid)).status).toBe(200);
    expect(logged('paid in another amount or currency than agreed; not credited')).toBe(before + 1);
  });

  test.each([-1000, 0, 0.5, 1000.5, 2 ** 53, 1e21, '1000', null])(
    'the amount %p: 400',
    async (amount_total) => {
      const { session } = await begin(application, '10');
      const paid = { ...session, status: 'complete', payment_status: 'paid', amount_total };
      expect((await stripe.deliver(completed, paid)).status).toBe(400);
    },
  );

  test('a session that we never opened, and one that names another payment', async () => {
    const [first, second] = [await begin(application, '10'), await begin(application, '20')];
    const paid = { ...first.session, status: 'complete', payment_status: 'paid' };
    const unknown = { client_reference_id: 'pay_0', metadata: { tollgate_payment: 'pay_0' } };
    expect(await stripe.deliver(completed, { ...paid, ...unknown })).toMatchObject({
      status: 200,
      answer: expect.stringContaining('unknown'),
    });
    const swapped = { ...paid, id: second.id };
    expect(await stripe.deliver(completed, swapped)).toMatchObject({
      status: 200,
      answer: expect.stringContaining('other_reference'),
    });
    const twoNames = { ...paid, client_reference_id: second.session.client_reference_id };
    expect((await stripe.deliver(completed, twoNames)).status).toBe(400);
  });

  test('what else happens on the same Stripe account is not our business', async () => {
    const { session } = await begin(application, '10');
    const foreign = { ...session, metadata: {}, client_reference_id: null, payment_status: 'paid' };
    expect((await stripe.deliver(completed, foreign)).status).toBe(200);
    expect((await stripe.deliver('invoice.paid', { object: 'invoice' })).status).toBe(200);
  });

  test('a forged, old, missing or reused signature: 400', async () => {
    const { session } = await begin(application, '10');
    const paid = { ...session, status: 'complete', payment_status: 'paid' };
    expect((await stripe.deliver(completed, paid, { secret: 'whsec_somebody_elses' })).status).toBe(400);
    const sixMinutesAgo = new Date(Date.now() - 6 * 60_000);
    expect((await stripe.deliver(completed, paid, { at: sixMinutesAgo })).status).toBe(400);
    const unsigned = await fetch(`${lab.service.url}/payments/stripe`, { method: 'POST', body: '{}' });
    expect(unsigned.status).toBe(400);
    expect((await stripe.deliver(completed, paid, { body: 'not JSON' })).status).toBe(400);
    expect((await stripe.deliver(completed, paid, { body: 'x'.repeat(300_000) })).status).toBe(413);
    expect((await fetch(`${lab.service.url}/payments/stripe`)).status).toBe(405);
  });

  test('the form refuses what is no amount, keeps it, and begins nothing', async () => {
    const requests = stripe.requests.length;
    const page = `${base}/${application.id}/top-up`;
    for (const amount of ['-5', '0', '', 'ten', '10.001', '1e3', '10,50', '1000000000', '<b>"']) {
      const answer = await owner.post(page, { amount });
      expect([amount, answer.status]).toEqual([amount, 400]);
      expect(answer.html).toContain('field-problem');
    }
    expect(stripe.requests.length).toBe(requests);
    const tooSmall = await owner.post(page, { amount: '0.10' });
    expect(tooSmall.status).toBe(400);
    expect(tooSmall.html).toContain('Stripe refuses this amount');
    expect(tooSmall.html).toContain('value="0.10"');
  });
});

describe('when Stripe is away', () => {
  test('the form says so, keeps the amount, and no payment is left waiting', async () => {
    const application = await lab.acme.register({ balance: 0n });
    stripe.fails = true;
    const answer = await owner.post(`${base}/${application.id}/top-up`, { amount: '12.34' });
    expect(answer.status).toBe(503);
    expect(answer.html).toContain('value="12.34"');
    const rows = rowsOf(
      await lab.service.db.execute(sql`select status from payments where application_id = ${application.id}`),
    );
    expect(rows).toEqual([{ status: 'failed' }]);
  });

  test('a lost notification is made good: by the button, and by itself after ten minutes', async () => {
    const application = await lab.acme.register({ balance: 0n });
    stripe.loses = true;
    const first = await begin(application, '10');
    const second = await begin(application, '20');
    const third = await begin(application, '40');
    await stripe.pay(first.id);
    await stripe.pay(second.id);
    expect(await balanceOf(application)).toBe(0n);
    await owner.post(first.page, {}, `${first.page}/check`);
    expect(await balanceOf(application)).toBe(10_000_000n);
    const { service } = lab;
    const elevenMinutesLater = () => new Date(Date.now() + 11 * 60_000);
    const provider = createPaymentProvider(service.tollgate.config, elevenMinutesLater);
    if (!provider) throw new Error('payments are off');
    const log = createLog({ level: 'silent' });
    await askAboutDoubtfulPayments({ db: service.db, clock: () => new Date(), log }, provider);
    expect(await balanceOf(application)).toBe(10_000_000n);
    const asked = { db: service.db, clock: elevenMinutesLater, log };
    await Promise.all([askAboutDoubtfulPayments(asked, provider), askAboutDoubtfulPayments(asked, provider)]);
    expect(await balanceOf(application)).toBe(30_000_000n);
    expect((await owner.get(third.page)).html).toContain('Waiting for Stripe');
  });
});

test('the doctor says whether Stripe takes the key', async () => {
  const { config } = lab.service.tollgate;
  const look = (changed: object) => inspectPayments({ ...config, ...changed }, () => new Date());
  expect(await look({})).toMatchObject([{ state: 'ok', says: expect.stringContaining('/payments/stripe') }]);
  expect(await look({ isLoopback: false })).toMatchObject([{ state: 'warning' }]);
  const wrong = { ...config.stripe, secretKey: 'sk_test_somebody_elses' };
  const [finding] = await look({ stripe: wrong });
  expect(finding).toMatchObject({ state: 'problem', says: expect.stringContaining('401') });
  expect(JSON.stringify(finding)).not.toContain('somebody_elses');
  expect(await look({ stripe: undefined })).toMatchObject([{ state: 'ok' }]);
});

describe('money that Stripe returns', () => {
  test('leaves the balance once, in parts, in any order', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id } = await begin(application, '10');
    await stripe.pay(id);
    await stripe.refund(id, 300);
    const first = stripe.sent.at(-1);
    expect(await balanceOf(application)).toBe(7_000_000n);
    await stripe.refund(id, 200);
    if (!first) throw new Error('nothing was sent');
    await Promise.all([stripe.repeat(first), stripe.repeat(first)]);
    expect(await balanceOf(application)).toBe(5_000_000n);
  });

  test('never takes the balance below zero; what is missing is an error in the log, and taken when it can be', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id } = await begin(application, '10');
    await stripe.pay(id);
    const { db } = lab.service;
    const correct = (change: bigint) =>
      transaction(db, (tx) =>
        correctBalance(tx, {
          applicationId: application.id,
          change,
          reason: 'test',
          actor: 'operator',
          now: new Date(),
        }),
      );
    await correct(-8_000_000n);
    const before = logged('more was returned than the balance still had');
    await stripe.refund(id, 1000);
    expect(await balanceOf(application)).toBe(0n);
    expect(logged('more was returned than the balance still had')).toBe(before + 1);
    await correct(20_000_000n);
    const told = stripe.sent.at(-1);
    if (told) await stripe.repeat(told);
    expect(await balanceOf(application)).toBe(12_000_000n);
  });

  test('before its payment is credited: 409, so that Stripe comes back; more than was paid: nothing', async () => {
    const application = await lab.acme.register({ balance: 0n });
    const { id, session } = await begin(application, '10');
    session.refunded = 0;
    await stripe.refund(id, 100);
    expect(stripe.sent.at(-1)?.status).toBe(409);
    session.refunded = 0;
    await stripe.pay(id);
    await stripe.refund(id, 5000);
    expect(stripe.sent.at(-1)).toMatchObject({
      status: 200,
      answer: expect.stringContaining('wrong_amount'),
    });
    expect(await balanceOf(application)).toBe(10_000_000n);
  });
});

describe('currencies', () => {
  test.each([
    ['JPY', '500', 500, 500_000_000n],
    ['KWD', '5.25', 5250, 5_250_000n],
    ['ISK', '500', 50_000, 500_000_000n],
  ])('%s: %s is %d of the smallest unit', async (currency, amount, units, credited) => {
    const { db } = lab.service;
    const now = new Date();
    const { workspace, application } = await transaction(db, async (tx) => {
      const prices = { registrationPrice: 1n, signInPrice: 1n };
      const made = await createWorkspace(tx, { name: currency, currency, ...prices, now });
      await addMember(tx, { workspaceId: made.id, accountId: lab.acme.owner.account.id, role: 'owner', now });
      const input = {
        workspaceId: made.id,
        name: 'Shop',
        clientType: 'public' as const,
        redirectUris: ['https://a.test/'],
        now,
      };
      return { workspace: made, ...(await createApplication(tx, input)) };
    });
    const page = `/settings/${workspace.id}/applications/${application.id}/top-up`;
    const tooFine = await owner.post(page, { amount: `${amount}${amount.includes('.') ? '1' : '.5'}` });
    expect(tooFine.status).toBe(400);
    const { location } = await owner.post(page, { amount });
    const id = location?.split('/').pop() ?? '';
    expect(stripe.sessions.get(id)).toMatchObject({ amount_total: units, currency: currency.toLowerCase() });
    await stripe.pay(id);
    expect(await balanceOf(application)).toBe(credited);
  });
});
