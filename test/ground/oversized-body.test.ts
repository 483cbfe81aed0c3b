// Bodies larger than anything that is read: refused at once, and what is still on its way harms nobody:
// it is thrown away.
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measure } from '../harness/stopwatch.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';

const MEBIBYTE = 1024 * 1024;

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service.stop());

function ask(agent: Agent, method: string, path: string, body?: Buffer) {
  return new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const asked = request(new URL(path, service.url), { agent, method, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    asked.once('error', reject);
    asked.end(body);
  });
}

test.each([
  ['the token endpoint', '/oauth/token'],
  ['a form', '/settings/sign-out'],
])('a body of 10 MB at %s is refused, and the next request need not wait for it', async (_name, path) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await ask(agent, 'POST', path, Buffer.alloc(10 * MEBIBYTE, 'a'))).toBe(413);
  const { value: status, milliseconds } = await measure(() =>
    ask(agent, 'GET', '/.well-known/openid-configuration'),
  );
  expect(status).toBe(200);
  expect(milliseconds).toBeLessThan(2_000);
  agent.destroy();
});
