// OpenID Connect Core 1.0, clause by clause, from outside (threats 131 and 140): what the conformance
// suite and stock relying parties ask for.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import {
  authorizationRequest,
  Browser,
  callbackOf,
  exchange,
  type Parameters,
  signIn,
  userinfo,
} from '../harness/protocol-client.ts';

let protocol: Protocol;
let application: ProtocolApplication;
beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

/** The ID Token's claims and UserInfo's, after a whole sign-in. */
async function claimsAfter(changed: Parameters = {}, browser = new Browser(protocol)) {
  const given = await signIn(protocol, application, { changed, browser });
  const { body } = await exchange(protocol, application, given);
  const info = await userinfo(protocol, body.access_token);
  return { idToken: decodeJwt(String(body.id_token)), info: info.body, tokens: body };
}

function postForm(changed: Parameters = {}) {
  const { path, ...request } = authorizationRequest(application, changed);
  const [address = '', query = ''] = path.split('?');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { ...request, path: address, init: { method: 'POST', headers, body: query } };
}

describe('§3.1.2.1: GET and POST', () => {
  test('the same request by POST signs in', async () => {
    const posted = postForm();
    const browser = new Browser(protocol);
    const { code = '', state } = callbackOf(await browser.follow(posted.path, posted.init));
    expect(state).toBe(posted.state);
    expect((await exchange(protocol, application, { code, verifier: posted.verifier })).status).toBe(200);
  });

  test('a form of another site, which brings no Lax cookie, finds the session all the same', async () => {
    const browser = new Browser(protocol);
    await signIn(protocol, application, { browser });
    const asked = protocol.prompts.length;
    const posted = postForm({ prompt: 'none' });
    // As a browser sends it: the cookies stay at home, and the redirect that follows brings them.
    const stranger = await new Browser(protocol).request(posted.path, posted.init);
    expect(stranger.status).toBe(303);
    expect(stranger.headers.getSetCookie()).toEqual([]);
    const { code } = callbackOf(await browser.follow(stranger.headers.get('location') ?? ''));
    expect(code).toBeDefined();
    expect(protocol.prompts.length).toBe(asked);
  });

  test.each<[string, Parameters]>([
    ['a hint of who it is', { login_hint: 'ada@example.test' }],
    ['an ID Token as a hint', { id_token_hint: 'e30.e30.e30' }],
    ['requested claims', { claims: '{"userinfo":{"email":null}}' }],
    ['a long state', { state: 's'.repeat(2_000) }],
  ])('%s gets into no address', async (_name, changed) => {
    const posted = postForm(changed);
    const browser = new Browser(protocol);
    const answer = await browser.request(posted.path, posted.init);
    const location = answer.headers.get('location') ?? '';
    const [value = ''] = Object.values(changed);
    expect(location.length).toBeLessThan(300);
    expect(location).not.toContain(encodeURIComponent(value ?? ''));
    const end = callbackOf(await browser.follow(location));
    expect(end.state).toBe(changed.state ?? posted.state);
  });

  test('what was posted for an unknown client is not kept', async () => {
    const posted = postForm({ client_id: 'client_unknown', login_hint: 'ada@example.test' });
    const before = (await protocol.records('PostedRequest')).length;
    const answer = await new Browser(protocol).follow(posted.path, posted.init);
    expect(answer.status).toBe(400);
    expect((await protocol.records('PostedRequest')).length).toBe(before);
  });

  test.each<Parameters>([{ nonce: null }, { prompt: 'x' }, { response_type: 'token' }, { scope: 'email' }])(
    'refused alike: %j',
    async (changed) => {
      const posted = postForm(changed);
      const byPost = callbackOf(await new Browser(protocol).follow(posted.path, posted.init));
      const byGet = callbackOf(
        await new Browser(protocol).request(authorizationRequest(application, changed).path),
      );
      expect(byPost.error).toBe(byGet.error);
    },
  );

  test('a parameter that is posted twice is refused', async () => {
    const posted = postForm();
    const body = `${posted.init.body}&state=x`;
    const answer = await new Browser(protocol).follow(posted.path, { ...posted.init, body });
    expect(callbackOf(answer).error).toBe('invalid_request');
  });

  test('JSON is no form, and a zero character is in none', async () => {
    const browser = new Browser(protocol);
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };
    expect((await browser.request('/oauth/authorize', json)).status).toBe(415);
    const posted = postForm();
    const zero = { ...posted.init, body: `${posted.init.body}&login_hint=%00` };
    expect((await browser.request(posted.path, zero)).status).toBe(400);
  });

  test('an address that leads to nothing kept is a page', async () => {
    expect((await new Browser(protocol).request('/oauth/authorize?posted=nonsense')).status).toBe(400);
  });
});

