// Many calls, few round trips. While few are under way a call goes at once, beside them: nobody waits for company. Once many
// are, it waits for one batch to end and goes together with everybody who waited. So a batch is as large as the service is
// busy, and nobody is later than the database would have had time for (docs/decisions/0901).

export type Outcome<O> = { value: O } | { error: unknown };

export type BatchOptions<I, O> = {
  /** One outcome for each input, in their order. A rejection is everybody's. */
  run: (inputs: I[]) => Promise<Outcome<O>[]>;
  /** Inputs of one batch. */
  size: number;
  /** Batches under way at once. */
  lanes: number;
  /** One more begins only while fewer inputs than this are under way; always, when nothing is said. */
  few?: number;
};

export type Waiting<I, O> = { input: I; resolve(value: O): void; reject(error: unknown): void };

export function createBatcher<I, O>(options: BatchOptions<I, O>): (input: I) => Promise<O> {
  const { run, size, lanes, few = Number.POSITIVE_INFINITY } = options;
  const waiting: Waiting<I, O>[] = [];
  let batches = 0;
  let inputs = 0;
  let isPlanned = false;

  const hasRoom = () => batches === 0 || (batches < lanes && inputs < few);

  /** After the events of this moment: calls that they make can still come along. */
  function plan(): void {
    if (isPlanned || !hasRoom()) return;
    isPlanned = true;
    setImmediate(() => {
      isPlanned = false;
      while (hasRoom() && waiting.length > 0) void start(waiting.splice(0, size));
    });
  }

  async function start(batch: Waiting<I, O>[]): Promise<void> {
    batches += 1;
    inputs += batch.length;
    await answerAll(batch, run);
    batches -= 1;
    inputs -= batch.length;
    if (waiting.length > 0) plan();
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      plan();
    });
}

/** Never rejects: whatever happens is an answer to each of them. */
export async function answerAll<I, O>(batch: Waiting<I, O>[], run: BatchOptions<I, O>['run']): Promise<void> {
  try {
    const outcomes = await run(batch.map(({ input }) => input));
    for (const [index, { resolve, reject }] of batch.entries()) {
      const outcome = outcomes[index] ?? { error: new Error('a batch forgot one of its calls') };
      if ('value' in outcome) resolve(outcome.value);
      else reject(outcome.error);
    }
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/**
 * A batch as one; when that fails because of one of its members, its halves, until that member is alone.
 * @param concernsOne false for what would fail everybody again: then it is everybody's at once.
 */
export async function runOrTakeApart<I, O>(
  inputs: I[],
  run: (inputs: I[]) => Promise<Outcome<O>[]>,
  concernsOne: (error: unknown) => boolean,
): Promise<Outcome<O>[]> {
  try {
    return await run(inputs);
  } catch (error) {
    if (inputs.length === 1 || !concernsOne(error)) return inputs.map(() => ({ error }));
    const middle = Math.ceil(inputs.length / 2);
    const first = await runOrTakeApart(inputs.slice(0, middle), run, concernsOne);
    return [...first, ...(await runOrTakeApart(inputs.slice(middle), run, concernsOne))];
  }
}

/** Reads of one kind by one key: `find` gets different keys and returns what exists. */
export function createReader<V>(options: {
  find: (keys: string[]) => Promise<Map<string, V>>;
  size: number;
  lanes: number;
}): (key: string) => Promise<V | undefined> {
  return createBatcher<string, V | undefined>({
    ...options,
    async run(keys) {
      const found = await options.find([...new Set(keys)]);
      return keys.map((key) => ({ value: found.get(key) }));
    },
  });
}

/** Writes of one kind whose repetition changes nothing: `write` gets different keys, once for all who ask together. */
export function createWriter(options: {
  write: (keys: string[]) => Promise<void>;
  size: number;
  lanes: number;
}): (key: string) => Promise<void> {
  return createBatcher<string, void>({
    ...options,
    async run(keys) {
      await options.write([...new Set(keys)]);
      return keys.map(() => ({ value: undefined }));
    },
  });
}
