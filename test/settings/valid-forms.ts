// What somebody would send to each address of company settings that changes something, so that it is accepted.
import { and, eq, sql } from 'drizzle-orm';
import { resources } from '../../drizzle/schema/resources.ts';
import { webhookSubscriptions } from '../../drizzle/schema/webhooks.ts';
import { deleteResource } from '../../src/applications/resource-deletion.ts';
import type { Database } from '../../src/database/connection.ts';
import { resourceRestoreSeconds } from '../../src/limits/applications.ts';
import { webhookRestoreSeconds } from '../../src/limits/webhooks.ts';
import { deleteSubscription } from '../../src/webhooks/subscription-change.ts';
import type { Things } from './matrix-world.ts';

type ValidForm = {
  fields?: Record<string, string>;
  /** Before it can be sent. */
  prepare?(db: Database, things: Things): Promise<unknown>;
  /** Before it can be sent again, after what it is about ended with its first sender's session. */
  repair?(db: Database, things: Things): Promise<unknown>;
  /** What answers when nothing stands in the way; 303 without it. */
  status?: number;
};

const CALLBACK = 'https://elsewhere.example/callback';
const endpoint = {
  url: 'https://localhost:9443/elsewhere',
  applications: 'all',
  registrations: 'on',
  sign_ins: 'on',
};

const api = { name: 'Elsewhere', scopes: 'things:read See your things', format: 'jwt', seconds: '600' };

const pause = (db: Database, { subscription = '' }: Things) =>
  db
    .update(webhookSubscriptions)
    .set({ status: 'paused' })
    .where(and(eq(webhookSubscriptions.id, subscription), eq(webhookSubscriptions.status, 'active')));

const deleteEndpoint = (db: Database, { subscription = '' }: Things) =>
  db.transaction(async (tx) => {
    const isThis = eq(webhookSubscriptions.id, subscription);
    const [found] = await tx.select().from(webhookSubscriptions).where(isThis);
    if (!found || found.deletedAt) return;
    const { workspaceId } = found;
    const now = new Date();
    const restorableSeconds = webhookRestoreSeconds;
    await deleteSubscription(tx, { workspaceId, subscriptionId: subscription, restorableSeconds, now });
  });

const deleteApi = (db: Database, { api: resourceId = '' }: Things) =>
  db.transaction(async (tx) => {
    const [found] = await tx.select().from(resources).where(eq(resources.id, resourceId));
    if (!found || found.deletedAt) return;
    const restorableSeconds = resourceRestoreSeconds;
    await deleteResource(tx, { ...found, resourceId, restorableSeconds, now: new Date() });
  });

/** As if that browser had been signed in after the account's generation was raised. */
const carryOver = (db: Database, { session = '' }: Things) =>
  db.execute(sql`update sessions set generation = accounts.generation from accounts, page_sessions
    where accounts.id = sessions.account_id and sessions.uid_hash = page_sessions.session_hash
      and page_sessions.id = ${session}`);

/** As nobody can: a trigger keeps a live application live. */
const backToTest = (db: Database, { application = '' }: Things) =>
  db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update applications set is_test = true where id = ${application}`);
  });

/** By path below `/settings/:workspace`. */
export const validForms: Record<string, ValidForm> = {
  '/applications/new': {
    fields: { kind: 'confidential', mode: 'live', name: 'New', callback: CALLBACK, stack: 'python' },
  },
  '/applications/new-service': { fields: { name: 'Nightly' } },
  '/applications/:application/addresses/change': { fields: { 'callback-1': CALLBACK } },
  '/applications/:application/logout/change': {
    fields: { uri: 'https://logout.example/', session_required: 'on' },
  },
  '/applications/:application/appearance': { fields: { name: 'Renamed' } },
  '/applications/:application/logo/remove': {},
  '/applications/:application/test-addresses': {
    fields: { addresses: 'ada@elsewhere.example' },
    prepare: backToTest,
  },
  '/applications/:application/go-live': { prepare: backToTest },
  '/applications/:application/disable': {},
  '/applications/:application/enable': {},
  '/applications/:application/delete': { fields: { name: 'Example shop' } },
  '/applications/:application/client-rules': { fields: { rules: 'compatible' } },
  '/applications/:application/devices': { fields: { devices: 'on' } },
  '/applications/:application/assurance': { fields: { algorithm: 'ES256', authentication: 'secret' } },
  '/applications/:application/secrets': {},
  '/applications/:application/secrets/:secret/expire': { fields: { when: 'now', confirmed: 'on' } },
  '/applications/:application/balance/warnings': { fields: { amount: '5' } },
  '/applications/:application/balance/warnings/remove': { fields: { amount: '5' } },
  // Nothing listens where the payment is to be begun; that it was asked for is kept all the same.
  '/applications/:application/top-up': { fields: { amount: '50' }, status: 503 },
  '/applications/:application/customers/export': { fields: { format: 'csv' }, status: 200 },
  '/applications/:application/customers/:sub/end-sessions': {},
  '/api-keys/new': { fields: { name: 'Reporting', applications: 'all', expires: '30' } },
  '/api-keys/:key/rotate': { fields: { overlap: '86400', expires: '365' } },
  '/api-keys/:key/revoke': {},
  '/apis/new': { fields: { ...api, identifier: 'https://api.elsewhere.example' } },
  '/apis/:api/edit': { fields: api },
  '/apis/:api/delete': { fields: { name: 'Orders' } },
  '/apis/:api/restore': { prepare: deleteApi },
  '/webhooks/new': { fields: endpoint },
  '/webhooks/:subscription/edit': { fields: endpoint },
  '/webhooks/:subscription/secret': { fields: { overlap: '86400' } },
  '/webhooks/:subscription/delete': {},
  '/webhooks/:subscription/restore': { prepare: deleteEndpoint },
  '/webhooks/:subscription/pause': {},
  '/webhooks/:subscription/resume': { prepare: pause },
  '/webhooks/:subscription/test': { fields: { type: 'identity.login.completed.v1' } },
  '/webhooks/:subscription/replay': { fields: { since: '2020-01-01T00:00' } },
  '/webhooks/:subscription/deliveries/:delivery/replay': {},
  '/members/invite': { fields: { email: 'friend@elsewhere.example', role: 'owner' } },
  '/members/invitations/:invitation/resend': {},
  '/members/invitations/:invitation/withdraw': {},
  '/members/leave': {},
  '/members/:account/role': { fields: { role: 'owner' } },
  '/members/:account/remove': {},
  '/sessions/end-others': {},
  '/sessions/:session/end': { repair: carryOver },
};

/** Forms that change nothing in the name of the person who sends them, with what they do instead. */
export const withoutAuthority: Record<string, string> = {
  '/webhooks/check': 'compares what was pasted, and writes nothing',
  '/applications/:application/try': 'begins a sign-in, whose secrets are in a cookie',
  '/applications/:application/payments/:payment/check': 'writes what the provider says became of a payment',
};
