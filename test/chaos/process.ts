// One process of the service, the compiled command, which dies without warning and comes back.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const cli = resolve(import.meta.dirname, '../../dist/src/cli.js');

export type ServiceProcess = {
  readonly isReady: boolean;
  /** Of each start that got as far as answering: how long it took, and how much of a core. */
  readonly starts: { seconds: number; cpuSeconds: number }[];
  start(): Promise<void>;
  /** kill -9, and a new start in the background. */
  killAndRestart(): Promise<void>;
  stop(): Promise<void>;
};

export function createProcess(options: {
  port: number;
  directory: string;
  baseUrl: string;
  environment: Record<string, string>;
  print: (line: string) => void;
}): ServiceProcess {
  const { port, directory, baseUrl, environment, print } = options;
  let child: ChildProcess | undefined;
  let isReady = false;
  const starts: { seconds: number; cpuSeconds: number }[] = [];

  async function start(): Promise<void> {
    const startedAt = performance.now();
    const started = spawn(process.execPath, [cli, 'start'], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', BASE_URL: baseUrl, PORT: String(port), ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child = started;
    started.stderr?.setEncoding('utf8').on('data', (text: string) => {
      for (const line of text.split('\n'))
        if (/"level":[56]0/.test(line)) print(`process ${port}: ${line.slice(0, 400)}`);
    });
    while (child === started && started.exitCode === null && started.signalCode === null) {
      if (await answers(port, new URL(baseUrl).host)) {
        isReady = child === started;
        const seconds = (performance.now() - startedAt) / 1000;
        starts.push({ seconds, cpuSeconds: await cpuSecondsOf(started.pid) });
        return;
      }
      await sleep(50);
    }
  }

  async function kill(): Promise<void> {
    isReady = false;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  return {
    get isReady() {
      return isReady;
    },
    starts,
    start,
    async killAndRestart() {
      await kill();
      void start();
    },
    stop: kill,
  };
}

/** Of all its threads so far (proc(5): fields 14 and 15, in hundredths of a second). 0 where there is no /proc. */
async function cpuSecondsOf(pid: number | undefined): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

function answers(port: number, host: string): Promise<boolean> {
  return new Promise((done) => {
    const probe = request(
      {
        host: '127.0.0.1',
        port,
        path: '/.well-known/openid-configuration',
        headers: { host },
        agent: false,
        timeout: 1_000,
      },
      (response) => {
        response.resume();
        done(response.statusCode === 200);
      },
    );
    probe.on('error', () => done(false)).on('timeout', () => probe.destroy());
    probe.end();
  });
}
