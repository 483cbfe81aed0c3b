// `npm run neighbours`: whether one company's burden is another's problem. Two companies on PostgreSQL and Redis; the
// neighbour idle and busy in turns, for each burden. Exits with 1 when a request of the good company failed, when its p99
// rose more than allowed, or when the bad company's own work stood still.
import { startChild } from '../processes.ts';
import { say, sayMachine } from '../report.ts';
import { burdensOf, sizes } from './burdens.ts';
import { sayNoise, sayOutcome, sayTableHead, verdictOf } from './report.ts';
import { takeTurns } from './rounds.ts';
import { openTown } from './town.ts';

const words = process.argv.slice(2);
const isQuick = words.includes('--quick');
/** For machines that do other work as well: what does not depend on their speed is judged, the ratio of p99 is not. */
const isRough = words.includes('--rough');
const only = textOf('only');
const options = {
  rounds: numberOf('rounds', isQuick ? 3 : 7),
  seconds: numberOf('seconds', isQuick ? 3 : 15),
  rate: numberOf('rate', 40),
};
const WARM_UP = { rounds: 1, seconds: 5, rate: options.rate };

await sayMachine('npm run neighbours --');
const startedAt = performance.now();
const chosen = burdensOf(isQuick ? sizes.quick : sizes.full).filter(
  ({ name }) => only === undefined || name.includes(only),
);
const { town, burdens, close } = await openTown(chosen);
say(`filled in   ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
const { rounds, seconds, rate } = options;
say(`measured    ${rounds} pairs of rounds of ${seconds} s, ${rate} sign-ins/s of the good company`);
const driver = startChild('driver.ts');
const nothing = { begin: async () => {}, end: async () => {}, progress: async () => ({}) };
await takeTurns(town, driver, nothing, WARM_UP);
sayTableHead();
let isGood = true;
for (const { name, turns } of burdens) {
  const outcome = await takeTurns(town, driver, turns, options);
  const verdict = verdictOf(outcome, { isRough });
  sayOutcome(name, outcome, verdict);
  if (name === 'nothing') sayNoise(outcome);
  isGood &&= verdict.length === 0;
}
await driver.stop();
await close();
say(`\n${isGood ? 'kept' : 'BROKEN'}, in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`);
process.exitCode = isGood ? 0 : 1;

function textOf(option: string): string | undefined {
  const word = words.find((each) => each.startsWith(`--${option}=`));
  return word?.slice(`--${option}=`.length);
}

function numberOf(option: string, otherwise: number): number {
  return Number(textOf(option) ?? otherwise);
}
