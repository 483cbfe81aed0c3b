// Every form of company settings whose sender is signed out while it is under way (docs/decisions/0701): it is refused,
// and nothing has changed. Generated from the list that the service itself serves, so that no form can be forgotten.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { and, eq, lt, sql } from 'drizzle-orm';
import { accounts } from '../../drizzle/schema/accounts.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { createInvitation } from '../../src/applications/invitation.ts';
import { changeRole } from '../../src/applications/membership.ts';
import { type Database, rowsOf, transaction } from '../../src/database/connection.ts';
import { CSRF_FIELD } from '../../src/http/form.ts';
import { hmac, randomSecret } from '../../src/secrets.ts';
import { createEntryRoutes } from '../../src/settings/entry.tsx';
import type { SettingsDependencies, SettingsRoute } from '../../src/settings/shell/visit.ts';
import { countLockWaits } from '../harness/lock-waits.ts';
import { chosenStores } from '../harness/stores.ts';
import { until } from '../harness/until.ts';
import {
  everythingOn,
  listSettingsRoutes,
  openSettingsLab,
  type SettingsLab,
  type SettingsMember,
} from './lab.ts';
import { oneOfEach } from './matrix-world.ts';
import { validForms, withoutAuthority } from './valid-forms.ts';

/** PGlite has one connection, on which nobody waits for anybody. */
const onServers = chosenStores() === 'servers' ? test : test.skip;

let lab: SettingsLab;

beforeAll(async () => {
  // What a worker does meanwhile would look like a change.
  lab = await openSettingsLab({ ...everythingOn, WORKERS: 'off', WEBHOOK_ALLOW_LOOPBACK: 'on' });
});
afterAll(() => lab?.stop());

const forms = listSettingsRoutes().filter(({ method }) => method === 'POST');

test('every form has a valid input here, or a reason why it needs no authority', () => {
  const known = [...Object.keys(validForms), ...Object.keys(withoutAuthority)];
  expect(forms.map(({ path }) => path).sort()).toEqual(known.sort());
});

type Form = { path: string; fields: Record<string, string>; upload?: boolean | undefined };

async function send({ token }: SettingsMember, { path, fields, upload }: Form) {
  const browser = randomSecret();
  const all = { ...fields, [CSRF_FIELD]: hmac(lab.service.keys.csrf, browser, path) };
  const body = upload ? new FormData() : new URLSearchParams();
  for (const [name, value] of Object.entries(all)) body.set(name, value);
  const cookie = `tollgate_browser=${browser}; tollgate_settings=${token}`;
  const headers = { accept: 'text/html', 'sec-fetch-site': 'same-origin', cookie };
  const answer = await fetch(lab.service.url + path, { method: 'POST', redirect: 'manual', headers, body });
  return { status: answer.status, html: await answer.text() };
}

/** All rows of all tables, but for the counters of visits, and the generation that this test itself raises. */
async function everything(): Promise<Record<string, string>> {
  const { db } = lab.service;
  const tables = rowsOf(
    await db.execute(sql`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('attempt_counters')`),
  );
  const found: Record<string, string> = {};
  for (const { name } of tables) {
    const rows = sql`select coalesce(md5(string_agg(row, ',' order by row)), '') as digest from (
      select (to_jsonb(t) - '{generation,last_seen_at}'::text[])::text as row from ${sql.identifier(String(name))} t) r`;
    const [{ digest } = {}] = rowsOf(await db.execute(rows));
    found[String(name)] = String(digest);
  }
  return found;
}

/** `change` is committed once the form waits for it. */
async function sendDuring(member: SettingsMember, form: Form, change: (tx: Database) => Promise<unknown>) {
  const { db } = lab.service;
  let answer: ReturnType<typeof send> | undefined;
  let isAnswered = false;
  await db.transaction(async (tx) => {
    await change(tx);
    answer = send(member, form).finally(() => {
      isAnswered = true;
    });
    const waiting = async () => isAnswered || (await countLockWaits(db)) > 0;
    await until('it waits for the lock, or is answered', waiting, { everyMilliseconds: 5 });
    expect({ isAnswered }).toEqual({ isAnswered: false });
  });
  if (!answer) throw new Error('nothing was sent');
  return answer;
}

type Accepted = { status?: number | undefined; repair?: (() => Promise<unknown>) | undefined };

