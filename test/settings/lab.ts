// For the tests of company settings: the whole service, workspaces with members of each role, and their sessions,
// which are made directly, so that no test waits for a sign-in. People come with a browser or with plain HTTP.
import { readFile } from 'node:fs/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { type Account, findAccountByEmail } from '../../src/accounts/account.ts';
import { createApplication, type NewApplication } from '../../src/applications/application.ts';
import type { Role } from '../../src/applications/member.ts';
import { addMember } from '../../src/applications/membership.ts';
import { createWorkspace, type Workspace } from '../../src/applications/workspace.ts';
import { secondsAfter } from '../../src/clock.ts';
import { readConfig } from '../../src/config/config.ts';
import { transaction } from '../../src/database/connection.ts';
import { topUp } from '../../src/ledger/balance.ts';
import { settingsRoutes } from '../../src/settings/routes.ts';
import type { SettingsRoute, SettingsDependencies } from '../../src/settings/shell/visit.ts';
import { launchChromium } from '../harness/chromium.ts';
import { addAccount, signInToPages } from '../harness/identity.ts';
import {
  CALLBACK,
  type RegisteredApplication,
  startTollgate,
  type TestTollgate,
} from '../harness/tollgate.ts';
import { newPerson, type Person } from '../hosted-pages/lab.ts';
import { formValues } from './walk.ts';

export type SettingsMember = {
  account: Account;
  /** Of the session: `tollgate_settings=…`. */
  cookie: string;
  /** Value of that cookie. */
  token: string;
  /** Of the browser's session that it belongs to (`sessions.uid_hash`). */
  sessionHash: string;
};

export type SettingsWorkspace = {
  workspace: Workspace;
  owner: SettingsMember;
  developer: SettingsMember;
  viewer: SettingsMember;
  /** Registers an application in this workspace, with a balance of 100.00 unless told otherwise. */
  register(input?: Partial<NewApplication> & { balance?: bigint }): Promise<RegisteredApplication>;
};

export type Answer = { status: number; headers: Headers; html: string; location: string | undefined };

/** A member without a browser: keeps the cookies that the service sets, follows no redirect. */
export type Visitor = {
  get(path: string): Promise<Answer>;
  /** Opens `page`, takes the token of its form that posts to `path` (`page` itself by default), and sends the fields. */
  post(page: string, fields: Record<string, string>, path?: string): Promise<Answer>;
  /** The same with files, as multipart/form-data. */
  upload(
    page: string,
    fields: Record<string, string | { bytes: Uint8Array; name?: string }>,
    path?: string,
  ): Promise<Answer>;
  /** The form on `html` that posts to `path`, with these fields in place of its own. */
  send(path: string, html: string, fields: Record<string, string>): Promise<Answer>;
  /** The page that the last redirect led to. */
  follow(answer: Answer): Promise<Answer>;
};

export type SettingsLab = {
  service: TestTollgate;
  /** Two companies that must never meet. */
  acme: SettingsWorkspace;
  other: SettingsWorkspace;
  addWorkspace(name: string): Promise<SettingsWorkspace>;
  /** A signed-in person; `authenticatedSecondsAgo` makes the sign-in too old for `fresh` pages. */
  signIn(email: string, options?: { authenticatedSecondsAgo?: number }): Promise<SettingsMember>;
  /** With a browser, signed in as a member or not at all. Only where hasChromium(). */
  person(member: SettingsMember | undefined, options?: BrowserContextOptions): Promise<Person>;
  visitor(member?: { cookie: string }): Visitor;
  stop(): Promise<void>;
};

/** For the matrix of routes: those that only a setting brings are there too. Nothing listens at that address. */
export const everythingOn = {
  STRIPE_SECRET_KEY: 'sk_test_51matrix',
  STRIPE_WEBHOOK_SECRET: 'whsec_matrix',
  STRIPE_API_URL: 'http://127.0.0.1:1',
};

export async function openSettingsLab(environment: Record<string, string> = {}): Promise<SettingsLab> {
  const service = await startTollgate(environment);
  let browser: Promise<Browser> | undefined;
  const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
  const signIn: SettingsLab['signIn'] = (email, options) => signInDirectly(service, email, options);
  const addWorkspace = (name: string) => workspaceWithMembers(service, name, signIn);
  return {
    service,
    acme: await addWorkspace('Acme Outdoor'),
    other: await addWorkspace('Other & Sons'),
    addWorkspace,
    signIn,
    async person(member, options = {}) {
      browser ??= launchChromium();
      const person = await newPerson({ browser: await browser, axe, callback: CALLBACK, options });
      if (!member) return person;
      const cookie = { name: 'tollgate_settings', value: member.token, path: '/' };
      const { hostname: domain } = new URL(service.url);
      await person.page.context().addCookies([{ ...cookie, domain, httpOnly: true, sameSite: 'Strict' }]);
      return person;
    },
    visitor: (member) => createVisitor(service.url, member?.cookie),
    async stop() {
      await (await browser)?.close();
      await service.stop();
    },
  };
}

