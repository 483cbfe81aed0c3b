// A URI that a client sent, as a trace may keep it: so that whoever compares it sees the difference, and without
// what may be a secret or somebody's mailbox.

/** Codes and tokens are long; the values that tell two callbacks apart are not. */
const LONGEST_VALUE = 15;

export function sentUri(uri: string): string {
  return uri
    .replace(/\/\/[^/?#]*@/, '//')
    .replace(/=([^&#]*)/g, (kept, value: string) => (isHarmless(value) ? kept : '=...'))
    .replaceAll('@', '...');
}

function isHarmless(value: string): boolean {
  return value.length <= LONGEST_VALUE && !/@|%40/.test(value);
}
