// Processor time of the servers that a sign-in uses beside our own process, from Linux's /proc: on a machine that they
// share, it is part of what a sign-in costs.
import { readdir, readFile } from 'node:fs/promises';

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICK_MILLISECONDS = 10;

/** As the kernel calls them. */
const PROGRAMS = { postgres: 'postgres', redis: 'redis-server' } as const;

export type ServerTime = { postgres: number; redis: number };

/** Milliseconds since each server's start, its ended processes included. */
export async function serverTime(): Promise<ServerTime> {
  const time: ServerTime = { postgres: 0, redis: 0 };
  for (const pid of await readdir('/proc')) {
    // "2153 (redis-server) S 1 …"; a process may have ended since.
    const text = /^\d+$/.test(pid) ? await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '') : '';
    const [, name, rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
    // proc(5): user and system time of the process itself, then of children that have ended.
    const ticks = rest.split(' ').slice(11, 15).map(Number);
    const milliseconds = ticks.reduce((sum, each) => sum + each, 0) * TICK_MILLISECONDS;
    if (name === PROGRAMS.postgres) time.postgres += milliseconds;
    if (name === PROGRAMS.redis) time.redis += milliseconds;
  }
  return time;
}
