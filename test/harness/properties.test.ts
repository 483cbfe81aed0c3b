// Property tests leave nothing running behind them: what a test does after a property is alone with the database.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holds } from './properties.ts';

const moment = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

test('when time is up, the run under way is waited for', async () => {
  let underWay = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    underWay += 1;
    await moment(30);
    underWay -= 1;
  });
  await holds(property, 100);
  expect(underWay).toBe(0);
});

test('a run that fails after time was up is a failure', async () => {
  let runs = 0;
  const property = fc.asyncProperty(fc.nat(), async () => {
    runs += 1;
    if (runs < 3) return;
    await moment(300);
    throw new Error('too late, and wrong');
  });
  await expect(holds(property, 100)).rejects.toThrow('too late, and wrong');
});
