// What must hold after every case, whatever was sent (the oracles I1 to I10 of docs/threats.md): asked of the
// database and the log of a running service.
import { expect } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database/connection.ts';
import { findViolations } from './invariants.ts';
import type { TestTollgate } from './tollgate.ts';

export type Expectations = {
  /** I3: authorization codes that were exchanged for tokens, by the test's own count. */
  exchanges?: number;
  /** I7: values that must not appear in any log line. */
  canaries?: string[];
  /** I8: 5xx answers that the case provokes on purpose (a database that is taken away). */
  allowServerErrors?: boolean;
};

export async function expectOracles(service: TestTollgate, expected: Expectations = {}): Promise<void> {
  expect(await findViolations(service.db)).toEqual([]); // I1, I2, I4, I5, I6
  if (expected.exchanges !== undefined) expect(await countCharges(service)).toBe(expected.exchanges); // I3
  expectNoCanary(service.logLines, expected.canaries ?? []); // I7
  if (!expected.allowServerErrors) expect(serverErrors(service.logLines)).toEqual([]); // I8
}

/** I7, also for pages, webhooks and other companies' answers. */
export function expectNoCanary(texts: string[], canaries: string[]): void {
  for (const canary of canaries) {
    expect(canary.length).toBeGreaterThan(5);
    expect(texts.filter((text) => text.includes(canary))).toEqual([]);
  }
}

/** I10, on every HTML answer. */
export function expectPageHeaders(headers: Headers): void {
  expect(headers.get('content-type')).toMatch(/^text\/html/);
  const policy = headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).not.toContain('unsafe-inline');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toContain('no-store');
}

export async function countCharges({ db }: TestTollgate): Promise<number> {
  const [row] = rowsOf(
    await db.execute(sql`select count(*)::int as charges from transfers where code = 'charge'`),
  );
  return Number(row?.charges);
}

function serverErrors(logLines: string[]): string[] {
  return logLines.filter((line) => {
    const { status } = JSON.parse(line) as { status?: number };
    return status !== undefined && status >= 500;
  });
}
