// RFC 9700 §2.1, promise 5, threats 16 and 132: what a request must contain, by the client rules of its application.
// Strict is what every application begins with; compatible asks for PKCE, or of a confidential client for a nonce.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { applications } from '../../drizzle/schema/applications.ts';
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
const kinds: Record<string, ProtocolApplication> = {};
beforeAll(async () => {
  protocol = await startProtocol();
  kinds['strict confidential'] = await protocol.register();
  kinds['strict public'] = await protocol.register({ clientType: 'public' });
  kinds['compatible confidential'] = await compatible(await protocol.register());
  kinds['compatible public'] = await compatible(await protocol.register({ clientType: 'public' }));
});
afterAll(() => protocol.stop());

async function compatible(application: ProtocolApplication): Promise<ProtocolApplication> {
  await protocol.db
    .update(applications)
    .set({ isCompatible: true })
    .where(eq(applications.id, application.id));
  return application;
}

function kindOf(name: string): ProtocolApplication {
  const application = kinds[name];
  if (!application) throw new Error(name);
  return application;
}

const noPkce = { code_challenge: null, code_challenge_method: null };
const requests: [string, Parameters][] = [
  ['everything', {}],
  ['no state', { state: null }],
  ['no nonce', { nonce: null }],
  ['no PKCE', noPkce],
  ['neither state nor nonce', { state: null, nonce: null }],
  ['neither state nor PKCE', { state: null, ...noPkce }],
  ['neither nonce nor PKCE', { nonce: null, ...noPkce }],
  ['nothing of it', { state: null, nonce: null, ...noPkce }],
  ['a challenge without its method', { code_challenge_method: null }],
  ['a method without a challenge', { code_challenge: null }],
  ['plain', { code_challenge_method: 'plain' }],
];
const accepted: Record<string, string[]> = {
  'strict confidential': ['everything'],
  'strict public': ['everything'],
  'compatible public': ['everything', 'no state', 'no nonce', 'neither state nor nonce'],
  'compatible confidential': [
    'everything',
    'no state',
    'no nonce',
    'neither state nor nonce',
    'no PKCE',
    'neither state nor PKCE',
  ],
};
const table = Object.entries(accepted).flatMap(([kind, names]) =>
  requests.map(([name, changed]) => [kind, name, names.includes(name), changed] as const),
);

test.each(table)('%s, %s: %s', async (kind, _name, isAccepted, changed) => {
  const answer = callbackOf(
    await new Browser(protocol).follow(authorizationRequest(kindOf(kind), changed).path),
  );
  if (isAccepted) expect(answer.code).toBeDefined();
  else expect(answer.error).toBe('invalid_request');
});

describe('what a compatible client does send is held to', () => {
  test('a code challenge needs its verifier', async () => {
    const application = kindOf('compatible confidential');
    const given = await signIn(protocol, application);
    const without = await exchange(protocol, application, given, { code_verifier: null });
    expect(without.body.error).toBe('invalid_grant');
    const wrong = await exchange(protocol, application, { ...given, verifier: 'v'.repeat(43) });
    expect(wrong.body.error).toBe('invalid_grant');
    expect((await exchange(protocol, application, given)).status).toBe(200);
  });

  test('a verifier to no challenge is refused, and without one the exchange works', async () => {
    const application = kindOf('compatible confidential');
    const given = await signIn(protocol, application, { changed: noPkce });
    expect((await exchange(protocol, application, given)).body.error).toBe('invalid_grant');
    const again = await signIn(protocol, application, { changed: noPkce });
    const answer = await exchange(protocol, application, again, { code_verifier: null });
    expect(decodeJwt(String(answer.body.id_token)).nonce).toBe(again.nonce);
  });

  test('no nonce, no nonce in the ID Token', async () => {
    const application = kindOf('compatible public');
    const given = await signIn(protocol, application, { changed: { nonce: null } });
    const { body } = await exchange(protocol, application, given);
    expect(decodeJwt(String(body.id_token))).not.toHaveProperty('nonce');
  });

  test('a code without PKCE that comes twice ends what it led to', async () => {
    const application = kindOf('compatible confidential');
    const given = await signIn(protocol, application, { changed: noPkce });
    const first = await exchange(protocol, application, given, { code_verifier: null });
    expect((await userinfo(protocol, first.body.access_token)).status).toBe(200);
    await exchange(protocol, application, given, { code_verifier: null });
    expect((await userinfo(protocol, first.body.access_token)).status).toBe(401);
  });

  test('its secret is asked for as before', async () => {
    const application = kindOf('compatible confidential');
    const given = await signIn(protocol, application, { changed: noPkce });
    const changed = { code_verifier: null, client_secret: 'wrong' };
    expect((await exchange(protocol, application, given, changed)).status).toBe(401);
  });
});

test('STRICT_CLIENTS_ONLY: whatever its company has chosen', async () => {
  const strict = await startProtocol({ strictClientsOnly: true });
  try {
    const application = await strict.register();
    await strict.db.update(applications).set({ isCompatible: true });
    const { path } = authorizationRequest(application, { state: null });
    expect(callbackOf(await new Browser(strict).request(path)).error).toBe('invalid_request');
  } finally {
    await strict.stop();
  }
});
