// Promises 16 and 18 as a property, through HTTP: codes and refresh tokens of two browsers and two applications are
// exchanged, repeated, guessed at, refreshed, revoked and logged out in any order, and a model says which answers
// are right. The same sequence again with PROPERTY_SEED; longer with PROPERTY_RUNS.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { form } from '../harness/client.ts';
import { holds } from '../harness/properties.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { Browser, exchange, post, refresh, signIn, userinfo } from '../harness/protocol-client.ts';

let protocol: Protocol;
let clients: ProtocolApplication[];
beforeAll(async () => {
  protocol = await startProtocol();
  clients = [await protocol.register(), await protocol.register({ clientType: 'public' })];
}, 120_000);
afterAll(() => protocol.stop());

const index = fc.nat(5);
const browser = fc.nat(1);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('sign in' as const), browser, client: fc.nat(1) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('exchange' as const), code: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('guess' as const), code: index }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('steal' as const), code: index }) },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('refresh' as const), family: index, token: fc.nat(3) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('look' as const), access: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke' as const), family: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('revoke access' as const), access: index }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('log out' as const), browser }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const WRONG_VERIFIERS = 5;

/** What one browser session gave one application: everything in it ends together. */
type Grant = { ended: boolean };
type Code = { grant: Grant; client: number; value: string; verifier: string; used: boolean; guesses: number };
type Family = { grant: Grant; client: number; tokens: string[] };
type Access = { grant: Grant; client: number; value: string };

