// FAPI 2.0 Security Profile (final), as one switch (promise 64, threats 172 to 176): what §5.3.2 demands of an authorization
// server holds for an application that chose it, and nothing of it can be switched off alone.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { decodeProtectedHeader, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import * as client from 'openid-client';
import { assurances } from '../../drizzle/schema/assurances.ts';
import { clientRulesOf } from '../../src/applications/application.ts';
import { changeClientRules, changeDevices } from '../../src/applications/application-change.ts';
import { findAssurance } from '../../src/applications/assurance.ts';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { Browser, callbackOf, post } from '../harness/protocol-client.ts';
import { assure, attempt, callbackUrl, discover, push, requestOf } from './assured.ts';

const TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

let protocol: Protocol;
let bank: ProtocolApplication;
let key: { privateKey: CryptoKey; jwk: Record<string, unknown> };
beforeAll(async () => {
  protocol = await startProtocol();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  key = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'bank' } };
  bank = await protocol.register();
  await assure(protocol, bank, { isFapi2: true, keySet: { keys: [key.jwk] } });
});
afterAll(() => protocol.stop());

async function assertion(claims: JWTPayload = {}): Promise<string> {
  const jwt = new SignJWT({ aud: protocol.origin, jti: crypto.randomUUID(), ...claims });
  return jwt
    .setProtectedHeader({ alg: 'ES256', kid: 'bank' })
    .setIssuer(bank.clientId)
    .setSubject(bank.clientId)
    .setExpirationTime('1m')
    .sign(key.privateKey);
}

const authenticated = async (claims?: JWTPayload) => ({
  client_assertion_type: TYPE,
  client_assertion: await assertion(claims),
});

test('a stock client signs in, reads UserInfo and refreshes: pushed, by its key, with DPoP, ES256', async () => {
  const authentication = client.PrivateKeyJwt(
    { key: key.privateKey, kid: 'bank' },
    {
      [client.modifyAssertion]: (_header, payload) => {
        // §5.3.3.1: the issuer, as a string.
        payload.aud = protocol.origin;
      },
    },
  );
  const config = await discover(protocol, bank, authentication, { id_token_signed_response_alg: 'ES256' });
  client.enableNonRepudiationChecks(config);
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair('ES256'));
  const { parameters, checks } = await attempt();
  const url = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  const callback = await callbackUrl(protocol, url);
  expect(callback.searchParams.get('iss')).toBe(protocol.origin);
  const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  expect(decodeProtectedHeader(tokens.id_token ?? '').alg).toBe('ES256');
  expect(tokens.token_type).toBe('dpop');
  const profile = await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '', {
    DPoP,
  });
  expect(profile.email).toBeDefined();
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '', undefined, { DPoP });
  // §5.3.2.1: no rotation of refresh tokens.
  expect(refreshed.refresh_token ?? tokens.refresh_token).toBe(tokens.refresh_token);
});

describe('what it demands (§5.3.2)', () => {
  test('the switch brings all of it, shows it, and holds it', async () => {
    expect(await findAssurance(protocol.db, bank.id)).toMatchObject({
      isFapi2: true,
      requiresPushedRequests: true,
      clientAuthentication: 'private_key_jwt',
      requiresDpop: true,
      signingAlgorithm: 'ES256',
    });
    await assure(protocol, bank, {
      requiresDpop: false,
      requiresPushedRequests: false,
      signingAlgorithm: 'RS256',
    });
    expect(await findAssurance(protocol.db, bank.id)).toMatchObject({
      requiresPushedRequests: true,
      requiresDpop: true,
      signingAlgorithm: 'ES256',
    });
  });

  test('without keys, and for a public application, it cannot be switched on; half of it is not in the database', async () => {
    const keyless = await protocol.register();
    await expect(assure(protocol, keyless, { isFapi2: true })).rejects.toThrow('public keys first');
    const spa = await protocol.register({ clientType: 'public' });
    await expect(assure(protocol, spa, { isFapi2: true })).rejects.toThrow('public application');
    await expect(
      protocol.db
        .update(assurances)
        .set({ requiresDpop: false })
        .where(eq(assurances.applicationId, bank.id)),
    ).rejects.toThrow();
  });

  test('§5.3.2.2: no request by browser, none without PKCE S256, none by a secret', async () => {
    const { parameters } = requestOf(bank);
    const refused = callbackOf(await new Browser(protocol).follow(`/oauth/authorize?${form(parameters)}`));
    expect(refused.error).toBe('invalid_request');
    expect((await push(protocol, bank, parameters)).status).toBe(401);
    for (const changed of [
      { code_challenge: null, code_challenge_method: null },
      { code_challenge_method: 'plain' },
    ]) {
      const request = { ...requestOf(bank, changed).parameters, ...(await authenticated()) };
      expect((await post(protocol, '/oauth/par', request)).body.error).toBe('invalid_request');
    }
  });

  test('§5.3.2.2: signing in on devices, which binds nothing to a browser, is off even where it was switched on', async () => {
    await changeDevices(protocol.db, { id: bank.id, workspaceId: bank.workspaceId }, true);
    const request = { scope: 'openid', client_id: bank.clientId, ...(await authenticated()) };
    const refused = await post(protocol, '/oauth/device_authorization', request);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_request']);
  });

  test('§5.3.2.2: compatible client rules are strict ones', async () => {
    const key2 = { id: bank.id, workspaceId: bank.workspaceId };
    const changed = await changeClientRules(protocol.db, key2, 'compatible');
    expect(clientRulesOf(changed)).toBe('compatible');
    const request = { ...requestOf(bank, { state: null }).parameters, ...(await authenticated()) };
    expect((await post(protocol, '/oauth/par', request)).body.error).toBe('invalid_request');
  });

  test('§5.3.2.1: an assertion is for the issuer alone, not for an endpoint or a list', async () => {
    for (const aud of [`${protocol.origin}/oauth/par`, `${protocol.origin}/oauth/token`, [protocol.origin]]) {
      const request = { ...requestOf(bank).parameters, ...(await authenticated({ aud })) };
      expect((await post(protocol, '/oauth/par', request)).status).toBe(401);
    }
    const request = { ...requestOf(bank).parameters, ...(await authenticated()) };
    expect((await post(protocol, '/oauth/par', request)).body).toMatchObject({ expires_in: 60 });
  });
});
