// Writes that need not wait for each other: a request begins each where it comes up, and owes all of them before its answer
// leaves. Only who has promised to wait for them at the end may owe any.

export type OwedWrites = {
  /** From now on this request's writes are owed: whoever says so waits for `settled`. */
  open(request: object): void;
  /** Begins a write. What concerns one record goes in order, and its failure is heard at the end. */
  owe(request: object | undefined, record: string, write: () => Promise<void>): Promise<void>;
  /** When nothing is under way any more of what this request has written of that record. */
  written(request: object | undefined, record: string): Promise<void>;
  /** Resolves when everything is written. @throws the first failure */
  settled(request: object): Promise<void>;
};

export function createOwedWrites(): OwedWrites {
  const owed = new WeakMap<object, Map<string, Promise<void>>>();
  const ofRequest = (request: object | undefined) => request && owed.get(request);

  return {
    open(request) {
      owed.set(request, new Map());
    },
    async owe(request, record, write) {
      const writes = ofRequest(request);
      if (!writes) return write();
      const before = writes.get(record);
      const writing = before ? before.then(write) : write();
      // Heard in `settled`, which comes later.
      writing.catch(() => undefined);
      writes.set(record, writing);
    },
    async written(request, record) {
      await ofRequest(request)?.get(record);
    },
    async settled(request) {
      await Promise.all(ofRequest(request)?.values() ?? []);
    },
  };
}
