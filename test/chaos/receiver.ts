// The endpoint that the webhooks of a chaos run go to, in a process of its own: a real one does not answer later because
// the load driver is busy, and the later it answers, the more answers die with a process that waits for them.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export type Question = { certificate: { cert: string; key: string } } | { wanted: 'ids' };

export type Receiver = {
  url: string;
  /** Of every webhook in the order of their arrival, as often as it came. */
  ids(): Promise<string[]>;
  close(): Promise<void>;
};

export async function startReceiver(certificate: { cert: string; key: string }): Promise<Receiver> {
  const child = fork(join(import.meta.dirname, 'receiver-process.ts'), { execArgv: ['--import', 'tsx'] });
  const ask = async (question: Question): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(question);
    const [value] = await answer;
    return value;
  };
  const url = String(await ask({ certificate }));
  return {
    url,
    async ids() {
      const ids = await ask({ wanted: 'ids' });
      if (!Array.isArray(ids)) throw new Error('the receiver does not know what it received');
      return ids.map(String);
    },
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
