// How answers and failures look on a terminal: JSON for scripts on request, otherwise short lines for people.
import { ConfigError } from '../config/config.ts';
import { TollgateError } from '../errors.ts';
import type { Answer, Json } from '../operator/operation.ts';

/** Fields that are in an answer once in their life. */
const secrets = ['clientSecret', 'secret', 'key'];

export function showAnswer(answer: Answer, { json }: { json?: true }): void {
  if (json) {
    console.log(JSON.stringify(answer, null, 2));
    return;
  }
  if (Array.isArray(answer.data)) {
    console.log(answer.data.length === 0 ? 'None yet.' : table(answer.data.map(row)));
    return;
  }
  console.log(pairs(Object.entries(answer)));
  if (secrets.some((name) => name in answer)) console.log('\nStore the secret now. It won’t be shown again.');
}

/** @param broken what to say when a rule does not hold. */
export function showReport(broken: string, answer: Answer): void {
  const checks = Array.isArray(answer.checks) ? answer.checks.map(row) : [];
  for (const { rule, violations } of checks) {
    const found = Array.isArray(violations) ? violations : [];
    console.log(`${found.length === 0 ? 'holds ' : 'BROKEN'}  ${cell(rule)}`);
    for (const violation of found.slice(0, 10)) console.log(`        ${cell(violation)}`);
  }
  if (answer.ok !== true) console.error(`tollgate: ${broken}`);
}

/** One sentence; the stack only for those who asked for it with LOG_LEVEL=debug. */
export function showError(error: unknown): void {
  console.error(`tollgate: ${sentence(error)}`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
}

function sentence(error: unknown): string {
  if (error instanceof TollgateError) return error.description;
  if (error instanceof ConfigError) return error.message;
  if (!(error instanceof Error)) return 'the command failed.';
  // A driver's message quotes the statement; what went wrong is in its cause.
  const cause = error.cause instanceof Error ? error.cause : error;
  return `the command failed: ${cause.message || ('code' in cause ? String(cause.code) : cause.name)}`;
}

function row(value: Json): { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value };
}

function table(rows: { [name: string]: Json }[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((line) => columns.map((column) => cell(line[column] ?? null)))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pairs(entries: [string, Json][]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

function cell(value: Json | undefined): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(' ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
