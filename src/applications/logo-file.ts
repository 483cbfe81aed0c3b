// Reading an application's logo for the pages that show it.
import { and, eq, isNull } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import type { Database } from '../database/connection.ts';

/** The PNG as logo.ts encoded it; undefined when there is none, or no such application. */
export async function readLogo(db: Database, applicationId: string): Promise<Uint8Array | undefined> {
  const [row] = await db
    .select({ logo: applications.logo })
    .from(applications)
    .where(and(eq(applications.id, applicationId), isNull(applications.deletedAt)));
  return row?.logo ?? undefined;
}
