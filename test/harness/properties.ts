// Property tests, two seconds of each in each test run, or PROPERTY_RUNS runs however long they take. fast-check prints
// the seed and path of a failure; PROPERTY_SEED repeats it.
import * as fc from 'fast-check';

const UNHURRIED_RUNS = 1_000;
const TEST_RUN_MILLISECONDS = 2_000;

/**
 * Returns when no run of the property is under way any more.
 * @throws with the shortest counter-example.
 */
export async function holds<Values>(
  property: fc.IAsyncProperty<Values>,
  milliseconds = TEST_RUN_MILLISECONDS,
): Promise<void> {
  const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 2 ** 31);
  const runs = process.env.PROPERTY_RUNS;
  if (runs !== undefined) return fc.assert(property, { seed, numRuns: Number(runs) });
  // fast-check calls it a failure when time is up before the first run has ended, as happens on a busy machine. So that
  // one takes as long as it takes, and the others, which begin with it again, what is left.
  const startedAt = performance.now();
  await fc.assert(property, { seed, numRuns: 1 });
  const left = Math.round(milliseconds - (performance.now() - startedAt));
  if (left <= 0) return;
  const limits = { numRuns: UNHURRIED_RUNS, interruptAfterTimeLimit: left, markInterruptAsFailure: false };
  const watched = watch(property);
  const details = await fc.check(watched.property, { seed, ...limits });
  // When time is up, fast-check walks away from the run under way, which would go on writing beneath what the test
  // does next.
  const lastFailed = await watched.lastRunFailed();
  const sawNothing = details.interrupted && details.counterexample === null;
  if (details.failed && !sawNothing) throw new Error(fc.defaultReportMessage(details));
  if (details.interrupted && lastFailed) throw new Error(`The run that time cut off failed: ${lastFailed}`);
}

/** The same property, which remembers its last run. */
function watch<Values>(property: fc.IAsyncProperty<Values>) {
  let last: ReturnType<typeof property.run> = Promise.resolve(null);
  const watched: fc.IAsyncProperty<Values> = Object.create(property);
  watched.run = (value) => {
    last = property.run(value);
    return last;
  };
  return {
    property: watched,
    /** undefined when it held, or when its values did not concern the property. */
    async lastRunFailed(): Promise<string | undefined> {
      const failure = await last;
      return failure === null || fc.PreconditionFailure.isFailure(failure)
        ? undefined
        : String('error' in failure ? failure.error : failure);
    },
  };
}