async function expectRefused(member: SettingsMember, form: Form, accepted: Accepted = {}): Promise<void> {
  const { id } = member.account;
  const before = await everything();
  const refused = await sendDuring(member, form, (tx) =>
    tx
      .update(accounts)
      .set({ generation: sql`${accounts.generation} + 1` })
      .where(eq(accounts.id, id)),
  );
  expect(refused.status).toBe(401);
  expect(refused.html).toContain('You have been signed out');
  expect(await everything()).toEqual(before);
  // The same form does change something when its sender is signed in: otherwise the above would prove nothing.
  const again = await lab.signIn(member.account.email);
  await accepted.repair?.();
  const signedIn = await everything();
  expect((await send(again, form)).status).toBe(accepted.status ?? 303);
  expect(await everything()).not.toEqual(signedIn);
  // What else a raise does.
  await lab.service.db
    .update(sessions)
    .set({ endedAt: new Date() })
    .where(and(eq(sessions.accountId, id), lt(sessions.generation, again.account.generation)));
}

/** Another owner is there, so that this one may leave. */
async function company(name: string) {
  const members = await lab.addWorkspace(name);
  const { id: workspaceId } = members.workspace;
  const { id: accountId } = members.developer.account;
  await transaction(lab.service.db, (tx) => changeRole(tx, { workspaceId, accountId, role: 'owner' }));
  return { ...members, workspaceId };
}

/** In a company of its own: the form, and whoever sends it. */
async function formOf({ path, upload }: SettingsRoute) {
  const { db } = lab.service;
  const members = await company('Company');
  const things = await oneOfEach(db, members);
  const { fields = {}, prepare, repair, status } = validForms[path] ?? {};
  await prepare?.(db, things);
  const rest = path.replaceAll(/:(\w+)/g, (_, name: string) => things[name] ?? '');
  const chosen = path.endsWith('/test') ? { application: things.application ?? '' } : {};
  const form = { path: `/settings/${members.workspaceId}${rest}`, fields: { ...fields, ...chosen }, upload };
  return { ...members, form, accepted: { status, repair: repair && (() => repair(db, things)) } };
}

const writing = forms.filter(({ path }) => !(path in withoutAuthority));

for (const route of writing) {
  onServers(`whoever is signed out while POST ${route.path} is under way changes nothing`, async () => {
    const { owner, form, accepted } = await formOf(route);
    await expectRefused(owner, form, accepted);
  });
}

for (const route of writing.filter(({ role }) => role !== 'viewer')) {
  onServers(`whoever loses their role while POST ${route.path} is under way changes nothing`, async () => {
    const { owner, workspaceId, form } = await formOf(route);
    const accountId = owner.account.id;
    const answer = await sendDuring(owner, form, (tx) =>
      changeRole(tx, { workspaceId, accountId, role: 'viewer' }),
    );
    expect(answer.status).toBe(403);
    const { db } = lab.service;
    const entries = await db.select().from(auditEntries).where(eq(auditEntries.workspaceId, workspaceId));
    expect(entries).toEqual([]);
  });
}

test('of the addresses outside of a workspace, these three take forms', () => {
  const unused = { config: {}, db: {}, formGuard: {} } as unknown as SettingsDependencies;
  const entries = createEntryRoutes(unused, { redeem: async () => undefined });
  const paths = entries.filter(({ method }) => method === 'POST').map(({ path }) => path);
  // Signing out needs nothing that could have ended meanwhile; the other two are below.
  expect(paths.sort()).toEqual(['/invitations/:token', '/sign-out', '/workspaces/new']);
});

onServers('whoever is signed out while a new workspace is under way gets none', async () => {
  const guest = await lab.signIn('founder@example.com');
  await expectRefused(guest, { path: '/settings/workspaces/new', fields: { name: 'Never' } });
});

onServers('whoever is signed out while they accept an invitation is no member', async () => {
  const { owner, workspaceId } = await company('Inviting');
  const guest = await lab.signIn('invited@example.com');
  const { email } = guest.account;
  const invitedBy = owner.account.id;
  const { token } = await createInvitation(lab.service.db, {
    workspaceId,
    email,
    role: 'owner',
    invitedBy,
    now: new Date(),
  });
  await expectRefused(guest, { path: `/settings/invitations/${token}`, fields: {} });
});
