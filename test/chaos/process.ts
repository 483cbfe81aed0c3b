// One process of the service, the compiled command, which dies without warning and comes back.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const cli = resolve(import.meta.dirname, '../../dist/src/cli.js');

export type ServiceProcess = {
  readonly isReady: boolean;
  readonly starts: number;
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
  let starts = 0;

  async function start(): Promise<void> {
    starts += 1;
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
        isReady = true;
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
    get starts() {
      return starts;
    },
    start,
    async killAndRestart() {
      await kill();
      void start();
    },
    stop: kill,
  };
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
