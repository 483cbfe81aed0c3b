// A queue in order of a comparison: a hundred thousand waiting deliveries are too many to sort for each.
export type Heap<T> = { peek(): T | undefined; pop(): T | undefined; push(item: T): void };

export function createHeap<T>(compare: (a: T, b: T) => number): Heap<T> {
  const items: T[] = [];
  const isBefore = (a: number, b: number) => {
    const [first, second] = [items[a], items[b]];
    return first !== undefined && second !== undefined && compare(first, second) < 0;
  };
  const swap = (a: number, b: number) => {
    const [first, second] = [items[a], items[b]];
    if (first === undefined || second === undefined) return;
    items[a] = second;
    items[b] = first;
  };
  return {
    peek: () => items[0],
    push(item) {
      items.push(item);
      for (let at = items.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1;
        if (!isBefore(at, parent)) return;
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      swap(0, items.length - 1);
      const first = items.pop();
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2];
        const least = isBefore(right, left) ? right : left;
        if (!isBefore(least, at)) return first;
        swap(least, at);
        at = least;
      }
    },
  };
}
