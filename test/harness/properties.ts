// How long property tests look for a counter-example: two seconds in each test run, or PROPERTY_RUNS runs
// however long they take. fast-check prints the seed and path of a failure; PROPERTY_SEED repeats it.
const UNHURRIED_RUNS = 1_000;
const TEST_RUN_MILLISECONDS = 2_000;

/** `milliseconds` must be enough for one run on a busy machine: fast-check calls it a failure to have seen nothing. */
export function bounded(milliseconds = TEST_RUN_MILLISECONDS) {
  const runs = process.env.PROPERTY_RUNS;
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
  if (runs !== undefined) return { seed, numRuns: Number(runs) };
  return {
    seed,
    numRuns: UNHURRIED_RUNS,
    interruptAfterTimeLimit: milliseconds,
    markInterruptAsFailure: false,
  };
}
