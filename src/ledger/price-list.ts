// What a workspace pays for each kind of session.
import { eq } from 'drizzle-orm';
import { prices } from '../../drizzle/schema/balances.ts';
import type { Database } from '../database/connection.ts';
import type { UsageKind } from './price-and-balance.ts';

/** Micro-units. */
export async function listPrices(db: Database, workspaceId: string): Promise<Map<UsageKind, bigint>> {
  const rows = await db.select().from(prices).where(eq(prices.workspaceId, workspaceId));
  return new Map(rows.map(({ kind, amount }) => [kind, amount]));
}
