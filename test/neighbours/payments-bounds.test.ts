// A bad neighbour at the till: how many payments a company may begin, how many are asked about, and how often one may be
// returned in parts.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { payments } from '../../drizzle/schema/balances.ts';
import { transaction } from '../../src/database/connection.ts';
import type { Place } from '../../src/database/pagination.ts';
import { readBalance } from '../../src/ledger/balance.ts';
import { askAboutDoubtfulPayments } from '../../src/ledger/payment-outcome.ts';
import { refundPayment } from '../../src/ledger/refund.ts';
import { paymentsPerRound } from '../../src/limits/payments.ts';
import { createLog } from '../../src/log.ts';
import { createPaymentProvider } from '../../src/payments/providers.ts';
import { type StripeStandIn, startStripe } from '../ledger/stripe-stand-in.ts';
import { openSettingsLab, type SettingsLab } from '../settings/lab.ts';

let stripe: StripeStandIn;
let lab: SettingsLab;
beforeAll(async () => {
  stripe = await startStripe();
  lab = await openSettingsLab({ ...stripe.environment, RATE_LIMIT_FACTOR: '0.1' });
  stripe.endpoint = `${lab.service.url}/payments/stripe`;
});
afterAll(async () => {
  await lab.stop();
  await stripe.close();
});

const topUpPage = (application: { id: string }) =>
  `/settings/${lab.acme.workspace.id}/applications/${application.id}/top-up`;

test('the start of a checkout has a limit of its own, per company', async () => {
  const application = await lab.acme.register({ balance: 0n });
  const owner = lab.visitor(lab.acme.owner);
  const answers = [];
  for (let n = 0; n < 4; n += 1) answers.push(await owner.post(topUpPage(application), { amount: '10' }));
  expect(answers.map(({ status }) => status)).toEqual([303, 303, 303, 429]);
  expect(Number(answers[3]?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('the address for notifications has a limit', async () => {
  const statuses = [];
  for (let n = 0; n < 61; n += 1)
    statuses.push((await fetch(`${lab.service.url}/payments/stripe`, { method: 'POST', body: '{}' })).status);
  expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400));
  expect(statuses[60]).toBe(429);
});

const HOUR = 3_600_000;

async function addPayments(count: number, applicationId: string, status: 'pending' | 'paid') {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: `pay_${status}_${String(n).padStart(4, '0')}`,
    applicationId,
    provider: 'stripe',
    providerReference: `cs_${status}_${n}`,
    amount: 20_000_000n,
    currency: 'EUR',
    status,
    startedBy: lab.acme.owner.account.id,
    createdAt: new Date(Date.now() - 24 * HOUR + n * 1_000),
  }));
  await lab.service.db.insert(payments).values(rows);
}

test('every doubtful payment is asked about, the oldest first, however many a company begins', async () => {
  const application = await lab.acme.register({ balance: 0n });
  const count = 2 * paymentsPerRound + 7;
  await addPayments(count, application.id, 'pending');
  const { service } = lab;
  const clock = () => new Date();
  const provider = createPaymentProvider(service.tollgate.config, clock);
  if (!provider) throw new Error('payments are off');
  const asked: string[] = [];
  const counting = {
    ...provider,
    lookUp: async (reference: string) => void asked.push(reference) as undefined,
  };
  let after: Place | undefined;
  const bookkeeping = { db: service.db, clock, log: createLog({ level: 'silent' }) };
  for (let round = 0; round < 3; round += 1)
    after = await askAboutDoubtfulPayments(bookkeeping, counting, after);
  expect(asked).toEqual(Array.from({ length: count }, (_, n) => `cs_pending_${n}`));
  expect(after).toBeUndefined();
});

test('a payment that is returned in 205 parts is counted to the last one', async () => {
  const application = await lab.acme.register({ balance: 20_000_000n });
  await addPayments(1, application.id, 'paid');
  for (let part = 1; part <= 205; part += 1) {
    const told = { provider: 'stripe', paymentId: 'pay_paid_0000', currency: 'EUR', now: new Date() };
    const refunded = await transaction(lab.service.db, (tx) =>
      refundPayment(tx, { ...told, refundedInAll: BigInt(part) * 10_000n }),
    );
    expect([part, refunded]).toEqual([
      part,
      expect.objectContaining({ result: 'refunded', amount: 10_000n }),
    ]);
  }
  expect((await readBalance(lab.service.db, application.id)).amount).toBe(20_000_000n - 2_050_000n);
});
