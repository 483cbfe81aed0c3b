// What the bench prints: the machine and versions that its figures belong to, and the figures.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { cpus, loadavg, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { median } from './load.ts';

const run = promisify(execFile);

export function say(line = ''): void {
  process.stdout.write(`${line}\n`);
}

export async function sayMachine(command = 'npm run bench'): Promise<void> {
  const processors = cpus();
  const engine = JSON.parse(await readFile('node_modules/oidc-provider/package.json', 'utf8'));
  say(
    `command     ${command}${process.argv
      .slice(2)
      .map((word) => ` ${word}`)
      .join('')}`,
  );
  say(`time        ${new Date().toISOString()}`);
  say(`machine     ${processors.length} × ${processors[0]?.model ?? '?'}, ${gibibytes(totalmem())} GiB`);
  say(
    `load before ${loadavg()
      .map((load) => load.toFixed(1))
      .join(' ')}`,
  );
  say(
    `versions    Node ${process.versions.node}, oidc-provider ${engine.version}, ${await output('postgres')}, ${await output('redis-server')}`,
  );
}

async function output(program: string): Promise<string> {
  const places = [program, `/usr/lib/postgresql/15/bin/${program}`];
  for (const place of places) {
    const answer = await run(place, ['--version']).catch(() => undefined);
    if (answer) return answer.stdout.trim().slice(0, 40);
  }
  return `${program} ?`;
}

function gibibytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}

/** Median of the rounds, and their range: what a loaded machine does to a figure shows in the latter. */
export function spread(values: number[], digits = 0): string {
  const sorted = values.toSorted((a, b) => a - b);
  const text = (value: number | undefined) => (value ?? Number.NaN).toFixed(digits);
  return `${text(median(values))} (${text(sorted[0])}–${text(sorted.at(-1))})`;
}

export function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(0);
}
