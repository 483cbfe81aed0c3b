// A company as it looks after two busy months: several applications, one of them with a very long name, money that runs out,
// endpoints that answer and endpoints that fail, refused sign-ins, members, invitations and an audit log.
import { eq, sql, sum } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { clientSecrets } from '../../drizzle/schema/applications.ts';
import { balances, balanceThresholds, payments } from '../../drizzle/schema/balances.ts';
import { customers } from '../../drizzle/schema/customers.ts';
import { signInSteps } from '../../drizzle/schema/traces.ts';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { createApiKey } from '../../src/applications/api-key.ts';
import { saveAppearance } from '../../src/applications/appearance.ts';
import { deleteApplication, disableApplication } from '../../src/applications/application-change.ts';
import { recordAudit } from '../../src/applications/audit-log.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { secondsAfter } from '../../src/clock.ts';
import { type Database, transaction } from '../../src/database/connection.ts';
import { newId } from '../../src/id.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { DAY, HOUR, MINUTE } from '../../src/limits/units.ts';
import { traceIdOf } from '../../src/traces/trace-id.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import { writeHistory } from '../ledger/usage-history.ts';
import type { SettingsLab, SettingsWorkspace } from '../settings/lab.ts';
import type { Things } from '../settings/matrix-world.ts';
import { addEndpoints } from './endpoints.ts';
import { addFeatures, type Features } from './features.ts';

export type BusyCompany = {
  company: SettingsWorkspace;
  shop: RegisteredApplication;
  /** In test mode. */
  notes: RegisteredApplication;
  features: Features;
  /** One of each kind, by the name that it has in the paths of company settings. */
  things: Things;
};

export async function makeBusyCompany(lab: SettingsLab): Promise<BusyCompany> {
  const { db } = lab.service;
  const now = new Date();
  const company = await lab.addWorkspace('Nordlicht Outdoor GmbH');
  const shop = await company.register({ name: 'Nordlicht Shop', balance: 184_200_000n });
  const club = await company.register({
    name: 'Bergwacht Mitgliederportal für Ehrenamtliche und Fördermitglieder',
    balance: 1_140_000n,
  });
  const notes = await company.register({ name: 'Nordlicht Notes', isTest: true, balance: 0n });
  await company.register({ name: 'Nordlicht Shop', clientType: 'public', balance: 12_000_000n });
  await endSome(db, company, now);
  await nameMembers(db, company);
  const yesterday = secondsAfter(now, -DAY);
  await writeHistory(db, { applicationId: shop.id, until: yesterday, days: 62, perDay: 160, customers: 48 });
  await writeHistory(db, { applicationId: club.id, until: yesterday, days: 45, perDay: 24, customers: 14 });
  for (const { id } of [shop, club]) await payForHistory(db, id);
  await namePeople(db, shop.id);
  await dress(db, shop, now);
  await db.insert(balanceThresholds).values([
    { applicationId: shop.id, amount: 50_000_000n },
    { applicationId: club.id, amount: 5_000_000n, reachedAt: secondsAfter(now, -9 * HOUR) },
  ]);
  const trace = await refuseSome(db, shop.id, now);
  const { id: key } = await addKeys(db, company, now);
  const { id: invitation } = await invite(db, company, now);
  const endpoints = await addEndpoints(lab, company, shop);
  const features = await addFeatures(lab, company, { shop, notes });
  await tellAudit(db, company, { shop, club });
  const payment = await pay(db, company, { applicationId: shop.id, now });
  const [secret] = await db.select().from(clientSecrets).where(eq(clientSecrets.applicationId, shop.id));
  const [customer] = await db.select().from(customers).where(eq(customers.applicationId, shop.id)).limit(1);
  const things = {
    application: shop.id,
    api: features.api,
    secret: secret?.id ?? '',
    sub: customer?.sub ?? '',
    account: company.developer.account.id,
    key,
    invitation,
    trace,
    payment,
    ...endpoints,
  };
  return { company, shop, notes, features, things };
}