describe('§3.1.2.1: scope', () => {
  test('values that are not understood are ignored, and the answer says what was granted', async () => {
    const { tokens } = await claimsAfter({ scope: 'openid address email groups' });
    expect(String(tokens.scope).split(' ').toSorted()).toEqual(['email', 'openid']);
  });

  test('without openid the request is refused by that name', async () => {
    const { path } = authorizationRequest(application, { scope: 'email address' });
    const answer = callbackOf(await new Browser(protocol).request(path));
    expect(answer.error).toBe('invalid_request');
    expect(answer.error_description).toContain('missing required parameters: openid in scope');
    expect(answer.error_description).not.toContain('nonce');
  });
});

describe('§3.1.2.1: prompt', () => {
  test('select_account asks whoever is signed in, once, and nobody else', async () => {
    const browser = new Browser(protocol);
    const prompts = async () => {
      const before = protocol.prompts.length;
      await signIn(protocol, application, { browser, changed: { prompt: 'select_account' } });
      return protocol.prompts.slice(before);
    };
    expect((await prompts())[0]).toBe('login');
    expect(await prompts()).toEqual(['select_account']);
  });

  test('select_account and login: both', async () => {
    const browser = new Browser(protocol);
    await signIn(protocol, application, { browser });
    const before = protocol.prompts.length;
    await signIn(protocol, application, { browser, changed: { prompt: 'select_account login' } });
    expect(protocol.prompts.slice(before)).toEqual(['select_account', 'login']);
  });
});

describe('§2 and §3.1.2.1: acr, amr and auth_time', () => {
  test('the ID Token always says how', async () => {
    const { idToken } = await claimsAfter({ max_age: '300' });
    expect(idToken).toMatchObject({ acr: 'urn:tollgate:acr:1fa', amr: ['otp'] });
    expect(idToken.auth_time).toEqual(expect.any(Number));
  });

  test('the values are announced, and one of them that is asked for by acr_values comes back', async () => {
    const discovery = await fetch(`${protocol.origin}/.well-known/openid-configuration`);
    const { acr_values_supported: values } = await discovery.json();
    expect(values).toEqual(['phr', 'urn:tollgate:acr:1fa']);
    const { idToken } = await claimsAfter({ acr_values: 'urn:tollgate:acr:1fa' });
    expect(idToken.acr).toBe('urn:tollgate:acr:1fa');
  });

  test('a wish that cannot be met is no failure', async () => {
    const { idToken } = await claimsAfter({ acr_values: 'urn:example:gold' });
    expect(idToken.acr).toBe('urn:tollgate:acr:1fa');
  });
});

describe('§5.5.1.1: an essential acr', () => {
  const essential = (value: string) =>
    JSON.stringify({ id_token: { acr: { essential: true, values: [value] } } });

  test('that the sign-in reaches', async () => {
    const { idToken } = await claimsAfter({ claims: essential('urn:tollgate:acr:1fa') });
    expect(idToken.acr).toBe('urn:tollgate:acr:1fa');
  });

  test.each(['phr', 'urn:example:gold'])(
    '%s, which it does not reach, is asked for at most once and then an error',
    async (value) => {
      const browser = new Browser(protocol);
      await signIn(protocol, application, { browser });
      const before = protocol.prompts.length;
      const { path } = authorizationRequest(application, { claims: essential(value) });
      const answer = callbackOf(await browser.follow(path));
      expect(answer.error).toBe('unmet_authentication_requirements');
      expect(protocol.prompts.slice(before)).toEqual(value === 'phr' ? ['login'] : []);
    },
  );
});

