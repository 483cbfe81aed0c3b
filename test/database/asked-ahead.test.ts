// What a request asks ahead and owes: known to itself alone, true only until it changes something, and heard of when it fails.
import { describe, expect, test } from '@jest/globals';
import { createAskedAhead } from '../../src/database/asked-ahead.ts';
import { createOwedWrites } from '../../src/database/owed-writes.ts';

describe('look-ups asked ahead', () => {
  function counting() {
    let reads = 0;
    const ahead = createAskedAhead(async (key) => {
      reads += 1;
      return `${key} ${reads}`;
    });
    return { ahead, reads: () => reads };
  }

  test('are asked once, and taken once: who asks again asks anew', async () => {
    const { ahead, reads } = counting();
    const request = {};
    await ahead.ask(request, 'a');
    expect(await ahead.find(request, 'a')).toBe('a 1');
    expect(reads()).toBe(1);
    expect(await ahead.find(request, 'a')).toBe('a 2');
  });

  test('are known neither to another request nor outside of any', async () => {
    const { ahead } = counting();
    await ahead.ask({}, 'a');
    expect(await ahead.find({}, 'a')).toBe('a 2');
    expect(await ahead.find(undefined, 'a')).toBe('a 3');
  });

  test('are forgotten when the request changes what they are about', async () => {
    const { ahead } = counting();
    const request = {};
    for (const key of ['a', 'b', 'c']) await ahead.ask(request, key);
    ahead.forget(request, 'a');
    expect(await ahead.find(request, 'a')).toBe('a 4');
    expect(await ahead.find(request, 'b')).toBe('b 2');
    ahead.forget(request);
    expect(await ahead.find(request, 'c')).toBe('c 5');
  });

  test('fail where they are taken; where nobody takes them, nothing happens', async () => {
    const ahead = createAskedAhead(() => Promise.reject(new Error('away')));
    const request = {};
    for (const key of ['a', 'b']) void ahead.ask(request, key).catch(() => undefined);
    await expect(ahead.find(request, 'a')).rejects.toThrow('away');
  });
});

describe('owed writes', () => {
  const held = () => Promise.withResolvers<void>();

  test('who has not promised to wait for them at the end waits for each', async () => {
    const writes = createOwedWrites();
    const write = held();
    let isOver = false;
    const owing = writes
      .owe({}, 'a', () => write.promise)
      .then(() => {
        isOver = true;
      });
    await Promise.resolve();
    expect(isOver).toBe(false);
    write.resolve();
    await owing;
  });

  test('others go on beside them, and the end waits for all', async () => {
    const writes = createOwedWrites();
    const request = {};
    writes.open(request);
    const [one, two] = [held(), held()];
    await writes.owe(request, 'a', () => one.promise);
    await writes.owe(request, 'b', () => two.promise);
    let isOver = false;
    const settled = writes.settled(request).then(() => {
      isOver = true;
    });
    one.resolve();
    await writes.written(request, 'a');
    expect(isOver).toBe(false);
    two.resolve();
    await settled;
  });

  test('two of one record go in their order', async () => {
    const writes = createOwedWrites();
    const request = {};
    writes.open(request);
    const order: string[] = [];
    const first = held();
    await writes.owe(request, 'a', async () => {
      await first.promise;
      order.push('first');
    });
    await writes.owe(request, 'a', async () => void order.push('second'));
    first.resolve();
    await writes.settled(request);
    expect(order).toEqual(['first', 'second']);
  });

  test('a failure is heard at the end, also when the record was written again after it', async () => {
    const writes = createOwedWrites();
    const request = {};
    writes.open(request);
    await writes.owe(request, 'a', () => Promise.reject(new Error('away')));
    await writes.owe(request, 'a', async () => undefined);
    await expect(writes.settled(request)).rejects.toThrow('away');
  });
});
