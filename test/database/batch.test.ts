// The queueing rule of batches (docs/decisions/0901): alone when alone, side by side while few are under way, together when
// many are.
import { expect, test } from '@jest/globals';
import { createBatcher } from '../../src/database/batch.ts';

/** A database whose trips end when the test says so. */
function slowly(options: { size?: number; lanes: number; few?: number }) {
  const trips: { inputs: number[]; end(): void }[] = [];
  const ask = createBatcher<number, number>({
    size: 10,
    ...options,
    async run(inputs) {
      await new Promise<void>((resolve) => trips.push({ inputs, end: resolve }));
      return inputs.map((value) => ({ value }));
    },
  });
  return { ask, trips, inputsOf: () => trips.map(({ inputs }) => inputs) };
}

/** Until everything that can begin has begun. */
const turns = async () => {
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve));
};

test('who is alone goes alone, and so does the next one: nobody waits for company or for somebody else’s trip', async () => {
  const { ask, inputsOf } = slowly({ lanes: 3, few: 3 });
  void ask(1);
  await turns();
  void ask(2);
  await turns();
  expect(inputsOf()).toEqual([[1], [2]]);
});

test('calls of one moment go together', async () => {
  const { ask, inputsOf } = slowly({ lanes: 3, few: 3 });
  void ask(1);
  void ask(2);
  await turns();
  expect(inputsOf()).toEqual([[1, 2]]);
});

test('once many are under way the next ones gather, and go when a batch ends', async () => {
  const { ask, trips, inputsOf } = slowly({ lanes: 3, few: 3 });
  const answers = [1, 2, 3].map(ask);
  await turns();
  answers.push(ask(4));
  await turns();
  answers.push(ask(5));
  await turns();
  expect(inputsOf()).toEqual([[1, 2, 3]]);
  trips[0]?.end();
  await turns();
  expect(inputsOf()).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  trips[1]?.end();
  expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
});

test('however few there are, no more batches than there are lanes', async () => {
  const { ask, trips, inputsOf } = slowly({ lanes: 2, few: 9 });
  for (const input of [1, 2, 3, 4]) {
    void ask(input);
    await turns();
  }
  expect(inputsOf()).toEqual([[1], [2]]);
  trips[1]?.end();
  await turns();
  expect(inputsOf()).toEqual([[1], [2], [3, 4]]);
});

test('no batch is larger than its size, and a failure leaves room for the next', async () => {
  const runs: number[][] = [];
  const ask = createBatcher<number, number>({
    size: 2,
    lanes: 1,
    async run(inputs) {
      runs.push(inputs);
      throw new Error('away');
    },
  });
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5].map(ask));
  expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('rejected'));
  expect(runs).toEqual([[1, 2], [3, 4], [5]]);
});