function createPeople() {
  const browsers = [new Browser(protocol), new Browser(protocol)];
  const grants = new Map<string, Grant>();
  const codes: Code[] = [];
  const families: Family[] = [];
  const accesses: Access[] = [];

  const clientOf = (number: number): ProtocolApplication => {
    const found = clients[number];
    if (!found) throw new RangeError('no such application');
    return found;
  };
  const isPublic = (number: number) => clientOf(number).clientType === 'public';
  const other = (number: number) => clientOf(1 - number);
  const keep = ({ grant, client }: Pick<Code, 'grant' | 'client'>, body: Record<string, unknown>) => {
    accesses.push({ grant, client, value: String(body.access_token) });
    return String(body.refresh_token);
  };

  const actions = {
    async 'sign in'(wanted: Extract<Step, { do: 'sign in' }>) {
      const key = `${wanted.browser}/${wanted.client}`;
      const before = grants.get(key);
      const grant = before && !before.ended ? before : { ended: false };
      grants.set(key, grant);
      const made = await signIn(protocol, clientOf(wanted.client), {
        browser: browsers[wanted.browser] ?? new Browser(protocol),
        changed: { scope: 'openid email offline_access' },
      });
      expect(made.code).not.toBe('');
      const { code: value, verifier } = made;
      codes.push({ grant, client: wanted.client, value, verifier, used: false, guesses: 0 });
    },
    async exchange(wanted: Extract<Step, { do: 'exchange' }>) {
      const code = codes[wanted.code];
      if (!code) return;
      const isGood = !code.used && !code.grant.ended && code.guesses < WRONG_VERIFIERS;
      const answer = await exchange(protocol, clientOf(code.client), {
        code: code.value,
        verifier: code.verifier,
      });
      expect(outcome(answer)).toBe(isGood ? 'success' : 'invalid_grant');
      // A second use by who holds the verifier ends everything that the first use led to.
      if (code.used) code.grant.ended = true;
      if (!isGood) return;
      code.used = true;
      families.push({ grant: code.grant, client: code.client, tokens: [keep(code, answer.body)] });
    },
    async guess(wanted: Extract<Step, { do: 'guess' }>) {
      const code = codes[wanted.code];
      if (!code) return;
      const answer = await exchange(protocol, clientOf(code.client), {
        code: code.value,
        verifier: 'w'.repeat(43),
      });
      expect(outcome(answer)).toBe('invalid_grant');
      if (!code.used) code.guesses += 1;
    },
    /** By the other application, which knows code and verifier: neither success nor harm. */
    async steal(wanted: Extract<Step, { do: 'steal' }>) {
      const code = codes[wanted.code];
      if (!code) return;
      const answer = await exchange(protocol, other(code.client), {
        code: code.value,
        verifier: code.verifier,
      });
      expect(outcome(answer)).toBe('invalid_grant');
    },
    async refresh(wanted: Extract<Step, { do: 'refresh' }>) {
      const family = families[wanted.family];
      if (!family) return;
      const token = family.tokens[wanted.token] ?? family.tokens.at(-1);
      const isLast = token === family.tokens.at(-1);
      const isGood = !family.grant.ended && isLast;
      const answer = await refresh(protocol, clientOf(family.client), token);
      expect(outcome(answer)).toBe(isGood ? 'success' : 'invalid_grant');
      // An older token of a browser's family is a stolen one.
      if (!isLast) family.grant.ended = true;
      if (!isGood) return;
      const next = keep(family, answer.body);
      if (isPublic(family.client)) family.tokens.push(next);
      else expect(next).toBe(token);
    },
    async look(wanted: Extract<Step, { do: 'look' }>) {
      const access = accesses[wanted.access];
      if (!access) return;
      const { status } = await userinfo(protocol, access.value);
      expect(status).toBe(access.grant.ended ? 401 : 200);
    },
    async revoke(wanted: Extract<Step, { do: 'revoke' }>) {
      const family = families[wanted.family];
      if (!family) return;
      await revokeToken(family.client, family.tokens.at(-1) ?? '');
      family.grant.ended = true;
    },
    async 'revoke access'(wanted: Extract<Step, { do: 'revoke access' }>) {
      const access = accesses[wanted.access];
      if (!access) return;
      await revokeToken(access.client, access.value);
      // RFC 7009 §2.1 allows it, and the engine does it: what came with the token goes too.
      access.grant.ended = true;
    },
    async 'log out'(wanted: Extract<Step, { do: 'log out' }>) {
      const used = browsers[wanted.browser];
      if (!used) return;
      const page = await (await used.request('/oauth/logout')).text();
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1];
      if (xsrf) {
        await used.request('/oauth/logout/confirm', { method: 'POST', body: form({ xsrf, logout: 'yes' }) });
      }
      for (const [key, grant] of grants) if (key.startsWith(`${wanted.browser}/`)) grant.ended = true;
    },
  };

  async function revokeToken(client: number, token: string): Promise<void> {
    const { clientId, clientSecret } = clientOf(client);
    const parameters = { token, client_id: clientId, client_secret: clientSecret ?? null };
    expect((await post(protocol, '/oauth/revoke', parameters)).status).toBe(200);
  }

  return {
    async take(wanted: Step): Promise<void> {
      switch (wanted.do) {
        case 'sign in':
          return actions['sign in'](wanted);
        case 'exchange':
          return actions.exchange(wanted);
        case 'guess':
          return actions.guess(wanted);
        case 'steal':
          return actions.steal(wanted);
        case 'refresh':
          return actions.refresh(wanted);
        case 'look':
          return actions.look(wanted);
        case 'revoke':
          return actions.revoke(wanted);
        case 'revoke access':
          return actions['revoke access'](wanted);
        case 'log out':
          return actions['log out'](wanted);
      }
    },
    /** In the end everything is asked once more. */
    async finish(): Promise<void> {
      for (let access = 0; access < accesses.length; access += 1) await actions.look({ do: 'look', access });
    },
  };
}

function outcome({ status, body }: { status: number; body: Record<string, unknown> }): string {
  return status === 200 ? 'success' : String(body.error);
}

test('promise 16: in any order of exchanges, guesses, thefts, refreshes, revocations and logouts every answer is the model’s', async () => {
  const property = fc.asyncProperty(fc.array(step, { maxLength: 30, size: 'max' }), async (steps) => {
    const people = createPeople();
    await people.take({ do: 'sign in', browser: 0, client: 0 });
    await people.take({ do: 'sign in', browser: 1, client: 1 });
    for (const wanted of steps) await people.take(wanted);
    await people.finish();
  });
  await holds(property, 8_000);
}, 240_000);
