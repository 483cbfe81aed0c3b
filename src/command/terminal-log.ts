// The log on a terminal: the same lines, written for the person who looks on instead of for a program that collects them.
import { z } from 'zod';

const lineSchema = z.looseObject({ level: z.number(), time: z.string(), msg: z.string().optional() });
const levels: Record<number, string> = { 20: 'debug', 30: 'info ', 40: 'warn ', 50: 'ERROR' };

/** For pino, which writes one JSON object a line. */
export function terminalLog(terminal: { write(text: string): unknown }) {
  return {
    write(line: string): void {
      terminal.write(readable(line));
    },
  };
}

function readable(line: string): string {
  const parsed = lineSchema.safeParse(JSON.parse(line));
  if (!parsed.success) return line;
  const { level, time, msg = '', err, ...fields } = parsed.data;
  const known = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  const words = [time.slice(11, 19), levels[level] ?? String(level), msg, ...known];
  return `${words.join(' ')}${err === undefined ? '' : `: ${reasonOf(err)}`}\n`;
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const errorSchema = z.object({ message: z.string(), cause: z.unknown().optional() });

/** Stacks are for collected logs; the last cause is what a person can do something about. */
function reasonOf(error: unknown): string {
  const parsed = errorSchema.safeParse(error);
  if (!parsed.success) return 'unknown';
  return parsed.data.cause === undefined ? parsed.data.message : reasonOf(parsed.data.cause);
}
