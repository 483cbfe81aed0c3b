// Client Secrets of confidential applications: issued once, kept as hashes; several may be valid at a time so
// that a company can change them without an outage (sections 1.2 and 5).
import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { clientSecrets } from '../../drizzle/schema.ts';
import type { Database } from '../database.ts';
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

/** SHA-256 of each secret that is valid now. */
export async function clientSecretHashes(db: Database, applicationId: string, now: Date): Promise<string[]> {
  const rows = await db
    .select({ secretHash: clientSecrets.secretHash })
    .from(clientSecrets)
    .where(
      and(
        eq(clientSecrets.applicationId, applicationId),
        or(isNull(clientSecrets.expiresAt), gt(clientSecrets.expiresAt, now)),
      ),
    );
  return rows.map((row) => row.secretHash);
}
