// Look-ups that a request begins before it needs their answers, so that those which it will need leave together. An answer
// belongs to the request that asked and is taken once: whoever asks again, in this request or another one, asks anew.

export type AskedAhead<V, K = string> = {
  /** `request` is an object that lives as long as the request does. */
  ask(request: object, key: K): Promise<V>;
  /** The answer to what this request asked ahead; otherwise it is asked for now. */
  find(request: object | undefined, key: K): Promise<V>;
  /** What was asked ahead may not be true any more; without a key, nothing of it. */
  forget(request: object | undefined, key?: K): void;
};

/** @param nameOf tells keys apart. */
export function createAskedAhead<V, K = string>(
  read: (key: K) => Promise<V>,
  nameOf: (key: K) => string = String,
): AskedAhead<V, K> {
  const asked = new WeakMap<object, Map<string, Promise<V>>>();
  const ofRequest = (request: object | undefined) => request && asked.get(request);

  return {
    ask(request, key) {
      const answers = ofRequest(request) ?? new Map<string, Promise<V>>();
      asked.set(request, answers);
      const answer = read(key);
      // Whoever takes it hears of its failure; perhaps nobody does.
      answer.catch(() => undefined);
      answers.set(nameOf(key), answer);
      return answer;
    },
    find(request, key) {
      const answers = ofRequest(request);
      const name = nameOf(key);
      const answer = answers?.get(name);
      answers?.delete(name);
      return answer ?? read(key);
    },
    forget(request, key) {
      const answers = ofRequest(request);
      if (key === undefined) answers?.clear();
      else answers?.delete(nameOf(key));
    },
  };
}
