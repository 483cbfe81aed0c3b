// What is asked at the door (src/oidc/look-ahead.ts) changes nothing but the time: requests that arrive in pieces, cookies
// that are not ours, and what ends between two requests.
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { form } from '../harness/client.ts';
import { type Protocol, type ProtocolApplication, startProtocol } from '../harness/protocol.ts';
import { authorizationRequest, Browser, callbackOf, signIn } from '../harness/protocol-client.ts';

let protocol: Protocol;
let application: ProtocolApplication;

beforeAll(async () => {
  protocol = await startProtocol();
  application = await protocol.register();
});
afterAll(() => protocol.stop());

/** A pause after each piece but the last. */
function postInPieces(pieces: string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': Buffer.byteLength(pieces.join('')),
    };
    const options = { host: '127.0.0.1', port: protocol.port, method: 'POST', path: '/oauth/token', headers };
    const sent = request(options, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
    });
    sent.on('error', reject);
    const send = async () => {
      const [first = '', ...rest] = pieces;
      if (first === '') sent.flushHeaders();
      else sent.write(first);
      for (const piece of rest) {
        await sleep(30);
        sent.write(piece);
      }
      sent.end();
    };
    send().catch(reject);
  });
}

async function exchangeForm(): Promise<string> {
  const { code, verifier } = await signIn(protocol, application);
  return form({
    grant_type: 'authorization_code',
    client_id: application.clientId,
    client_secret: application.clientSecret ?? null,
    redirect_uri: application.redirectUris[0] ?? '',
    code,
    code_verifier: verifier,
  }).toString();
}

test.each([
  ['whole', (text: string) => [text]],
  ['after its head', (text: string) => ['', text]],
  ['in three pieces', (text: string) => [text.slice(0, 9), text.slice(9, 60), text.slice(60)]],
] as const)('a form that arrives %s is exchanged, once', async (_, cut) => {
  const text = await exchangeForm();
  const first = await postInPieces([...cut(text)]);
  expect(JSON.parse(first.text)).toMatchObject({ access_token: expect.any(String) });
  expect(first.status).toBe(200);
  const second = await postInPieces([...cut(text)]);
  expect([second.status, JSON.parse(second.text).error]).toEqual([400, 'invalid_grant']);
});

test('a session’s cookie without its signature signs nobody in', async () => {
  const browser = new Browser(protocol);
  await signIn(protocol, application, { browser });
  const silent = () => browser.request(authorizationRequest(application, { prompt: 'none' }).path);
  expect(callbackOf(await silent())).toMatchObject({ code: expect.any(String) });
  const signature = browser.cookies.get('tollgate_session.sig');
  if (!signature) throw new Error('an unsigned session');
  browser.cookies.set('tollgate_session.sig', { ...signature, value: 'x'.repeat(signature.value.length) });
  expect(callbackOf(await silent())).toMatchObject({ error: 'login_required' });
});

test('an account that ends between two requests is gone for the second one', async () => {
  const account = await protocol.addAccount('bea@example.test');
  protocol.person.account = account;
  const browser = new Browser(protocol);
  await signIn(protocol, application, { browser });
  const silent = () => browser.request(authorizationRequest(application, { prompt: 'none' }).path);
  expect(callbackOf(await silent())).toMatchObject({ code: expect.any(String) });
  await protocol.revokeAccount(account.id);
  expect(callbackOf(await silent())).toMatchObject({ error: 'login_required' });
});
