// Cross-site request forgery against every form of the hosted pages (threat 42): the forms are found by walking.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowsOf } from '../../src/database/connection.ts';
import type { Page } from '../harness/browserless-browser.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { headersOf, mailbox, post, startWalk, type Walker } from './walk.ts';

describe('forms of the hosted pages', () => {
  let service: TestTollgate;
  let application: RegisteredApplication;

  beforeAll(async () => {
    service = await startTollgate();
    application = await service.register();
  });
  afterAll(() => service.stop());

  const countOf = async (table: string) => {
    const [row] = rowsOf(await service.db.execute(`select count(*)::int as count from ${table}`));
    return Number(row?.count);
  };

  test('threat 42: every form without its token, with another browser’s, from another site or in another type is refused', async () => {
    const before = [(await countOf('accounts')) + 1, await countOf('consents')];
    let forms = 0;
    await visitEveryForm(async (walker, page) => {
      for (const { action, fields } of page.forms) {
        const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
        const answers = await forgeries(action, headersOf(walker), values);
        expect({ action, answers }).toEqual({ action, answers: [...answers.slice(1).map(() => 403), 415] });
        forms += 1;
      }
    });
    expect(forms).toBeGreaterThan(15);
    expect([await countOf('accounts'), await countOf('consents')]).toEqual(before);
  });

  /** The same form sent in ten wrong ways; the statuses of the answers. */
  async function forgeries(action: string, headers: Record<string, string>, values: Record<string, string>) {
    const complete = new URLSearchParams({ ...values, email: 'eve@example.com', decision: 'allow' });
    const without = new URLSearchParams(complete);
    without.delete('csrf_token');
    const foreign = new URLSearchParams({ ...Object.fromEntries(complete), csrf_token: 'A'.repeat(43) });
    const evil = 'https://evil.example';
    const attempts: [Record<string, string>, URLSearchParams | string][] = [
      [headers, without],
      [headers, foreign],
      [{ ...headers, 'sec-fetch-site': 'cross-site' }, complete],
      [{ ...headers, 'sec-fetch-site': 'same-site' }, complete],
      [{ ...headers, 'sec-fetch-site': 'cross-site', origin: 'null' }, complete],
      [withoutSite({ ...headers, origin: 'null' }), complete],
      [withoutSite({ ...headers, origin: evil }), complete],
      [{ ...headers, origin: evil }, complete],
      [{ ...headers, cookie: onlyInteraction(headers.cookie) }, complete],
      [{ ...headers, 'content-type': 'text/plain' }, complete.toString()],
    ];
    const answers = attempts.map(async ([sent, body]) => (await post(action, sent, body)).status);
    return Promise.all(answers);
  }

  async function visitEveryForm(visit: (walker: Walker, page: Page) => Promise<void>): Promise<void> {
    const walker = await startWalk(service, application);
    for (const step of ['sign-in', 'register', 'password', 'recover']) {
      await visit(walker, await walker.open(walker.path(step)));
    }
    const email = `crawler${Date.now()}@example.com`;
    const readCode = await mailbox(service, email);
    const newcomer = await startWalk(service, application);
    await visit(newcomer, await newcomer.submit('sign-in', { email }));
    await visit(newcomer, await newcomer.submit('code', { code: await readCode() }));
    await visit(newcomer, await newcomer.submit('welcome', { name: 'Crawler' }));
  }
});

const withoutSite = ({ 'sec-fetch-site': _site, ...headers }: Record<string, string>) => headers;

const onlyInteraction = (cookie = '') =>
  cookie
    .split('; ')
    .filter((pair) => !pair.startsWith('tollgate_browser='))
    .join('; ');
