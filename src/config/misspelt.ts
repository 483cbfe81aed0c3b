// Variables that are none of ours, but nearly: `BASE_ULR` would be overlooked, and the default would be used in silence.

/** Short names have neighbours in every environment (HOST, POST). */
const SHORTEST_NAME = 6;
/** One slip: a letter too many, too few, another one, or two that changed places. Two in a long name. */
const LONG_NAME = 12;

export type Misspelt = { name: string; meant: string };

/** Only where the variable that is meant is absent: whoever has set both means something else. */
export function misspeltVariables(
  environment: Record<string, string | undefined>,
  known: readonly string[],
): Misspelt[] {
  const absent = known.filter((name) => !environment[name] && name.length >= SHORTEST_NAME);
  return Object.keys(environment)
    .filter((name) => environment[name] && !known.includes(name))
    .flatMap((name) => {
      const meant = absent.find((each) => slips(name, each) <= (each.length >= LONG_NAME ? 2 : 1));
      return meant === undefined ? [] : [{ name, meant }];
    });
}

/** Damerau and Levenshtein's distance, where no part is changed twice. */
function slips(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = current;
  }
  return last[other.length] ?? 0;
}
