// Client Secrets of confidential applications: issued once, kept as hashes; several may be valid at a time so
// that a company can change them without an outage.
import { and, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm';
import { applications, clientSecrets } from '../../drizzle/schema/applications.ts';
import { assurances } from '../../drizzle/schema/assurances.ts';
import { type Database, isOneOf } from '../database/connection.ts';
import { newId } from '../id.ts';
import { randomSecret, sha256 } from '../secrets.ts';

/** @returns the secret, for the only time. */
export async function issueClientSecret(
  tx: Database,
  input: { applicationId: string; now: Date },
): Promise<string> {
  const secret = randomSecret();
  await tx.insert(clientSecrets).values({
    id: newId('sec'),
    applicationId: input.applicationId,
    secretHash: sha256(secret),
    hint: secret.slice(-4),
    createdAt: input.now,
  });
  return secret;
}

const { logo: _logo, ...columns } = getTableColumns(applications);
export type ClientApplication = Omit<typeof applications.$inferSelect, 'logo'> & {
  /** SHA-256 of each secret that is valid now. */
  secretHashes: string[];
  /** null: a plain one (assurance.ts). */
  assurance: typeof assurances.$inferSelect | null;
};

/** What the protocol needs to know about applications, in one statement; deleted ones are missing. */
export function clientApplicationsFinder(
  db: Database,
): (clientIds: string[], now: Date) => Promise<ClientApplication[]> {
  const now = sql`${sql.placeholder('now')}::timestamptz`;
  const isValid = or(isNull(clientSecrets.expiresAt), sql`${clientSecrets.expiresAt} > ${now}`);
  const hashes = db
    .select({ secretHash: clientSecrets.secretHash })
    .from(clientSecrets)
    .where(and(eq(clientSecrets.applicationId, applications.id), isValid));
  const query = db
    .select({ ...columns, secretHashes: sql<string[]>`array(${hashes})`, assurance: assurances })
    .from(applications)
    .leftJoin(assurances, eq(assurances.applicationId, applications.id))
    .where(and(isOneOf(applications.clientId, sql.placeholder('clientIds')), isNull(applications.deletedAt)))
    .prepare('client_applications');
  return (clientIds, moment) => query.execute({ clientIds, now: moment.toISOString() });
}
