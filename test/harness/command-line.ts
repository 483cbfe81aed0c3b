// The real `tollgate` command in a directory of its own: the compiled one (npm test builds first), as a process,
// with an environment that holds nothing of the developer's.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from './free-port.ts';

const cli = resolve(import.meta.dirname, '../../dist/src/cli.js');
/** Far above the 5 seconds of a free machine: the tests share theirs. */
const READY_MILLISECONDS = 120_000;

export type Result = { code: number; stdout: string; stderr: string };
export type Service = {
  url: string;
  /** Milliseconds from the start of the process to the welcome. */
  readyAfter: number;
  pid: number;
  stdout(): string;
  stderr(): string;
  /** Resolves with the exit code once the process is gone; null when a signal ended it. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
};
export type CommandLine = {
  directory: string;
  port: number;
  /** The words as one would type them, separated by spaces. */
  run(line: string, environment?: Record<string, string>): Promise<Result>;
  /** The answer of a command with --json. @throws when it fails. */
  json(line: string): Promise<Record<string, unknown>>;
  /** Resolves when the welcome is complete. */
  start(environment?: Record<string, string>): Promise<Service>;
  /** Resolves when it listens and says that it waits for a store. */
  startWaiting(environment?: Record<string, string>): Promise<Service>;
  /** Ends what still runs and removes the directory. */
  remove(): Promise<void>;
};

export async function createCommandLine(environment: Record<string, string> = {}): Promise<CommandLine> {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-test-'));
  const port = await freePort();
  const env = { PATH: process.env.PATH ?? '', HOME: directory, PORT: String(port), ...environment };
  const services = new Set<Service>();

  async function run(line: string, more: Record<string, string> = {}): Promise<Result> {
    return new Promise((done) => {
      execFile(
        process.execPath,
        [cli, ...line.split(' ')],
        { cwd: directory, env: { ...env, ...more } },
        (error, stdout, stderr) => {
          done({
            code: typeof error?.code === 'number' ? error.code : Number(error !== null),
            stdout,
            stderr,
          });
        },
      );
    });
  }

  async function begin(more: Record<string, string>, isThere: Begun): Promise<Service> {
    const service = await startService({ directory, port, env: { ...env, ...more }, isThere });
    services.add(service);
    return service;
  }

  return {
    directory,
    port,
    run,
    async json(line) {
      const { code, stdout, stderr } = await run(`${line} --json`);
      if (code !== 0) throw new Error(stderr);
      return JSON.parse(stdout);
    },
    start: (more = {}) => begin(more, ({ stdout }) => stdout.includes(LAST_WORDS)),
    startWaiting: (more = {}) => begin(more, ({ stderr }) => stderr.includes('Not ready: waiting for')),
    async remove() {
      for (const service of services) await service.stop('SIGKILL');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

type Begun = (output: { stdout: string; stderr: string }) => boolean;

/** Of every welcome. */
const LAST_WORDS = '--help';

async function startService(options: {
  directory: string;
  port: number;
  env: Record<string, string>;
  isThere: Begun;
}): Promise<Service> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, 'start'], { cwd: options.directory, env: options.env });
  const output = collect(child);
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  await new Promise<void>((ready, failed) => {
    const timer = setTimeout(
      () => failed(new Error(`not ready in time: ${output.stderr}`)),
      READY_MILLISECONDS,
    );
    const settle = (action: () => void) => {
      clearTimeout(timer);
      action();
    };
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', () => options.isThere(output) && settle(ready));
    child.once('exit', () => settle(() => failed(new Error(output.stderr))));
  }).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw error;
  });
  return {
    url: `http://localhost:${options.port}`,
    readyAfter: performance.now() - startedAt,
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    async stop(signal) {
      child.kill(signal);
      return exited;
    },
  };
}

function collect(child: ChildProcess): { stdout: string; stderr: string } {
  const output = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text;
  });
  return output;
}
