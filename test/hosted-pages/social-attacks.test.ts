// Threats 46 to 49 and 52: what comes back from a social provider is taken once, in the browser that went there, from
// the provider that it went to, in time; and whatever a provider does, the person gets a page with other ways to go on.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { generateKeyPair, SignJWT } from 'jose';
import { socialIdentities } from '../../drizzle/schema/accounts.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { openSocialLab, type ProviderId, providerIds, type SocialLab, type Walker } from './social-lab.ts';

let lab: SocialLab;
beforeAll(async () => {
  lab = await openSocialLab();
});
afterAll(() => lab.stop());
afterEach(() => {
  lab.google.instead = undefined;
  lab.google.tokens = undefined;
  lab.github.instead = undefined;
});

const identities = () => lab.service.db.select().from(socialIdentities);

async function started(
  provider: ProviderId,
): Promise<{ walker: Walker; back: Awaited<ReturnType<Walker['visit']>> }> {
  lab.seat(provider, '4711', `attack.${provider}@example.com`);
  const walker = await lab.walker(`attack.${provider}@example.com`);
  await walker.begin();
  return { walker, back: await walker.visit(provider) };
}

function callbackOf(back: Awaited<ReturnType<Walker['visit']>>): {
  action: string;
  parameters: URLSearchParams;
} {
  if (typeof back === 'string') {
    const url = new URL(back);
    return { action: url.origin + url.pathname, parameters: url.searchParams };
  }
  const [form] = back.page.forms;
  return {
    action: form?.action ?? '',
    parameters: new URLSearchParams(form?.fields.map(({ name, value }) => [name, value])),
  };
}

describe('the way back (threats 46 to 48)', () => {
  test.each(providerIds)(
    '%s: a missing, made-up or repeated state is refused before anything is asked',
    async (provider) => {
      const { back } = await started(provider);
      const { action, parameters } = callbackOf(back);
      const attempts: [string, (query: URLSearchParams) => void][] = [
        ['missing', (query) => query.delete('state')],
        ['made up', (query) => query.set('state', 'A'.repeat(80))],
        ['changed', (query) => query.set('state', `${query.get('state')}A`)],
        ['twice', (query) => query.append('state', String(query.get('state')))],
      ];
      for (const [what, change] of attempts) {
        const query = new URLSearchParams(parameters);
        change(query);
        const arrival = await createBrowser().open(`${action}?${query}`);
        expect([what, 'page' in arrival && arrival.page.status]).toEqual([what, 400]);
      }
    },
  );

  test.each(providerIds)(
    '%s: another browser gets a page and no session, and the first one still arrives',
    async (provider) => {
      const { walker, back } = await started(provider);
      const { action, parameters } = callbackOf(back);
      const thief = await createBrowser().open(`${action}?${parameters}`);
      expect('page' in thief && thief.page.html).toContain('Your browser didn’t send our cookie');
      await walker.open(back);
      expect((await walker.finish()).searchParams.get('code')).toBeTruthy();
    },
  );

  test.each(providerIds)('%s: the same answer twice in parallel is one sign-in', async (provider) => {
    const { walker, back } = await started(provider);
    const { action, parameters } = callbackOf(back);
    const url = `${action}?${parameters}`;
    const arrivals = await Promise.all([walker.browser.open(url), walker.browser.open(url)]);
    const outcomes = arrivals.map((arrival) => {
      if ('leftTo' in arrival) return 'signed in';
      if (/already been used|Already finished/.test(arrival.page.html)) return 'over';
      return /consent|Continue to/.test(arrival.page.html) ? 'signed in' : arrival.page.html.slice(0, 500);
    });
    expect(outcomes.filter((outcome) => outcome === 'signed in').length).toBeLessThanOrEqual(2);
    const mine = (await identities()).filter(
      ({ provider: id, subject }) => id === provider && subject === '4711',
    );
    expect(mine).toHaveLength(1);
  });

  test('an answer that comes after ten minutes is over', async () => {
    const { walker, back } = await started('google');
    lab.service.clock.aheadMilliseconds = 10 * 60_000 + 1_000;
    await walker.open(back);
    lab.service.clock.aheadMilliseconds = 0;
    expect(walker.page().html).toContain('That sign-in link has already been used or has expired.');
  });

  test("nothing of one provider is taken at another one's callback: all six pairs", async () => {
    for (const from of providerIds) {
      for (const to of providerIds.filter((id) => id !== from)) {
        const { walker, back } = await started(from);
        const { parameters } = callbackOf(back);
        const arrival = await walker.browser.open(`${lab.service.url}/social/${to}/callback?${parameters}`);
        expect([from, to, 'page' in arrival && arrival.page.status]).toEqual([from, to, 400]);
      }
    }
  });

  test('a wrong issuer in the answer is refused (RFC 9207)', async () => {
    const { walker, back } = await started('google');
    const { action, parameters } = callbackOf(back);
    parameters.set('iss', lab.apple.issuer);
    walker.arrival = await walker.browser.open(`${action}?${parameters}`);
    expect(walker.page().html).toContain('Google couldn’t confirm who you are');
  });
});

