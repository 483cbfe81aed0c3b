// The harness's way to wait: what it returns, and what it says when it gives up.
import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('returns what it saw as soon as that is there and enough', async () => {
  const seen = [undefined, 1, 2, 3][Symbol.iterator]();
  const look = () => seen.next().value;
  expect(await until('there are two', look, { isIt: (count) => count >= 2, everyMilliseconds: 1 })).toBe(2);
});

test('says what it waited for and what it saw last', async () => {
  const waiting = until('the mail is sent', () => ['queued'], { isIt: () => false, seconds: 0.01 });
  await expect(waiting).rejects.toThrow("waited 0.01 s until the mail is sent; last seen: [ 'queued' ]");
});

test('what goes wrong while it looks is thrown at once', async () => {
  const look = () => Promise.reject(new Error('no such table'));
  await expect(until('it is there', look)).rejects.toThrow('no such table');
});
