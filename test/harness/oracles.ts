// What must hold after every case, whatever was sent (the oracles I1–I10 of the threat list): asked of the
// database and the log of a running service.
import { expect } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { rowsOf } from '../../src/database.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
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
  const report = await verifyLedger(service.db);
  expect(report.checks.filter((check) => check.violations.length > 0)).toEqual([]); // I1, I2, I4
  expect(await registrationsThatAreNotFirst(service)).toEqual([]); // I4
  expect(await eventsWithoutDelivery(service)).toEqual([]); // I5
  expect(await revivedCodes(service)).toEqual([]); // I6
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

/** I10: section 5 of the design, on every HTML answer. */
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

async function registrationsThatAreNotFirst({ db }: TestTollgate) {
  return rowsOf(
    await db.execute(sql`
      select r.id from usage_events r join usage_events s
        on s.application_id = r.application_id and s.sub = r.sub and s.kind = 'sign_in'
      where r.kind = 'registration' and (s.occurred_at, s.id) < (r.occurred_at, r.id)`),
  );
}

async function eventsWithoutDelivery({ db }: TestTollgate) {
  return rowsOf(
    await db.execute(sql`
      select e.id, s.id as subscription from usage_events e
      join applications a on a.id = e.application_id
      join webhook_subscriptions s on s.workspace_id = a.workspace_id and s.status = 'active'
        and s.created_at < e.occurred_at and (s.application_ids is null or a.id = any(s.application_ids))
      left join webhook_deliveries d on d.subscription_id = s.id and d.event_id = e.id
      where d.id is null`),
  );
}

/** A consumed code that was charged must still be consumed, or gone. */
async function revivedCodes({ db }: TestTollgate) {
  return rowsOf(
    await db.execute(sql`
      select r.id_hash from engine_records r join usage_events e on e.code_hash = r.id_hash
      where r.model = 'AuthorizationCode' and r.consumed_at is null`),
  );
}

function serverErrors(logLines: string[]): string[] {
  return logLines.filter((line) => {
    const { status } = JSON.parse(line) as { status?: number };
    return status !== undefined && status >= 500;
  });
}
