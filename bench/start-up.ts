// The compiled command as an operator starts it: how long until it answers, and what it holds in memory when nothing
// happens.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/harness/free-port.ts';
import { AS_IT_IS, type Start } from './ablation/starts.ts';
import { createBenchDatabase, REDIS_URL, SECRET } from './company.ts';
import { say, spread } from './report.ts';

const IDLE_SECONDS = 8;

export async function benchStartUp(options: { rounds: number }): Promise<void> {
  const started: number[] = [];
  const resident: number[] = [];
  for (let round = 0; round < options.rounds; round += 1) {
    const once = await startOnce(AS_IT_IS);
    started.push(once.milliseconds);
    resident.push(once.mebibytes);
  }
  say('\n4. The production process (PostgreSQL and Redis, migrated database)');
  say(`    start to first answer      ${spread(started)} ms`);
  say(`    resident when idle for ${IDLE_SECONDS} s ${spread(resident)} MiB`);
}

export async function startOnce({
  script,
  environment,
}: Start): Promise<{ milliseconds: number; mebibytes: number }> {
  const database = await createBenchDatabase();
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-bench-'));
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script, 'start'], {
    cwd: directory,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH ?? '',
      NODE_ENV: 'production',
      DATABASE_URL: database.url,
      REDIS_URL: `${REDIS_URL}?prefix=bench-start-${process.pid}:`,
      TOLLGATE_SECRET: SECRET,
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      ...environment,
    },
  });
  const exited = new Promise((done) => child.once('exit', done));
  while (!(await answers(port))) await sleep(10);
  const milliseconds = performance.now() - startedAt;
  await sleep(IDLE_SECONDS * 1000);
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
  child.kill('SIGTERM');
  await exited;
  await database.remove();
  await rm(directory, { recursive: true });
  return { milliseconds, mebibytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}

async function answers(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/.well-known/openid-configuration`).then(
    ({ ok }) => ok,
    () => false,
  );
}
