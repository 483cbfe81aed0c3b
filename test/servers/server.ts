// What PostgreSQL and Redis have in common for `npm run servers`: does it listen, does it let the tests in, and where a
// server of our own keeps its files.
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export type TestServer = {
  name: string;
  /** Where tests look for it, without a password. */
  url: string;
  /** What starts it, and the Debian packages that bring that. */
  program: string;
  packages: string[];
  /** Tests start servers of their own as well, so the program is wanted even where a server answers. */
  isProgramUsed: boolean;
  /** Whether anything listens there. */
  listens(): Promise<boolean>;
  /** Starts one of our own, which keeps nothing once it is stopped. */
  start(): Promise<void>;
  /** Waits until it answers as it will answer the tests. @throws when it never does, or is too old. */
  version(): Promise<string>;
  /** Whether there was one of our own. */
  stop(): Promise<boolean>;
};

const LISTEN_MILLISECONDS = 3_000;
const ANSWER_MILLISECONDS = 30_000;
/** Only on these may we start anything. */
const loopback = ['127.0.0.1', 'localhost'];

export function listensAt({ host, port }: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port, timeout: LISTEN_MILLISECONDS });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => done(true));
    socket.once('timeout', () => done(false));
    socket.once('error', () => done(false));
  });
}

/** A server that has just been started may need a moment, and so may one that was. @throws its last refusal. */
export async function untilAnswers<T>(
  ask: () => Promise<T>,
  isPassing: (error: unknown) => boolean,
): Promise<T> {
  const deadline = Date.now() + ANSWER_MILLISECONDS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!isPassing(error) || Date.now() > deadline) throw error;
    }
    await sleep(100);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws for a server on another machine. */
export function onLoopback(name: string, { host, port }: { host: string; port: number }): void {
  if (!loopback.includes(host))
    throw new Error(
      `${name} does not answer at ${host}:${port}, and only on this machine could it be started`,
    );
}

/** Same for the same port, so that a later call finds what an earlier one started. */
export function ownFolder(name: string, port: number): string {
  return join(tmpdir(), `tollgate-${name}-${port}`);
}

export function withoutPassword(value: string): string {
  const url = new URL(value);
  if (url.password) url.password = '***';
  return url.href;
}

/** @throws below `least`. */
export function atLeast(name: string, version: string, least: number): string {
  if (Number.parseInt(version, 10) >= least) return version;
  throw new Error(`${name} ${version} answers, and the tests need ${least} or later`);
}
