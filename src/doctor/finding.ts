// What the doctor says about one thing: how it is, and what to change when it is not as it should be.

export type Finding = {
  /** What was looked at, in one or two words. */
  about: string;
  state: 'ok' | 'warning' | 'problem';
  /** What was seen. */
  says: string;
  /** What to change, for everything that is not ok. */
  change?: string;
};

export function ok(about: string, says: string): Finding {
  return { about, state: 'ok', says };
}

export function warning(about: string, says: string, change: string): Finding {
  return { about, state: 'warning', says, change };
}

export function problem(about: string, says: string, change: string): Finding {
  return { about, state: 'problem', says, change };
}
