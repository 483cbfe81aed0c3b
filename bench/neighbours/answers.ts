// What the bad company's driver is asked to send, and what it says about the answers.
import type { Application, Person, Target } from '../sign-in.ts';

/** How often each answer came: a status, or a word for what went wrong. */
export type Answers = Record<string, number>;

export type Strangers = { port: number; applications: Application[]; rate: number; ipAddresses: number };
export type Regulars = { target: Target; newcomers: Person[]; rate: number; newcomersPerRegular: number };
export type Pages = {
  origin: string;
  lanes: { cookie: string; path: string; form?: Record<string, string>; instead?: string }[];
};

export function addUp(total: Answers, more: Answers): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count;
}
