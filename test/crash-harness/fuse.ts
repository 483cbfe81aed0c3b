// The moment of a crash. Everything that one running service sends or receives passes the fuse and is one numbered
// point; at the chosen number the fuse blows, and from then on nothing gets in or out: what kill -9 looks like from
// the outside.
export type Fuse = {
  /** Points passed since arming. */
  readonly count: number;
  readonly isBlown: boolean;
  /** What the service was about to do when the fuse blew. */
  readonly place: string | undefined;
  /** Resolves when the fuse has blown. */
  readonly blown: Promise<void>;
  /** From now on points count; at number `at` the fuse blows. */
  arm(at: number): void;
  /** At these points, from arming, one connection breaks and the service lives on: an answer is lost, a client is gone. */
  breakAt(points: number[]): void;
  /** Whether the point that was passed last is one of them. */
  readonly breaks: boolean;
  /** One thing that is about to happen. False: the process is dead, it must not happen. */
  pass(place: string): boolean;
  /** Blows now, wherever the service is. */
  blow(place: string): void;
};

export function createFuse(): Fuse {
  const { promise: blown, resolve } = Promise.withResolvers<void>();
  let at = Number.POSITIVE_INFINITY;
  let count = 0;
  let place: string | undefined;
  let breaking = new Set<number>();
  const fuse: Fuse = {
    get count() {
      return count;
    },
    get isBlown() {
      return place !== undefined;
    },
    get place() {
      return place;
    },
    get breaks() {
      return breaking.has(count);
    },
    blown,
    breakAt(points) {
      breaking = new Set(points);
    },
    arm(number) {
      count = 0;
      at = number;
    },
    pass(where) {
      if (place !== undefined) return false;
      count += 1;
      if (count < at) return true;
      fuse.blow(where);
      return false;
    },
    blow(where) {
      place ??= where;
      resolve();
    },
  };
  return fuse;
}