/** What the history cost was paid before it began. */
async function payForHistory(db: Database, applicationId: string): Promise<void> {
  const [row] = await db
    .select({ cost: sum(usageEvents.amount) })
    .from(usageEvents)
    .where(eq(usageEvents.applicationId, applicationId));
  const amount = BigInt(row?.cost ?? 0);
  const now = secondsAfter(new Date(), -65 * DAY);
  await topUp(db, { applicationId, amount, reference: `history-of-${applicationId}`, now });
  await db
    .update(balances)
    .set({ amount: sql`${balances.amount} - ${amount}` })
    .where(eq(balances.applicationId, applicationId));
}

async function endSome(db: Database, company: SettingsWorkspace, now: Date): Promise<void> {
  const workspaceId = company.workspace.id;
  const kiosk = await company.register({ name: 'Kassenterminal', balance: 3_500_000n });
  const old = await company.register({ name: 'Alter Webshop', balance: 0n });
  await transaction(db, async (tx) => {
    await disableApplication(tx, { id: kiosk.id, workspaceId }, secondsAfter(now, -3 * DAY));
    await deleteApplication(tx, { id: old.id, workspaceId }, secondsAfter(now, -12 * DAY));
  });
}

async function nameMembers(db: Database, { owner, developer, viewer }: SettingsWorkspace): Promise<void> {
  const names = [
    [owner, 'Beatrix Oberhofer-Lindqvist'],
    [developer, 'Dev Ramanujan'],
    [viewer, 'Viola Neumann'],
  ] as const;
  for (const [{ account }, name] of names)
    await db.update(accounts).set({ name }).where(eq(accounts.id, account.id));
}

const given = ['Ada', 'Björn', 'Chiara', 'Dmitri', 'Élodie', 'Fatima', 'Gwendolyn', 'Hòa', 'Íñigo', 'Jürgen'];
const family = ['Lovelace', 'Østergård', 'Bianchi', 'von Wolkenstein-Rodenegg', 'Dubois', 'Nguyễn'];

async function namePeople(db: Database, applicationId: string): Promise<void> {
  const rows = await db
    .select({ id: customers.accountId })
    .from(customers)
    .where(eq(customers.applicationId, applicationId));
  for (const [place, { id }] of rows.entries()) {
    const [first = '', last = ''] = [given[place % given.length], family[place % family.length]];
    const name = `${first} ${last}`;
    const plain = name
      .normalize('NFD')
      .toLowerCase()
      .replaceAll('ø', 'o')
      .replaceAll(/[^a-z ]/g, '')
      .replaceAll(' ', '.');
    const email = `${plain}${place > 29 ? place : ''}@example.org`;
    await db.update(accounts).set({ name, email }).where(eq(accounts.id, id));
  }
}

function dress(db: Database, { id: applicationId }: RegisteredApplication, now: Date): Promise<void> {
  return saveAppearance(db, {
    applicationId,
    accent: '#0f766e',
    background: 'tint',
    corners: 'soft',
    termsUrl: 'https://nordlicht.example/agb',
    privacyUrl: 'https://nordlicht.example/datenschutz',
    supportUrl: 'mailto:hilfe@nordlicht.example',
    senderName: 'Nordlicht',
    now,
  });
}

