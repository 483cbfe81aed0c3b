// Who has to wait for something that is somebody's own waits in that one's line: everybody of a line goes at once, one
// turn after the other, and no line waits for another one while there are places.

export type Lines<I, O> = {
  ask(line: string, input: I): Promise<O>;
  /** Somebody waits in it. */
  isBusy(line: string): boolean;
};

export type LinesOptions<I, O> = {
  /** One result for each input, in their order. */
  run: (inputs: I[]) => Promise<O[]>;
  /** Inputs of one turn. */
  size: number;
  /** Turns under way at once. */
  places: number;
};

type Waiting<I, O> = { input: I; resolve(value: O): void; reject(error: unknown): void };

export function createLines<I, O>({ run, size, places }: LinesOptions<I, O>): Lines<I, O> {
  /** In the order in which they began. */
  const lines = new Map<string, Waiting<I, O>[]>();
  const underWay = new Set<string>();

  function startWhatMay(): void {
    for (const [line, waiting] of lines) {
      if (underWay.size >= places) return;
      if (!underWay.has(line)) void takeTurn(line, waiting.splice(0, size));
    }
  }

  async function takeTurn(line: string, turn: Waiting<I, O>[]): Promise<void> {
    underWay.add(line);
    try {
      const results = await run(turn.map(({ input }) => input));
      for (const [index, { resolve, reject }] of turn.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error('a turn forgot one of its calls'));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of turn) reject(error);
    } finally {
      underWay.delete(line);
      const rest = lines.get(line) ?? [];
      lines.delete(line);
      // To the end: who comes back at once must not keep the others from their first turn.
      if (rest.length > 0) lines.set(line, rest);
      startWhatMay();
    }
  }

  return {
    ask: (line, input) =>
      new Promise((resolve, reject) => {
        const waiting = lines.get(line) ?? [];
        lines.set(line, waiting);
        waiting.push({ input, resolve, reject });
        startWhatMay();
      }),
    isBusy: (line) => lines.has(line),
  };
}