describe('ID Tokens that lie (threat 49)', () => {
  const seconds = () => Math.floor(Date.now() / 1000);
  const lies: [string, (claims: Record<string, unknown>) => Promise<string> | string][] = [
    ['no nonce', ({ nonce: _nonce, ...claims }) => lab.google.sign(claims)],
    ['wrong nonce', (claims) => lab.google.sign({ ...claims, nonce: 'another' })],
    ['wrong audience', (claims) => lab.google.sign({ ...claims, aud: 'somebody-else' })],
    [
      'several audiences for another party',
      (claims) => lab.google.sign({ ...claims, aud: ['g-client', 'x'], azp: 'x' }),
    ],
    ['wrong issuer', (claims) => lab.google.sign({ ...claims, iss: lab.apple.issuer })],
    ['expired', (claims) => lab.google.sign({ ...claims, exp: seconds() - 3_600 })],
    [
      'from tomorrow',
      (claims) => lab.google.sign({ ...claims, iat: seconds() + 86_400, exp: seconds() + 90_000 }),
    ],
    ['unsigned', (claims) => `${encode({ alg: 'none' })}.${encode(claims)}.`],
    [
      'signed with the public client secret',
      (claims) => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from('g-secret')),
    ],
    [
      'signed by a stranger',
      async (claims) => {
        const { privateKey } = await generateKeyPair('RS256');
        return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'stand-in' }).sign(privateKey);
      },
    ],
    ['an unknown key', (claims) => lab.google.sign(claims, { kid: 'unknown' })],
    ['a subject that is a number', (claims) => lab.google.sign({ ...claims, sub: 4711 })],
    ['no subject', (claims) => lab.google.sign({ ...claims, sub: '' })],
    ['a subject of 300 characters', (claims) => lab.google.sign({ ...claims, sub: 's'.repeat(300) })],
  ];

  test.each(lies)('%s: refused, with the sign-in page and nothing kept', async (_what, lie) => {
    const before = (await identities()).length;
    lab.google.tokens = async (body) => {
      const [, payload = ''] = String(body.id_token).split('.');
      body.id_token = await lie(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    };
    lab.seat('google', 'liar', 'liar@example.com');
    const walker = await lab.walker('liar@example.com');
    await walker.begin();
    await walker.come('google');
    expect(walker.page().html).toContain('Google couldn’t confirm who you are');
    expect(await identities()).toHaveLength(before);
  });

  test('a flood of unknown keys makes us ask for the keys at most once more', async () => {
    lab.google.tokens = async (body) => {
      const [, payload = ''] = String(body.id_token).split('.');
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
      body.id_token = await lab.google.sign(claims, { kid: `unknown ${Math.random()}` });
    };
    const asked = () => lab.google.requests.filter((path) => path === '/jwks').length;
    const before = asked();
    lab.seat('google', 'flood', 'flood@example.com');
    const walker = await lab.walker('flood@example.com');
    for (let round = 0; round < 5; round += 1) {
      await walker.begin();
      await walker.come('google');
    }
    expect(asked() - before).toBeLessThanOrEqual(1);
  });
});

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

describe('a provider on a bad day (threat 52)', () => {
  const json = 'application/json';
  const days: [string, NonNullable<SocialLab['google']['instead']>][] = [
    ['says 500', async (ctx) => answer(ctx, 500, 'oops', 'text/plain')],
    ['answers with a page', async (ctx) => answer(ctx, 200, '<h1>Sorry</h1>', 'text/html')],
    ['sends ten megabytes', async (ctx) => answer(ctx, 200, `{"x":"${'x'.repeat(10 << 20)}"}`, json)],
    [
      'redirects in a circle',
      async (ctx) => {
        if (ctx.path !== '/token') return false;
        ctx.status = 307;
        ctx.set('Location', '/token');
        ctx.body = '';
        return true;
      },
    ],
    [
      'thinks for half a minute',
      async (ctx) => {
        if (ctx.path !== '/token') return false;
        await new Promise((resolve) => setTimeout(resolve, 30_000).unref());
        return true;
      },
    ],
  ];

  async function answer(ctx: Parameters<(typeof days)[0][1]>[0], status: number, body: string, type: string) {
    if (ctx.path !== '/token') return false;
    ctx.status = status;
    ctx.type = type;
    ctx.body = body;
    return true;
  }

  test.each(days)(
    '%s: a page within five seconds, with the other ways to sign in',
    async (_what, instead) => {
      lab.seat('google', 'bad-day', 'bad.day@example.com');
      const walker = await lab.walker('bad.day@example.com');
      await walker.begin();
      const back = await walker.visit('google');
      lab.google.instead = instead;
      const before = performance.now();
      await walker.open(back);
      expect(performance.now() - before).toBeLessThan(5_000);
      expect(walker.page().html).toContain('Google couldn’t confirm who you are');
      // The same interaction goes on with a code.
      const [form] = walker.page().forms.filter(({ fields }) => fields.some(({ name }) => name === 'email'));
      expect(form).toBeDefined();
    },
  );

  test('GitHub: refusals with status 200, wrong types and pages are no identity', async () => {
    const bad: [string, string][] = [
      ['/login/oauth/access_token', '{"error":"bad_verification_code"}'],
      ['/login/oauth/access_token', '<html>'],
      ['/user', '{"id":"583231","login":"octocat"}'],
      ['/user', '{"login":"octocat"}'],
      ['/user', '{"id":1.5,"login":"octocat"}'],
      ['/user/emails', '{"message":"Not Found"}'],
    ];
    for (const [path, body] of bad) {
      const { walker, back } = await started('github');
      lab.github.instead = (request, response) => {
        if (request.url !== path) return false;
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(body);
        return true;
      };
      await walker.open(back);
      lab.github.instead = undefined;
      expect([path, body, walker.page().html.includes('GitHub couldn’t confirm who you are')]).toEqual([
        path,
        body,
        true,
      ]);
    }
  });
});