/** @returns the trace of one that ended badly. */
async function refuseSome(db: Database, applicationId: string, now: Date): Promise<string> {
  const trace = traceIdOf(applicationId, 'nonce');
  const refusals = [
    ['token_refused', 'balance_too_low'],
    ['code_refused', 'wrong_code'],
    ['code_refused', 'wrong_code'],
    ['request_refused', 'callback_not_registered'],
    ['cancelled', 'person_cancelled'],
  ] as const;
  const at = (seconds: number) => secondsAfter(now, -seconds);
  const steps = [
    { traceId: trace, step: 'page_opened', reason: null, occurredAt: at(20 * MINUTE) },
    { traceId: trace, step: 'code_mailed', reason: null, occurredAt: at(20 * MINUTE - 9) },
    { traceId: trace, step: 'code_refused', reason: 'wrong_code', occurredAt: at(19 * MINUTE) },
    { traceId: trace, step: 'signed_in_by_code', reason: null, occurredAt: at(19 * MINUTE - 25) },
    { traceId: trace, step: 'consent_given', reason: null, occurredAt: at(19 * MINUTE - 31) },
    { traceId: trace, step: 'token_refused', reason: 'balance_too_low', occurredAt: at(19 * MINUTE - 32) },
    ...refusals.map(([step, reason], place) => ({
      traceId: traceIdOf(applicationId, `nonce ${place}`),
      step,
      reason,
      occurredAt: at((place + 1) * 5 * HOUR),
    })),
  ];
  await db.insert(signInSteps).values(steps.map((step) => ({ id: newId('stp'), applicationId, ...step })));
  return trace;
}

async function addKeys(db: Database, { workspace: { id: workspaceId } }: SettingsWorkspace, now: Date) {
  const make = (name: string, expiresAt?: Date) =>
    createApiKey(db, {
      workspaceId,
      name,
      scopes: ['identity:read'],
      now: secondsAfter(now, -30 * DAY),
      ...(expiresAt && { expiresAt }),
    });
  await make('Nightly export to the data warehouse in Frankfurt', secondsAfter(now, 5 * DAY));
  return make('Backend');
}

async function invite(db: Database, { workspace, owner }: SettingsWorkspace, now: Date) {
  const { invitation } = await createInvitation(db, {
    workspaceId: workspace.id,
    email: 'maximiliane.hohenstein@nordlicht-outdoor.example',
    role: 'developer',
    invitedBy: owner.account.id,
    now,
  });
  return invitation;
}

type Applications = { shop: RegisteredApplication; club: RegisteredApplication };

async function tellAudit(db: Database, company: SettingsWorkspace, { shop, club }: Applications) {
  const { workspace, owner, developer } = company;
  const [bea, dev] = [owner.account.id, developer.account.id];
  const money = (amount: string) => ({ amount, currency: 'EUR' });
  const entries: [
    who: string | null,
    action: string,
    target: string,
    detail: Record<string, string | number>,
  ][] = [
    [bea, 'workspace.created', workspace.id, { name: workspace.name }],
    [bea, 'application.created', shop.id, { name: shop.name }],
    [null, 'balance.credited', shop.id, money('250.000000')],
    [bea, 'member.added', dev, { role: 'developer' }],
    [dev, 'webhook.created', '', { url: 'https://hooks.nordlicht.example/tollgate' }],
    [dev, 'api_key.created', '', { name: 'Backend' }],
    [dev, 'application.appearance_changed', shop.id, { name: shop.name, logo: 'new', look: 'accent, terms' }],
    [bea, 'balance_warning.added', club.id, money('5.000000')],
    [
      dev,
      'webhook.secret_rotated',
      '',
      { url: 'https://hooks.nordlicht.example/tollgate', overlapSeconds: DAY },
    ],
    [null, 'balance.corrected', shop.id, money('-0.930000')],
  ];
  for (const [place, [accountId, action, target, detail]] of entries.entries())
    await recordAudit(db, {
      workspaceId: workspace.id,
      accountId,
      action,
      target,
      detail,
      ipAddress: accountId && '203.0.113.24',
      now: secondsAfter(new Date(), -(entries.length - place) * 7 * HOUR),
    });
}

type Paid = { applicationId: string; now: Date };

async function pay(
  db: Database,
  { owner }: SettingsWorkspace,
  { applicationId, now }: Paid,
): Promise<string> {
  const id = newId('pay');
  await db.insert(payments).values({
    id,
    applicationId,
    provider: 'stripe',
    amount: 50_000_000n,
    currency: 'EUR',
    status: 'expired',
    startedBy: owner.account.id,
    createdAt: secondsAfter(now, -2 * DAY),
  });
  return id;
}