async function signInDirectly(
  { db, clock }: TestTollgate,
  email: string,
  { authenticatedSecondsAgo = 0 }: { authenticatedSecondsAgo?: number } = {},
): Promise<SettingsMember> {
  const now = new Date(Date.now() + clock.aheadMilliseconds);
  return transaction(db, async (tx) => {
    const [name = ''] = email.split('@');
    const account =
      (await findAccountByEmail(tx, email)) ??
      (await addAccount(tx, { email, name, now: secondsAfter(now, -7_200) }));
    const { token, sessionHash } = await signInToPages(tx, {
      area: 'settings',
      account,
      provenSecondsAgo: authenticatedSecondsAgo,
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
      now,
    });
    return { account, token, sessionHash, cookie: `tollgate_settings=${token}` };
  });
}

async function workspaceWithMembers(
  service: TestTollgate,
  name: string,
  signIn: SettingsLab['signIn'],
): Promise<SettingsWorkspace> {
  const { db } = service;
  const host = `${name.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`;
  const now = new Date();
  const prices = { currency: 'EUR', registrationPrice: 50_000n, signInPrice: 20_000n };
  const workspace = await transaction(db, (tx) => createWorkspace(tx, { name, ...prices, now }));
  const member = async (role: Role) => {
    const signedIn = await signIn(`${role}@${host}`);
    const accountId = signedIn.account.id;
    await transaction(db, (tx) => addMember(tx, { workspaceId: workspace.id, accountId, role, now }));
    return signedIn;
  };
  return {
    workspace,
    owner: await member('owner'),
    developer: await member('developer'),
    viewer: await member('viewer'),
    register: (input = {}) => registerIn(service, workspace.id, input),
  };
}

async function registerIn(
  { db }: TestTollgate,
  workspaceId: string,
  { balance = 100_000_000n, ...input }: Partial<NewApplication> & { balance?: bigint },
): Promise<RegisteredApplication> {
  const now = new Date();
  return transaction(db, async (tx) => {
    const { application, clientSecret } = await createApplication(tx, {
      workspaceId,
      name: 'Example shop',
      clientType: 'confidential',
      redirectUris: [CALLBACK],
      now,
      ...input,
    });
    const { id: applicationId } = application;
    if (balance > 0n) await topUp(tx, { applicationId, amount: balance, reference: applicationId, now });
    return { ...application, clientSecret };
  });
}

function createVisitor(origin: string, cookie: string | undefined): Visitor {
  const jar = new Map<string, string>();
  const keep = (pair: string) => {
    const [name = '', ...value] = pair.split('=');
    if (value.join('=') === '') jar.delete(name);
    else jar.set(name, value.join('='));
  };
  if (cookie) keep(cookie);
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(new URL(path, origin), {
      ...init,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });
    for (const line of response.headers.getSetCookie()) keep(line.split(';')[0] ?? '');
    return {
      status: response.status,
      headers: response.headers,
      html: await response.text(),
      location: response.headers.get('location') ?? undefined,
    };
  };
  const fieldsOf = async (page: string, path: string) => {
    const { html } = await send(page);
    return new Map(Object.entries(formValues(html, origin, path)));
  };
  return {
    get: (path) => send(path),
    async post(page, fields, path = page) {
      const all = await fieldsOf(page, path);
      for (const [name, value] of Object.entries(fields)) all.set(name, value);
      return send(path, { method: 'POST', body: new URLSearchParams([...all]) });
    },
    async upload(page, fields, path = page) {
      const body = new FormData();
      for (const [name, value] of await fieldsOf(page, path)) if (!(name in fields)) body.set(name, value);
      for (const [name, value] of Object.entries(fields)) {
        if (typeof value === 'string') body.set(name, value);
        else body.set(name, new Blob([new Uint8Array(value.bytes)]), value.name ?? 'file');
      }
      return send(path, { method: 'POST', body });
    },
    send(path, html, fields) {
      const body = new URLSearchParams({ ...formValues(html, origin, path), ...fields });
      return send(path, { method: 'POST', body });
    },
    follow({ location }) {
      if (!location) throw new Error('this answer is no redirect');
      return send(location);
    },
  };
}

/** The list that the service serves. Its handlers are not called here, so that most of their tools are not needed. */
export function listSettingsRoutes(): SettingsRoute[] {
  const unused = new Proxy({}, { get: () => () => undefined });
  const tools = { config: readConfig(everythingOn), clock: () => new Date(), db: unused, formGuard: unused };
  return settingsRoutes(tools as unknown as SettingsDependencies);
}
