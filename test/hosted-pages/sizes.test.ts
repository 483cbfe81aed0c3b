// What pages weigh on the wire: all style sheets and scripts together, and all that a browser fetches for the first page of a
// sign-in. Whoever signs in waits for it, perhaps on a bad connection.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stylesheetPath } from '../../src/page/assets.ts';
import { scripts } from '../../src/page/scripts.ts';
import { createBrowser } from '../harness/browserless-browser.ts';
import { startAttempt } from '../harness/client.ts';
import { startTollgate, type TestTollgate } from '../harness/tollgate.ts';

/** Bytes, compressed. */
const ALL_STYLES_AND_SCRIPTS = 60 * 1_024;
const FIRST_PAGE = 30 * 1_024;

let service: TestTollgate;
beforeAll(async () => {
  service = await startTollgate();
});
afterAll(() => service?.stop());

/** As a browser gets it: `fetch` unpacks, so the length is what the service says that it sent. */
async function bytesOf(path: string, accepted = 'gzip'): Promise<number> {
  const answer = await fetch(new URL(path, service.url), { headers: { 'accept-encoding': accepted } });
  expect([path, answer.status, answer.headers.get('vary')]).toEqual([path, 200, 'Accept-Encoding']);
  expect(answer.headers.get('content-encoding')).toBe(accepted === 'gzip' ? 'gzip' : null);
  return Number(answer.headers.get('content-length'));
}

test('promise 68: all styles and scripts are less than 60 KiB, and come unpacked to whoever cannot unpack', async () => {
  const paths = [stylesheetPath, ...[...scripts.values()].map(({ path }) => path)];
  const sizes = await Promise.all(paths.map((path) => bytesOf(path)));
  expect(sizes.every((size) => size > 0)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(ALL_STYLES_AND_SCRIPTS);
  expect(await bytesOf(stylesheetPath, 'identity')).toBeGreaterThan(4 * (await bytesOf(stylesheetPath)));
});

test('promise 68, threat 185: the first page of a sign-in is less than 30 KiB with everything on it, and itself never compressed', async () => {
  const application = await service.register();
  const arrival = await createBrowser().open(startAttempt(service, application).url);
  if (!('page' in arrival)) throw new Error('left');
  const { html, url } = arrival.page;
  const again = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  expect(again.headers.get('content-encoding')).toBeNull();
  const paths = [...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  expect(paths.length).toBeGreaterThan(2);
  const sizes = await Promise.all(paths.map((path) => bytesOf(path)));
  // The page itself has tokens in it, and is never sent compressed.
  expect(Buffer.byteLength(html) + sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_PAGE);
});
