// For the generated matrix of company settings: one thing of every kind that an address can name, in a workspace.

import { eq } from 'drizzle-orm';
import { clientSecrets } from '../../drizzle/schema/applications.ts';
import { payments } from '../../drizzle/schema/balances.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { signInSteps } from '../../drizzle/schema/traces.ts';
import { webhookDeliveries, webhookMessages, webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import type { Database } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import { addAccount, signInToPages } from '../harness/identity.ts';
import { registerResource } from '../harness/resource.ts';
import type { SettingsWorkspace } from './lab.ts';

/** By the name in the path. */
export type Things = Record<string, string>;

export async function oneOfEach(db: Database, company: SettingsWorkspace): Promise<Things> {
  const workspaceId = company.workspace.id;
  const now = new Date();
  const application = await company.register();
  const applicationId = application.id;
  const [secret] = await db
    .select({ id: clientSecrets.id })
    .from(clientSecrets)
    .where(eq(clientSecrets.applicationId, applicationId));
  const key = await createApiKey(db, { workspaceId, name: 'Backend', scopes: ['identity:read'], now });
  const trace = traceIdOf(application.clientId, 'nonce');
  const step = { applicationId, traceId: trace, step: 'page_opened', occurredAt: now };
  await db.insert(signInSteps).values({ id: newId('stp'), ...step });
  const invitedBy = company.owner.account.id;
  const email = `invited-${workspaceId}@example.com`;
  const { invitation } = await createInvitation(db, { workspaceId, email, role: 'viewer', invitedBy, now });
  const { id: session } = await signInToPages(db, { area: 'settings', account: company.owner.account, now });
  return {
    application: applicationId,
    api: (await registerResource(db, { workspaceId, identifier: `https://api.example/${workspaceId}` })).id,
    secret: secret?.id ?? '',
    sub: await addCustomer(db, applicationId, now),
    key: key.id,
    ...(await addDelivery(db, { workspaceId, applicationId, now })),
    payment: await addPayment(db, { applicationId, startedBy: invitedBy, now }),
    trace,
    account: company.viewer.account.id,
    invitation: invitation.id,
    session,
  };
}

async function addCustomer(db: Database, applicationId: string, now: Date): Promise<string> {
  const email = `customer.${newId('acc')}@example.com`;
  const { id: accountId } = await addAccount(db, { email, name: 'Customer', now });
  const sub = `sub_${accountId.slice(4)}`;
  const visit = { registeredAt: now, lastSignInAt: now, signInCount: 1 };
  await db.insert(customers).values({ applicationId, accountId, sub, ...visit });
  return sub;
}

type Owner = { workspaceId: string; applicationId: string; now: Date };

async function addDelivery(db: Database, { workspaceId, applicationId, now }: Owner): Promise<Things> {
  const [subscription, delivery, eventId] = [newId('whs'), newId('dlv'), newId('evt')];
  const type = 'identity.login.completed.v1';
  await db.insert(webhookSubscriptions).values({
    id: subscription,
    workspaceId,
    url: 'https://hooks.example.com/tollgate',
    types: [type],
    sealedSecret: 'sealed',
    status: 'active',
    createdAt: now,
  });
  await db.insert(webhookMessages).values({ eventId, applicationId, type, body: '{}', createdAt: now });
  await db.insert(webhookDeliveries).values({
    id: delivery,
    subscriptionId: subscription,
    eventId,
    status: 'delivered',
    attemptCount: 1,
    finishedAt: now,
    createdAt: now,
  });
  return { subscription, delivery };
}

async function addPayment(
  db: Database,
  { applicationId, startedBy, now }: { applicationId: string; startedBy: string; now: Date },
): Promise<string> {
  const id = newId('pay');
  await db.insert(payments).values({
    id,
    applicationId,
    provider: 'stripe',
    amount: 1_000_000n,
    currency: 'EUR',
    status: 'expired',
    startedBy,
    createdAt: now,
  });
  return id;
}

/** Of the same form, but nobody's. */
export function madeUp(things: Things): Things {
  return Object.fromEntries(
    Object.entries(things).map(([name, value]) => [name, value.slice(0, -12) + 'f'.repeat(12)]),
  );
}
