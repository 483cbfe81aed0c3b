// Who has to wait for something that is somebody's own waits in that one's line: everybody of a line goes at once, one
// turn after the other, and no line waits for another one while there are places.
import { answerAll, type BatchOptions, type Waiting } from './batch.ts';

export type Lines<I, O> = {
  ask(line: string, input: I): Promise<O>;
  /** Somebody waits in it. */
  isBusy(line: string): boolean;
};

export type LinesOptions<I, O> = Pick<BatchOptions<I, O>, 'run' | 'size'> & {
  /** Turns under way at once. */
  places: number;
};

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
    await answerAll(turn, run);
    underWay.delete(line);
    const rest = lines.get(line) ?? [];
    lines.delete(line);
    // To the end: who comes back at once must not keep the others from their first turn.
    if (rest.length > 0) lines.set(line, rest);
    startWhatMay();
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
