// How long property tests look for a counter-example: two seconds in each test run, or PROPERTY_RUNS runs
// however long they take. fast-check prints the seed and path of a failure; PROPERTY_SEED repeats it.
const UNHURRIED_RUNS = 1_000;
const TEST_RUN_MILLISECONDS = 2_000;

export function bounded() {
  const runs = process.env.PROPERTY_RUNS;
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
  if (runs !== undefined) return { seed, numRuns: Number(runs) };
  return {
    seed,
    numRuns: UNHURRIED_RUNS,
    interruptAfterTimeLimit: TEST_RUN_MILLISECONDS,
    markInterruptAsFailure: false,
  };
}
