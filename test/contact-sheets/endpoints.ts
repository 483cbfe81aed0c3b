// The webhook endpoints of that company: one that answers, one that has been failing for hours, one paused, one switched off,
// with their deliveries and attempts.
import {
  webhookAttempts,
  webhookDeliveries,
  webhookMessages,
  webhookSubscriptions,
} from '../../drizzle/schema/webhooks.ts';
import { secondsAfter } from '../../src/clock.ts';
import type { Database } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { HOUR, MINUTE } from '../../src/limits/units.ts';
import { webhookTypes } from '../../src/webhooks/event-types.ts';
import { newSigningSecret } from '../../src/webhooks/signing-secret.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import type { SettingsLab, SettingsWorkspace } from '../settings/lab.ts';
import type { Things } from '../settings/matrix-world.ts';

type Row = typeof webhookSubscriptions.$inferInsert;

/** @returns the failing endpoint, and a delivery to it. */
export async function addEndpoints(
  lab: SettingsLab,
  { workspace }: SettingsWorkspace,
  shop: RegisteredApplication,
): Promise<Things> {
  const { db, keys } = lab.service;
  const now = new Date();
  const add = async (url: string, state: Partial<Row> = {}): Promise<string> => {
    const id = newId('whs');
    await db.insert(webhookSubscriptions).values({
      id,
      workspaceId: workspace.id,
      url,
      types: [...webhookTypes],
      sealedSecret: newSigningSecret(keys, id).sealed,
      status: 'active',
      createdAt: secondsAfter(now, -700 * HOUR),
      ...state,
    });
    return id;
  };
  const well = await add('https://hooks.nordlicht.example/tollgate');
  const failing = await add(
    'https://integration-platform.warehouse.nordlicht-outdoor.example/v2/inbound/identity-events?tenant=eu-central-1',
    { failingSince: secondsAfter(now, -26 * HOUR), applicationIds: [shop.id] },
  );
  await add('https://crm.nordlicht.example/hooks', { status: 'paused' });
  await add('https://old.nordlicht.example/hooks', {
    status: 'disabled',
    disabledReason: 'It answered 410 Gone.',
  });
  for (let place = 0; place < 7; place += 1)
    await deliver(db, { subscription: well, applicationId: shop.id, secondsAgo: place * 17 * MINUTE });
  const delivery = await failOn(db, { subscription: failing, applicationId: shop.id });
  return { subscription: failing, delivery };
}

type To = { subscription: string; applicationId: string };

async function message(db: Database, applicationId: string, createdAt: Date): Promise<string> {
  const id = newId('evt');
  const type = 'identity.login.completed.v1';
  const customer = {
    sub: 'sub_42',
    email: 'ada.lovelace@example.org',
    email_verified: true,
    name: 'Ada Lovelace',
  };
  const data = {
    application_id: applicationId,
    customer,
    kind: 'sign_in',
    amount: '0.020000',
    currency: 'EUR',
  };
  const body = JSON.stringify({ id, type, created_at: createdAt.toISOString(), data });
  await db.insert(webhookMessages).values({ eventId: id, applicationId, type, body, createdAt });
  return id;
}

async function deliver(db: Database, { secondsAgo, ...to }: To & { secondsAgo: number }): Promise<void> {
  const at = secondsAfter(new Date(), -secondsAgo);
  const id = newId('dlv');
  await db.insert(webhookDeliveries).values({
    id,
    subscriptionId: to.subscription,
    eventId: await message(db, to.applicationId, at),
    status: 'delivered',
    attemptCount: 1,
    finishedAt: at,
    createdAt: at,
  });
  await attempt(db, { deliveryId: id, number: 1, startedAt: at, responseStatus: 204, responseBody: '' });
}

async function failOn(db: Database, { subscription, applicationId }: To): Promise<string> {
  const now = new Date();
  const ids: string[] = [];
  for (let place = 0; place < 5; place += 1) {
    const at = secondsAfter(now, -(place * 2 + 1) * HOUR);
    const id = newId('dlv');
    ids.push(id);
    await db.insert(webhookDeliveries).values({
      id,
      subscriptionId: subscription,
      eventId: await message(db, applicationId, at),
      status: place > 2 ? 'failed' : 'pending',
      attemptCount: 4,
      nextAttemptAt: place > 2 ? null : secondsAfter(now, HOUR),
      finishedAt: place > 2 ? now : null,
      createdAt: at,
    });
    for (const number of [1, 2, 3, 4])
      await attempt(db, {
        deliveryId: id,
        number,
        startedAt: secondsAfter(at, number * 5 * MINUTE),
        ...(number % 2 === 0
          ? { responseStatus: 502, responseBody: '<html><body><h1>502 Bad Gateway</h1></body></html>' }
          : { failure: 'timeout' }),
      });
  }
  return ids[0] ?? '';
}

type Attempt = Omit<typeof webhookAttempts.$inferInsert, 'id' | 'durationMs' | 'requestHeaders'>;

async function attempt(db: Database, row: Attempt): Promise<void> {
  const requestHeaders = {
    'content-type': 'application/json',
    'user-agent': 'Tollgate-Webhooks/1',
    'x-service-webhook-id': row.deliveryId,
    'x-service-webhook-timestamp': String(Math.floor(row.startedAt.getTime() / 1000)),
    'x-service-webhook-signature': 'v1=3f0e9b5a7c1d2e4f60718293a4b5c6d7e8f90123456789abcdef0123456789ab',
  };
  await db.insert(webhookAttempts).values({ id: newId('att'), durationMs: 187, requestHeaders, ...row });
}
