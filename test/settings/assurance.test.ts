// Assurance in company settings and by command (promises 62 and 64, threats 172 and 174): who may choose it, what is
// refused, that charging stays what it is, and how it looks.
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { and, eq } from 'drizzle-orm';
import { exportJWK, generateKeyPair } from 'jose';
import * as client from 'openid-client';
import { usageEvents } from '../../drizzle/schema/usage.ts';
import { auditEntries } from '../../drizzle/schema/workspaces.ts';
import { findAssurance } from '../../src/applications/assurance.ts';
import { signInAs } from '../harness/browserless-person.ts';
import { hasChromium } from '../harness/chromium.ts';
import { CALLBACK, type RegisteredApplication } from '../harness/tollgate.ts';
import { openSettingsLab, type SettingsLab, type Visitor } from './lab.ts';
import { looks, settingsWatch } from './looks.ts';

let lab: SettingsLab;
let shop: RegisteredApplication;
let owner: Visitor;
let page: string;
let key: { privateKey: CryptoKey; keySet: string; privateSet: string };

beforeAll(async () => {
  lab = await openSettingsLab();
  shop = await lab.acme.register({ name: 'Shop' });
  owner = lab.visitor(lab.acme.owner);
  page = pageOf(shop);
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const [publicJwk, privateJwk] = [await exportJWK(publicKey), await exportJWK(privateKey)];
  key = {
    privateKey,
    keySet: JSON.stringify({ keys: [{ ...publicJwk, kid: 'shop 1' }] }),
    privateSet: JSON.stringify({ keys: [privateJwk] }),
  };
});
afterAll(() => lab?.stop());

function pageOf({ id }: Pick<RegisteredApplication, 'id'>): string {
  return `/settings/${lab.acme.workspace.id}/applications/${id}/assurance`;
}

const changes = () =>
  lab.service.db
    .select()
    .from(auditEntries)
    .where(and(eq(auditEntries.target, shop.id), eq(auditEntries.action, 'application.assurance_changed')));

test.each<[string, () => Record<string, string>, string]>([
  ['FAPI 2.0 without keys', () => ({ fapi2: 'on' }), 'public keys first'],
  ['its own key without keys', () => ({ authentication: 'private_key_jwt' }), 'public keys first'],
  ['a private key', () => ({ key_set: key.privateSet }), 'is a private key'],
  ['nonsense for keys', () => ({ key_set: 'nonsense' }), 'Enter a JSON Web Key Set'],
  ['keys in our own network', () => ({ key_set_uri: 'https://10.0.0.8/jwks.json' }), 'not an IP address'],
  ['keys over plain HTTP', () => ({ key_set_uri: 'http://shop.example/jwks' }), 'starts with https://'],
  ['keys twice', () => ({ key_set: key.keySet, key_set_uri: 'https://shop.example/jwks' }), 'not both'],
  [
    'signed requests that are not pushed',
    () => ({ key_set: key.keySet, signed: 'on' }),
    'pushed requests only',
  ],
])('%s: refused in a sentence, and nothing is kept', async (_name, fields, words) => {
  const answer = await owner.post(page, { algorithm: 'ES256', authentication: 'secret', ...fields() });
  expect(answer.status).toBe(400);
  expect(answer.html).toContain('Nothing was saved.');
  expect(answer.html).toContain(words);
  expect(await findAssurance(lab.service.db, shop.id)).toMatchObject({ signingAlgorithm: 'RS256' });
  expect(await changes()).toEqual([]);
});

test('an owner sets an application to FAPI 2.0; a stock client signs somebody in, who is charged once', async () => {
  expect((await lab.visitor(lab.acme.developer).get(page)).status).toBe(403);
  const fields = { algorithm: 'RS256', authentication: 'secret', key_set: key.keySet, fapi2: 'on' };
  const { html } = await owner.follow(await owner.post(page, fields));
  expect(html).toContain('Saved. It applies from the next request on.');
  expect((await owner.get(page)).html).toMatch(/name="fapi2"[^>]*checked/);
  const [change] = await changes();
  expect(change?.detail).toMatchObject({ isFapi2: true, keys: '1 of its own' });
  const audit = await owner.get(`/settings/${lab.acme.workspace.id}/audit-log`);
  expect(audit.html).toContain('changed the assurance of “Shop”');

  const { url } = lab.service;
  const authentication = client.PrivateKeyJwt(
    { key: key.privateKey, kid: 'shop 1' },
    {
      [client.modifyAssertion]: (_header, payload) => {
        payload.aud = url;
      },
    },
  );
  const metadata = { id_token_signed_response_alg: 'ES256' };
  const config = await client.discovery(new URL(url), shop.clientId, metadata, authentication, {
    execute: [client.allowInsecureRequests],
  });
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const parameters = {
    redirect_uri: CALLBACK,
    scope: 'openid email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  };
  const address = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  const callback = await signInAs({ authorizationUrl: address.href, email: 'ada.fapi@example.com' });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce };
  const tokens = await client.authorizationCodeGrant(config, new URL(callback), checks, undefined, { DPoP });
  await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
  const events = await lab.service.db
    .select()
    .from(usageEvents)
    .where(eq(usageEvents.applicationId, shop.id));
  expect(events.map(({ kind }) => kind)).toEqual(['registration']);
});

test('by command: what is not named stays, and what FAPI 2.0 demands cannot go alone', async () => {
  const { operator } = lab.service.tollgate;
  const other = await lab.acme.register({ name: 'Other' });
  const ask = (input: object) => operator('application assurance', { application: other.id, ...input });
  expect(await ask({ algorithm: 'EdDSA' })).toMatchObject({ algorithm: 'EdDSA', fapi2: 'off', keys: null });
  expect(await ask({ keySet: key.keySet, fapi2: 'on' })).toMatchObject({
    algorithm: 'EdDSA',
    authentication: 'private_key_jwt',
    keys: ['shop 1'],
    pushedRequests: 'required',
    dpop: 'required',
    fapi2: 'on',
  });
  expect(await ask({ dpop: 'optional' })).toMatchObject({ dpop: 'required' });
  await expect(ask({ keySetUri: 'https://10.0.0.8/jwks' })).rejects.toThrow('IP address');
  expect(await ask({ fapi2: 'off', authentication: 'secret', dpop: 'optional' })).toMatchObject({
    authentication: 'secret',
    pushedRequests: 'required',
    dpop: 'optional',
  });
});

((await hasChromium()) ? describe : describe.skip)('in a browser', () => {
  const watch = settingsWatch();
  afterEach(() => watch.end());

  test.each(looks)('$name: the form, and what it refuses', async (look) => {
    const person = watch.add(await lab.person(lab.acme.owner, look.options));
    const application = await lab.acme.register({ name: `Nordlicht ${look.name}` });
    await person.page.goto(lab.service.url + pageOf(application));
    await watch.look(person, look, 'assurance');
    await person.page.check('[name="fapi2"]');
    await person.page.getByRole('button', { name: 'Save', exact: true }).click();
    await watch.look(person, look, 'assurance-refused');
    expect(await person.page.innerText('main')).toContain('public keys first');
  });
});
