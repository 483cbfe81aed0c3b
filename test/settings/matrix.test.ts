// Every address of company settings against everybody who may come (promise 41, threats 53, 54 and 55): generated
// from the list that the service itself serves, so that no page can be forgotten.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '../../src/applications/api-key.ts';
import { isAtLeast, type Role, roles } from '../../src/applications/member.ts';
import { CSRF_FIELD } from '../../src/http/form.ts';
import { hmac, randomSecret } from '../../src/secrets.ts';
import type { SettingsRoute } from '../../src/settings/shell/visit.ts';
import { signInToPages } from '../harness/identity.ts';
import { everythingOn, listSettingsRoutes, openSettingsLab, type SettingsLab } from './lab.ts';
import { madeUp, oneOfEach, type Things } from './matrix-world.ts';

const routes = listSettingsRoutes();
const STALE_SECONDS = 600;

type Sent = {
  cookies?: Record<string, string>;
  headers?: Record<string, string>;
  /** The form's own token, as our page would have put into it. */
  csrf?: 'right' | 'of another form' | 'none';
};

describe('threats 53, 54 and 55: every address of company settings', () => {
  let lab: SettingsLab;
  let mine: Things;
  let theirs: Things;
  let nobodys: Things;

  beforeAll(async () => {
    lab = await openSettingsLab(everythingOn);
    mine = await oneOfEach(lab.service.db, lab.acme);
    theirs = await oneOfEach(lab.service.db, lab.other);
    nobodys = madeUp(theirs);
  });
  afterAll(() => lab?.stop());

  function pathOf(route: SettingsRoute, things: Things, workspaceId = lab.acme.workspace.id): string {
    const rest = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const thing = things[name];
      if (!thing) throw new Error(`settings-matrix-world.ts knows no :${name}`);
      return thing;
    });
    return `/settings/${workspaceId}${rest}`;
  }

  async function send(route: SettingsRoute, path: string, { cookies = {}, headers = {}, csrf }: Sent) {
    const browser = randomSecret();
    const form = csrf === 'of another form' ? '/settings/workspaces/new' : path;
    const token = csrf === 'none' ? {} : { [CSRF_FIELD]: hmac(lab.service.keys.csrf, browser, form) };
    const jar = { tollgate_browser: browser, ...cookies };
    const answer = await fetch(lab.service.url + path, {
      method: route.method,
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        'sec-fetch-site': 'same-origin',
        cookie: Object.entries(jar)
          .map(([name, value]) => `${name}=${value}`)
          .join('; '),
        ...headers,
      },
      ...(route.method === 'POST' ? { body: bodyOf(route, token) } : {}),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  }

  function bodyOf(route: SettingsRoute, fields: Record<string, string>): FormData | URLSearchParams {
    if (!route.upload) return new URLSearchParams(fields);
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return body;
  }

  /** What every route that does not answer as expected said instead. */
  async function wrongAnswers(
    look: (route: SettingsRoute) => Promise<string | undefined>,
    which = routes,
  ): Promise<string[]> {
    const wrong: string[] = [];
    for (const route of which) {
      const answer = await look(route);
      if (answer !== undefined) wrong.push(`${route.method} ${route.path}: ${answer}`);
    }
    return wrong;
  }

  const sessionOf = ({ token }: { token: string }) => ({ tollgate_settings: token });
  const memberIn = (role: Role) => lab.acme[role];

  test('there are many, and each path is there once per method', () => {
    expect(routes.length).toBeGreaterThan(60);
    const names = routes.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(names).size).toBe(names.length);
  });

  describe('threat 54: without a session of a member', () => {
    type Stranger = [name: string, sent: () => Promise<Sent> | Sent];
    const strangers: Stranger[] = [
      ['nobody', () => ({})],
      ['a session that never was', () => ({ cookies: { tollgate_settings: randomSecret() } })],
      ['a session of the account page', async () => ({ cookies: await accountPageSession() })],
      [
        'a session with the engine, as customers have it',
        () => ({ cookies: { tollgate_session: randomSecret() } }),
      ],
    ];

    async function accountPageSession() {
      const { account } = lab.acme.owner;
      const { token } = await signInToPages(lab.service.db, { area: 'account', account });
      return { tollgate_settings: token, tollgate_account: token };
    }

    for (const [name, sent] of strangers) {
      test(`${name}: pages lead to the sign-in, forms wait for it`, async () => {
        const stranger = await sent();
        const wrong = await wrongAnswers(async (route) => {
          const answer = await send(route, pathOf(route, mine), stranger);
          const location = answer.headers.get('location') ?? '';
          if (route.method === 'GET')
            return answer.status === 303 &&
              location.startsWith('/oauth/authorize?client_id=tollgate-settings&')
              ? undefined
              : `${answer.status} ${location}`;
          return answer.status === 401 && answer.body.includes('You have been signed out')
            ? undefined
            : String(answer.status);
        });
        expect(wrong).toEqual([]);
      });
    }

    test('an expired session is none', async () => {
      const { clock } = lab.service;
      const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
      clock.aheadMilliseconds = 31 * 60_000;
      try {
        const wrong = await wrongAnswers(async (route) => {
          const { status } = await send(route, pathOf(route, mine), { cookies });
          return status === (route.method === 'GET' ? 303 : 401) ? undefined : String(status);
        });
        expect(wrong).toEqual([]);
      } finally {
        clock.aheadMilliseconds = 0;
      }
    });

    test('an API key or an access token opens nothing', async () => {
      const { key } = await createApiKey(lab.service.db, {
        workspaceId: lab.acme.workspace.id,
        name: 'Crawler',
        scopes: ['identity:read'],
        now: new Date(),
      });
      for (const bearer of [key, randomSecret()]) {
        const wrong = await wrongAnswers(async (route) => {
          const headers = { authorization: `Bearer ${bearer}`, accept: 'application/json' };
          const answer = await send(route, pathOf(route, mine), { headers, csrf: 'none' });
          const expected = route.method === 'GET' ? 401 : 403;
          return answer.status === expected && answer.body.startsWith('{"error":"')
            ? undefined
            : `${answer.status} ${answer.body.slice(0, 80)}`;
        });
        expect(wrong).toEqual([]);
      }
    });
  });

  describe('threat 53: what belongs to somebody else', () => {
    const notFound = async (route: SettingsRoute, path: string, cookies: Record<string, string>) => {
      const answer = await send(route, path, { cookies });
      return { ...answer, line: `${answer.status} ${answer.body.slice(0, 60)}` };
    };

    test('a workspace of another company is a 404, the same as one that never existed', async () => {
      const cookies = sessionOf(lab.acme.owner);
      const { id } = lab.other.workspace;
      const random = id.replace(/[0-9a-f]{12}$/, 'f'.repeat(12));
      const wrong = await wrongAnswers(async (route) => {
        const foreign = await notFound(route, pathOf(route, theirs, id), cookies);
        const never = await notFound(route, pathOf(route, nobodys, random), cookies);
        if (foreign.status !== 404 || never.status !== 404) return `${foreign.line} ${never.line}`;
        return foreign.body === never.body ? undefined : 'the two pages differ';
      });
      expect(wrong).toEqual([]);
    });

    test('each id of another company inside the own workspace is a 404, the same as one that never existed', async () => {
      const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
      const named = routes.filter(({ path }) => path.includes(':'));
      const wrong = await wrongAnswers(async (route) => {
        const names = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
        for (const name of names) {
          const foreign = await notFound(
            route,
            pathOf(route, { ...mine, [name]: theirs[name] ?? '' }),
            cookies,
          );
          const never = await notFound(
            route,
            pathOf(route, { ...mine, [name]: nobodys[name] ?? '' }),
            cookies,
          );
          if (foreign.status !== 404 || never.status !== 404) return `:${name} ${foreign.line} ${never.line}`;
          if (foreign.body !== never.body) return `:${name}: the two pages differ`;
        }
        return undefined;
      }, named);
      expect(wrong).toEqual([]);
    });

    test('ids of any other form are a 404 as well, never an error of ours', async () => {
      const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
      const odd = ['1', '%00', "'%20or%201=1", '..%2f..', 'x'.repeat(300), '__proto__', '%F0%9F%92%A9'];
      const named = routes.filter(({ path, method }) => path.includes(':') && method === 'GET');
      const wrong = await wrongAnswers(async (route) => {
        for (const id of odd) {
          const everything = Object.fromEntries(Object.keys(mine).map((name) => [name, id]));
          const { status } = await send(route, pathOf(route, everything), { cookies });
          if (status !== 404 && status !== 400) return `${id} ${status}`;
        }
        return undefined;
      }, named);
      expect(wrong).toEqual([]);
    });
  });

  /** Of whoever may see it: the page; what needs more than its address answers with what is missing. */
  function seenBy({ path }: SettingsRoute): number {
    return path === '/applications/:application/try/callback' ? 400 : 200;
  }

  for (const role of roles) {
    test(`${role === 'owner' ? 'an' : 'a'} ${role} sees what the role may see, and is told which one the rest needs`, async () => {
      const cookies = sessionOf(await lab.signIn(memberIn(role).account.email));
      const wrong = await wrongAnswers(async (route) => {
        const mayDoIt = isAtLeast(role, route.role);
        // Forms that are let through are the sections' own tests: here they would change what the others look at.
        if (mayDoIt && route.method === 'POST') return undefined;
        const answer = await send(route, pathOf(route, mine), { cookies });
        if (mayDoIt) return answer.status === seenBy(route) ? undefined : String(answer.status);
        const saysWhich = route.role === 'owner' ? 'Only owners of' : 'Only developers and owners of';
        return answer.status === 403 && answer.body.includes(saysWhich) ? undefined : String(answer.status);
      });
      expect(wrong).toEqual([]);
    });
  }

  test('what needs a fresh sign-in asks for one, pages and forms alike', async () => {
    const { email } = lab.acme.owner.account;
    const stale = await lab.signIn(email, { authenticatedSecondsAgo: STALE_SECONDS });
    const wrong = await wrongAnswers(async (route) => {
      if (!route.fresh) return undefined;
      const answer = await send(route, pathOf(route, mine), { cookies: sessionOf(stale) });
      if (route.method === 'POST')
        return answer.status === 403 && answer.body.includes('Confirm it’s you')
          ? undefined
          : String(answer.status);
      const location = answer.headers.get('location') ?? '';
      return answer.status === 303 && location.includes('prompt=login') ? undefined : String(answer.status);
    });
    expect(wrong).toEqual([]);
  });

  test('threat 55: a form that does not come from our own page changes nothing', async () => {
    const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
    const forms = routes.filter(({ method }) => method === 'POST');
    const origin = new URL(lab.service.url);
    const attacks: Sent[] = [
      { csrf: 'none' },
      { csrf: 'of another form' },
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
      { headers: { origin: 'https://console.evil', 'sec-fetch-site': '' } },
      { headers: { origin: 'null', 'sec-fetch-site': '' } },
      { headers: { origin: `${origin.origin}.evil.example`, 'sec-fetch-site': '' } },
    ];
    const wrong = await wrongAnswers(async (route) => {
      for (const attack of attacks) {
        const { status, headers } = await send(route, pathOf(route, mine), { cookies, ...attack });
        if (status !== 403) return `${JSON.stringify(attack)} ${status}`;
        if (headers.has('access-control-allow-origin')) return 'other origins may read the answer';
      }
      return undefined;
    }, forms);
    expect(wrong).toEqual([]);
  });

  test('GET changes nothing, and no answer may be kept or read by another origin', async () => {
    const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
    const pages = routes.filter(({ method }) => method === 'GET');
    const wrong = await wrongAnswers(async (route) => {
      const { headers } = await send(route, pathOf(route, mine), {
        cookies,
        headers: { origin: 'https://console.evil' },
      });
      if (headers.get('cache-control') !== 'no-store' && !headers.has('location'))
        return `cache-control ${headers.get('cache-control')}`;
      if (headers.has('access-control-allow-origin')) return 'other origins may read the answer';
      return headers.get('x-frame-options') === 'DENY' ? undefined : 'may be framed';
    }, pages);
    expect(wrong).toEqual([]);
  });

  test('a zero character in a form or a query is bad input, not an error of ours', async () => {
    const cookies = sessionOf(await lab.signIn(lab.acme.owner.account.email));
    const path = `/settings/${lab.acme.workspace.id}/audit-log?action=%00`;
    const [page] = routes;
    if (!page) throw new Error('no route');
    expect((await send(page, path, { cookies })).status).toBe(400);
    const visitor = lab.visitor(lab.acme.owner);
    const invite = `/settings/${lab.acme.workspace.id}/members/invite`;
    expect((await visitor.post(invite, { email: 'a\0@example.com' })).status).toBe(400);
  });

  test('another method is refused', async () => {
    const cookies = sessionOf(lab.acme.owner);
    const posts = new Set(routes.filter(({ method }) => method === 'POST').map(({ path }) => path));
    const wrong = await wrongAnswers(async (route) => {
      if (route.method === 'POST' || posts.has(route.path)) return undefined;
      const { status } = await send({ ...route, method: 'POST' }, pathOf(route, mine), { cookies });
      return status === 405 ? undefined : String(status);
    });
    expect(wrong).toEqual([]);
  });
});
