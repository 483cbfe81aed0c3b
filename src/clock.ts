// The time is an argument everywhere, so that tests can move it; this is the shape of that argument.
export type Clock = (() => Date) & {
  /** Milliseconds by the machine that the database runs on, where `Date.now` itself was moved; `Date.now` without it. */
  machine?: () => number;
};

export const systemClock: Clock = () => new Date();

export function secondsAfter(start: Date, seconds: number): Date {
  return new Date(start.getTime() + seconds * 1000);
}
