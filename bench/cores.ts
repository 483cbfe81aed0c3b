// Which of the machine's cores a process of the bench may use: Linux's `taskset`, from util-linux.
import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { Child } from './processes.ts';

const run = promisify(execFile);

/** The first core for each of `first`, one at a time busy; the others for `rest`. @returns false: it cannot be done here. */
export async function separate({ first, rest }: { first: Child[]; rest: Child[] }): Promise<boolean> {
  const others = availableParallelism() - 1;
  if (process.platform !== 'linux' || others < 1) return false;
  for (const { pid } of first) await bind(pid, '0');
  for (const { pid } of rest) await bind(pid, `1-${others}`);
  return true;
}

/** With the threads that it has; later ones inherit it. */
async function bind(pid: number, cores: string): Promise<void> {
  await run('taskset', ['--all-tasks', '--cpu-list', '--pid', cores, String(pid)]);
}
