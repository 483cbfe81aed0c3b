// The ways through the pages, each of which stops for a picture wherever a person would look: the hosted pages, the account
// page, company settings, documentation and development.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { findAccountByEmail } from '../../src/accounts/account.ts';
import { inboxReader } from '../harness/browserless-person.ts';
import { startAttempt } from '../harness/client.ts';
import { beginDevice } from '../harness/device.ts';
import { addAccount, signInBrowser } from '../harness/identity.ts';
import type { RegisteredApplication } from '../harness/tollgate.ts';
import type { Person } from '../hosted-pages/lab.ts';
import { listSettingsRoutes, type SettingsLab, type SettingsMember } from '../settings/lab.ts';
import type { Things } from '../settings/matrix-world.ts';
import type { BusyCompany } from './company.ts';

export type Shoot = (page: Page, name: string) => Promise<void>;
export type Tour = {
  lab: SettingsLab;
  busy: BusyCompany;
  /** A company in which nothing has happened yet. */
  empty: { workspaceId: string; owner: SettingsMember };
  options: BrowserContextOptions;
  shoot: Shoot;
};

const EMAIL = 'ada.lovelace@analytical-engine.example';
const PASSWORD = 'quartz lantern meadow 77 bicycle';
let tours = 0;

/** A registration, a recovery, and whatever can go wrong on the way; then the account page of the same person. */
export async function tourHostedAndAccount(tour: Tour): Promise<void> {
  const { lab, busy, options } = tour;
  const person = await lab.person(undefined, options);
  const { page } = person;
  await page.route('https://app.example.test/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Shop</title><h1>Shop</h1>' }),
  );
  tours += 1;
  const email = EMAIL.replace('@', `.${tours}@`);
  await tourHosted(tour, person, email);
  await tourFeatures(tour, person);
  await furnish(tour, email);
  await tourAccount(tour, page);
  await page.goto(startAttempt(lab.service, busy.notes).url);
  await tour.shoot(page, 'hosted 30 test mode');
  await page.goto(startAttempt(lab.service, busy.notes, { redirect_uri: 'https://localhost:4443/call' }).url);
  await tour.shoot(page, 'hosted 31 test mode, refused');
  await person.close();
}

async function tourHosted({ lab, busy, shoot }: Tour, person: Person, email: string): Promise<void> {
  const { page } = person;
  const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, email);
  const begin = (application: RegisteredApplication, more = {}) =>
    page.goto(startAttempt(lab.service, application, more).url);
  const step = (name: string) => page.goto(page.url().replace(/[^/]+$/, name));
  await begin(busy.shop);
  await shoot(page, 'hosted 01 sign-in');
  await person.answer({ email: 'ada@' }).catch(() => undefined);
  await step('register');
  await page.$eval('main form', (form) => form.setAttribute('novalidate', ''));
  await person.answer({ password: 'kitten' });
  await shoot(page, 'hosted 02 registration, problems');
  await step('password');
  await person.answer({ email, password: 'not it, sorry, not it' });
  await shoot(page, 'hosted 03 password, wrong');
  await step('sign-in');
  await person.answer({ email: email.replace('ada', 'guesser') });
  await shoot(page, 'hosted 04 code');
  for (let wrong = 0; wrong < 5; wrong += 1) {
    await person.answer({ code: '000000' });
    if (wrong === 0) await shoot(page, 'hosted 05 code, wrong');
  }
  await shoot(page, 'hosted 06 code, used up');
  await begin(busy.shop);
  await person.answer({ email });
  await person.answer({ code: await readCode(email) });
  await shoot(page, 'hosted 07 welcome');
  await person.answer({ name: 'Ada Lovelace' });
  await shoot(page, 'hosted 08 consent');
  const over = page.url();
  await person.answer({}, 'button[value="allow"]');
  await person.arrive();
  await begin(busy.shop, { prompt: 'select_account' });
  await shoot(page, 'hosted 09 account choice');
  await recoverAnother({ lab, busy, shoot }, page, email.replace('ada', 'augusta'));
  await page.goto(`${lab.service.url}/oauth/logout`);
  await shoot(page, 'hosted 13 sign out');
  await page.goto(`${lab.service.url}/interaction/unknown-unknown-1234`);
  await shoot(page, 'hosted 14 expired');
  await page.goto(over);
  await shoot(page, 'hosted 17 finished');
  await begin(busy.shop, { redirect_uri: 'https://evil.example/' });
  await shoot(page, 'hosted 15 refused');
  await page.goto(`${lab.service.url}/nothing-here`);
  await shoot(page, 'hosted 16 not found');
}

/** By somebody who is signed in: a device, and an API in the consent. */
async function tourFeatures({ lab: { service }, busy, shoot }: Tour, person: Person): Promise<void> {
  const { page } = person;
  const { userCode } = await beginDevice(service, busy.shop);
  await page.goto(`${service.url}/device`);
  await shoot(page, 'hosted 20 device, code');
  await person.answer({ user_code: 'BBBB-BBBB' });
  await shoot(page, 'hosted 21 device, wrong code');
  await person.answer({ user_code: userCode });
  await page.waitForURL('**/interaction/**');
  await shoot(page, 'hosted 22 device, question');
  await person.answer({}, 'button[value="allow"]');
  await page.waitForURL('**/device/*');
  await shoot(page, 'hosted 23 device, connected');
  const api = { scope: 'openid email orders:read orders:write', resource: busy.features.identifier };
  await page.goto(startAttempt(service, busy.shop, api).url);
  await shoot(page, 'hosted 24 consent, an API');
}

