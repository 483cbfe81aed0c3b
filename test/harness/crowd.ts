// Many callers of one database at once, for tests of what only one of them, or five, may get.

/** Twice as many as two processes have connections for; who waits longer for one on a busy machine gets an error. */
export const CROWD = 40;

/** All of `items`, so many at any moment. */
export async function crowd<Item, Result>(
  items: Item[],
  work: (item: Item, index: number) => Promise<Result>,
) {
  const results: Result[] = [];
  const rest = [...items.entries()];
  const one = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) results[next[0]] = await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: CROWD }, one));
  return results;
}
