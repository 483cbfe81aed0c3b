// How busy a process is, told by what it did in the last moment, and what work that can wait makes of it.
import { expect, test } from '@jest/globals';
import { createPressure } from '../../src/queue/pressure.ts';

/** A process that worked for `active` of the `passed` milliseconds. */
function createProcess() {
  let time = 0;
  let work = 0;
  const pressure = createPressure({ now: () => time, active: () => work });
  return {
    pressure,
    pass(passed: number, active: number) {
      time += passed;
      work += active;
    },
  };
}

test('the pressure is high when more than half of the last moment went by at work, and low again afterwards', () => {
  const { pressure, pass } = createProcess();
  expect(pressure.isHigh()).toBe(false);
  pass(100, 51);
  expect(pressure.isHigh()).toBe(true);
  pass(100, 50);
  expect(pressure.isHigh()).toBe(false);
});

test('beside a sign-in a fifth of the moment is enough, until a moment has passed without one', () => {
  const { pressure, pass } = createProcess();
  pressure.noteSignIn();
  pass(100, 21);
  expect(pressure.isHigh()).toBe(true);
  pressure.noteSignIn();
  pass(100, 20);
  expect(pressure.isHigh()).toBe(false);
  pass(100, 21);
  expect(pressure.isHigh()).toBe(false);
});

test('less than a moment decides nothing', () => {
  const { pressure, pass } = createProcess();
  pass(100, 90);
  expect(pressure.isHigh()).toBe(true);
  pass(99, 0);
  expect(pressure.isHigh()).toBe(true);
  pass(1, 0);
  expect(pressure.isHigh()).toBe(false);
});

test('work that can wait pauses in proportion to its last piece, under pressure only, and never for long', async () => {
  const { pressure, pass } = createProcess();
  const pauseAfter = async (milliseconds: number) => {
    const startedAt = performance.now();
    await pressure.giveWay(milliseconds);
    return performance.now() - startedAt;
  };
  // Would take longer than the test may.
  await pressure.giveWay(3_600_000);
  pass(100, 100);
  expect(await pauseAfter(50)).toBeGreaterThanOrEqual(149);
  expect(await pauseAfter(3_600_000)).toBeGreaterThanOrEqual(999);
});
