// Child processes of the bench: each is one file that answers messages by name, so that servers, load and the bench
// itself never share an event loop.
import { type ChildProcess, fork } from 'node:child_process';
import { openSync } from 'node:fs';
import { join } from 'node:path';

type Call = { id: number; name: string; input: unknown };
type Answer = { id: number; output?: unknown; error?: string };

export type Child = {
  pid: number;
  /** Calls a handler of the child. @throws what the handler threw. */
  call<T>(name: string, input?: unknown): Promise<T>;
  stop(): Promise<void>;
};

export function startChild(
  file: string,
  options: { environment?: Record<string, string>; nodeOptions?: string[]; withoutTsx?: boolean } = {},
): Child {
  const child = fork(join(import.meta.dirname, file), [], {
    // Logs are written as in production, to a file that costs nothing.
    stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'ipc'],
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...options.environment },
    execArgv: [...(options.nodeOptions ?? []), ...(options.withoutTsx ? [] : ['--import', 'tsx'])],
  });
  const pending = new Map<number, { resolve(output: never): void; reject(error: Error): void }>();
  let calls = 0;
  child.on('message', ({ id, output, error }: Answer) => {
    const call = pending.get(id);
    pending.delete(id);
    if (error !== undefined) call?.reject(new Error(`${file}: ${error}`));
    else call?.resolve(output as never);
  });
  child.on('exit', (code) => {
    for (const { reject } of pending.values()) reject(new Error(`${file} ended with ${code}`));
  });
  return {
    pid: child.pid ?? 0,
    call: (name, input) =>
      new Promise((resolve, reject) => {
        calls += 1;
        pending.set(calls, { resolve, reject });
        child.send({ id: calls, name, input } satisfies Call);
      }),
    stop: () => stopChild(child),
  };
}

function stopChild(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.disconnect();
  });
}

/** In the child. It ends when the bench disconnects; `end` puts its things away before that. */
export function answerCalls(
  handlers: Record<string, (input: never) => unknown>,
  end: () => Promise<void> = async () => undefined,
): void {
  process.on('message', async ({ id, name, input }: Call) => {
    try {
      const handler = handlers[name];
      if (!handler) throw new Error(`no handler ${name}`);
      process.send?.({ id, output: await handler(input as never) } satisfies Answer);
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  });
  process.on('disconnect', () => {
    end().finally(() => process.exit(0));
  });
}