describe('§5.5: the claims parameter', () => {
  const claims = (request: object) => JSON.stringify(request);

  test('single claims are asked consent for, and come where they were asked for', async () => {
    const other = await protocol.register();
    const browser = new Browser(protocol);
    const changed = {
      scope: 'openid',
      claims: claims({ userinfo: { name: { essential: true } }, id_token: { email: null } }),
    };
    const before = protocol.prompts.length;
    const given = await signIn(protocol, other, { browser, changed });
    expect(protocol.prompts.slice(before)).toEqual(['login', 'consent']);
    const { body } = await exchange(protocol, other, given);
    const idToken = decodeJwt(String(body.id_token));
    const { body: info } = await userinfo(protocol, body.access_token);
    expect(idToken.email).toBe('ada@example.test');
    expect(idToken).not.toHaveProperty('name');
    expect(info).toEqual({ sub: idToken.sub, name: 'Ada Lovelace' });
    expect(body.scope).toBe('openid');
  });

  test('without consent nothing of it: prompt=none says so', async () => {
    const other = await protocol.register();
    const browser = new Browser(protocol);
    await signIn(protocol, other, { browser, changed: { scope: 'openid' } });
    const changed = { scope: 'openid', prompt: 'none', claims: claims({ userinfo: { email: null } }) };
    const { path } = authorizationRequest(other, changed);
    expect(callbackOf(await browser.request(path)).error).toBe('consent_required');
  });

  test('claims that nobody holds are left out', async () => {
    const { info } = await claimsAfter({
      scope: 'openid',
      claims: claims({ userinfo: { phone_number: null } }),
    });
    expect(Object.keys(info)).toEqual(['sub']);
  });

  test('a sub that is somebody else: the page, and then no code for the wrong person', async () => {
    const browser = new Browser(protocol);
    const { idToken } = await claimsAfter({}, browser);
    const asked = (sub: unknown) => claims({ id_token: { sub: { value: sub } } });
    expect((await claimsAfter({ claims: asked(idToken.sub) }, browser)).idToken.sub).toBe(idToken.sub);
    const { path } = authorizationRequest(application, { claims: asked('somebody-else') });
    expect(callbackOf(await browser.follow(path)).error).toBe('login_required');
  });

  test.each(['x', '[]', '{}', '{"userinfo":1}', '{"id_token":{"acr":{"essential":true,"values":"x"}}}'])(
    '%s is refused',
    async (value) => {
      const { path } = authorizationRequest(application, { claims: value });
      expect(callbackOf(await new Browser(protocol).follow(path)).error).toBe('invalid_request');
    },
  );
});

describe('§3.1.2.6 and RFC 6749 §4.1.2.1: what is missing', () => {
  const nothing = {
    response_type: null,
    scope: null,
    code_challenge: null,
    code_challenge_method: null,
    state: null,
    nonce: null,
  };
  const names = Object.keys(nothing);

  test('everything is named in one answer', async () => {
    const { path } = authorizationRequest(application, nothing);
    const answer = callbackOf(await new Browser(protocol).request(path));
    expect(answer.error).toBe('invalid_request');
    const [, listed = ''] =
      /missing required parameters: ([^.]*)\./.exec(answer.error_description ?? '') ?? [];
    expect(listed.split(', ').toSorted()).toEqual(names.toSorted());
  });

  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const));
  test.each(pairs)('%s and %s', async (one, other) => {
    const { path } = authorizationRequest(application, { [one]: null, [other]: null });
    const { error, error_description: told = '' } = callbackOf(await new Browser(protocol).request(path));
    expect(error).toBe('invalid_request');
    for (const name of names)
      expect([name, new RegExp(`[ ,]${name}[,.]`).test(told)]).toEqual([
        name,
        name === one || name === other,
      ]);
  });

  test('it says where the company reads more, under the name that the trace has', async () => {
    const { path, nonce } = authorizationRequest(application, { state: null });
    const { error_description: told } = callbackOf(await new Browser(protocol).request(path));
    const beginning = createHash('sha256').update(`${application.clientId} ${nonce}`).digest('base64url');
    expect(told).toMatch(/company settings, Usage, trc_[\w-]{30}$/);
    expect(told).toContain(`trc_${beginning.slice(0, 22)}`);
  });

  test('another mistake does not hide it', async () => {
    const { path } = authorizationRequest(application, { prompt: 'x', nonce: null });
    const { error_description: told } = callbackOf(await new Browser(protocol).request(path));
    expect(told).toMatch(/prompt.*missing required parameters: nonce\./);
  });
});