/** Whose mails come at no moment that is too soon. */
async function recoverAnother({ lab, busy, shoot }: Recovery, before: Page, email: string): Promise<void> {
  await addAccount(lab.service.db, { email, name: 'Augusta King' });
  const page = await before.context().newPage();
  const readCode = await inboxReader(`${lab.service.url}/dev/inbox.json`, email);
  const submit = async (field: string, value: string) => {
    await page.fill(`main [name="${field}"]`, value);
    await page.click('main form .button-primary');
  };
  await page.goto(startAttempt(lab.service, busy.shop, { prompt: 'login' }).url);
  await page.goto(page.url().replace(/[^/]+$/, 'recover'));
  await shoot(page, 'hosted 10 recover');
  await submit('email', email);
  await submit('code', await readCode(email));
  await shoot(page, 'hosted 11 new password');
  await submit('password', PASSWORD);
  await shoot(page, 'hosted 12 recovered');
  await page.close();
}

type Recovery = Pick<Tour, 'lab' | 'busy' | 'shoot'>;

/** What is slow to make by hand. */
async function furnish({ lab: { service } }: Tour, email: string): Promise<void> {
  const { db, clock } = service;
  const account = await findAccountByEmail(db, email);
  if (!account) throw new Error(`${email} has no account`);
  const now = new Date(Date.now() + clock.aheadMilliseconds);
  const key = { accountId: account.id, publicKey: Buffer.from('key'), counter: 0, transports: ['internal'] };
  const names = ['iCloud Keychain', 'YubiKey 5C NFC in the drawer of the desk at home'];
  for (const name of names)
    await db.insert(passkeys).values({
      ...key,
      id: `pky_${tours}_${name}`,
      credentialId: Buffer.from(`${tours} ${name}`).toString('base64url'),
      name,
      backedUp: true,
      createdAt: now,
    });
  await db.insert(socialIdentities).values({
    provider: 'google',
    subject: `${tours}`,
    accountId: account.id,
    email: 'ada.lovelace@gmail.com',
    createdAt: now,
  });
  for (const userAgent of [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0',
  ])
    await signInBrowser(db, { account, userAgent, now });
}

const accountPages = [
  '',
  '/profile',
  '/address',
  '/sign-in',
  '/password',
  '/passkeys',
  '/social',
  '/sessions',
  '/applications',
  '/data',
  '/delete',
];

async function tourAccount({ lab, shoot }: Tour, page: Page): Promise<void> {
  await page.goto(`${lab.service.url}/account`);
  await page.waitForURL('**/account');
  for (const [place, path] of accountPages.entries()) {
    const answer = await page.goto(`${lab.service.url}/account${path}`);
    if (answer?.status() === 200)
      await shoot(page, `account ${String(place + 1).padStart(2, '0')} ${path.slice(1) || 'overview'}`);
  }
}

/** Every page that can be opened, of the company that is busy and of the one that is empty. */
export async function tourSettings(tour: Tour): Promise<void> {
  const { lab, busy, empty, options, shoot } = tour;
  const paths = listSettingsRoutes()
    .filter(({ method, path }) => method === 'GET' && !/preview|csv|download/.test(path))
    .map(({ path }) => path);
  const open = async (
    member: SettingsMember,
    workspaceId: string,
    wanted: [path: string, name: string][],
  ) => {
    const { page, close } = await lab.person(member, options);
    for (const [path, name] of wanted) {
      const answer = await page.goto(`${lab.service.url}/settings/${workspaceId}${path}`);
      if (answer?.status() === 200) await shoot(page, name);
    }
    await close();
  };
  const fresh = await lab.signIn(busy.company.owner.account.email);
  await open(
    fresh,
    busy.company.workspace.id,
    paths.map((path) => [
      fill(path, busy.things),
      `settings ${path.slice(1).replaceAll(':', '').replaceAll('/', ' ') || 'overview'}`,
    ]),
  );
  const { service, assured } = busy.features;
  const others: [path: string, name: string][] = [
    [`/applications/${busy.notes.id}`, 'settings test mode'],
    [`/applications/${busy.notes.id}/go-live`, 'settings test mode go live'],
    [`/applications/${busy.notes.id}/test-addresses`, 'settings test mode testers'],
    [`/applications/${service}`, 'settings service'],
    [`/applications/${assured}`, 'settings assurance, an application with it'],
    [`/applications/${assured}/assurance`, 'settings assurance, form'],
  ];
  await open(fresh, busy.company.workspace.id, others);
  const first = ['', '/applications', '/usage', '/api-keys', '/apis', '/webhooks', '/members', '/audit-log'];
  await open(
    empty.owner,
    empty.workspaceId,
    first.map((path) => [path, `empty ${path.slice(1) || 'overview'}`]),
  );
}

function fill(path: string, things: Things): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => things[name] ?? 'nothing');
}

const readingPages = [
  ['/', 'start page'],
  ['/docs', 'documentation'],
  ['/docs/integrate', 'documentation, a page'],
  ['/docs/webhooks', 'documentation, with tables'],
  ['/docs/search?q=refresh+token', 'documentation, search'],
  ['/v1/docs', 'API reference'],
  ['/dev/inbox', 'development inbox'],
  ['/dev/styles', 'style guide'],
] as const;

export async function tourReading({ lab, options, shoot }: Tour): Promise<void> {
  const { page, close } = await lab.person(undefined, options);
  for (const [path, name] of readingPages) {
    await page.goto(lab.service.url + path);
    await shoot(page, `reading ${name}`);
  }
  await page.goto(`${lab.service.url}/dev/inbox`);
  const link = page.locator('main a[href^="/dev/inbox/"]').first();
  if (await link.isVisible()) {
    await link.click();
    await shoot(page, 'reading development inbox, a mail');
  }
  await close();
}
