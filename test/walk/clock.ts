// One clock for the whole process: the service's, the engine's (which reads the real time by itself) and the embedded
// database's move together, so that twenty minutes pass at once and for everybody.

export type WalkClock = {
  /** Milliseconds, as everybody in this process sees them. */
  now(): number;
  move(seconds: number): void;
  /** Milliseconds, as a database in another process sees them. */
  machine(): number;
  /** The real time again. */
  restore(): void;
};

export function takeClock(): WalkClock {
  const real = Date.now;
  let ahead = 0;
  const now = () => real() + ahead;
  Date.now = now;
  return {
    now,
    machine: () => real(),
    move(seconds) {
      ahead += seconds * 1000;
    },
    restore() {
      Date.now = real;
    },
  };
}
