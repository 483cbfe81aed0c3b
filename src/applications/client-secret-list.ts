// The Client Secrets of an application as its company sees them: made, listed, expired and
// marked as used. A second one works beside the first, so that a backend can be moved from one to the other without
// a failed sign-in in between.
import { and, asc, eq, isNull, lt, or } from 'drizzle-orm';
import { applications, clientSecrets } from '../../drizzle/schema/applications.ts';
import type { Database } from '../database/connection.ts';
import { TollgateError } from '../errors.ts';
import { clientSecretUseSeconds, liveClientSecretsPerApplication } from '../limits/applications.ts';
import type { OwnApplication } from './application-change.ts';
import { issueClientSecret } from './client-secret.ts';

export type ClientSecretRow = Pick<
  typeof clientSecrets.$inferSelect,
  'id' | 'hint' | 'createdAt' | 'expiresAt' | 'lastUsedAt'
>;

/** Oldest first, expired ones included; never the secret or its hash. */
export async function listClientSecrets(db: Database, applicationId: string): Promise<ClientSecretRow[]> {
  return db
    .select({
      id: clientSecrets.id,
      hint: clientSecrets.hint,
      createdAt: clientSecrets.createdAt,
      expiresAt: clientSecrets.expiresAt,
      lastUsedAt: clientSecrets.lastUsedAt,
    })
    .from(clientSecrets)
    .where(eq(clientSecrets.applicationId, applicationId))
    .orderBy(asc(clientSecrets.createdAt), asc(clientSecrets.id));
}

export function isLiveSecret({ expiresAt }: Pick<ClientSecretRow, 'expiresAt'>, now: Date): boolean {
  return expiresAt === null || expiresAt > now;
}

/** @returns the secret, for the only time. @throws TollgateError invalid_request, not_found */
export async function addClientSecret(tx: Database, key: OwnApplication, now: Date): Promise<string> {
  const { clientType } = await lockApplication(tx, key);
  if (clientType === 'public')
    throw new TollgateError('invalid_request', 'A public application has no Client Secret.');
  const live = (await listClientSecrets(tx, key.id)).filter((secret) => isLiveSecret(secret, now));
  if (live.length >= liveClientSecretsPerApplication) {
    throw new TollgateError(
      'invalid_request',
      `An application can have at most ${liveClientSecretsPerApplication} valid Client Secrets. Expire one first.`,
    );
  }
  return issueClientSecret(tx, { applicationId: key.id, now });
}

export type Expiry = {
  secretId: string;
  /** Now or later. */
  at: Date;
  /** After it no secret would be left: that it ends every sign-in was understood. */
  lastOneToo?: 'confirmed' | undefined;
  now: Date;
};

/** @throws TollgateError conflict when it is the last one that stays and this was not confirmed. */
export async function expireClientSecret(
  tx: Database,
  key: OwnApplication,
  expiry: Expiry,
): Promise<ClientSecretRow> {
  const { secretId, at, now } = expiry;
  await lockApplication(tx, key);
  const live = (await listClientSecrets(tx, key.id)).filter((secret) => isLiveSecret(secret, now));
  const secret = live.find(({ id }) => id === secretId);
  if (!secret) throw new TollgateError('not_found', 'That Client Secret does not exist or no longer works.');
  if (at < now) throw new TollgateError('invalid_request', 'The time must be in the future.');
  const staysLonger = live.some(
    ({ id, expiresAt }) => id !== secretId && (expiresAt === null || expiresAt > at),
  );
  if (!staysLonger && expiry.lastOneToo !== 'confirmed') {
    throw new TollgateError(
      'conflict',
      'No other Client Secret works after that time, so sign-ins would fail. Create a second one first, or confirm that you want this.',
    );
  }
  await tx.update(clientSecrets).set({ expiresAt: at }).where(eq(clientSecrets.id, secretId));
  return { ...secret, expiresAt: at };
}

/** Written at most once a minute and secret, however many processes notice its use. */
export async function recordClientSecretUse(
  db: Database,
  used: { applicationId: string; secretHash: string; now: Date },
): Promise<void> {
  const { applicationId, secretHash, now } = used;
  const stale = new Date(now.getTime() - clientSecretUseSeconds * 1000);
  await db
    .update(clientSecrets)
    .set({ lastUsedAt: now })
    .where(
      and(
        eq(clientSecrets.applicationId, applicationId),
        eq(clientSecrets.secretHash, secretHash),
        or(isNull(clientSecrets.lastUsedAt), lt(clientSecrets.lastUsedAt, stale)),
      ),
    );
}

/**
 * Two changes to one application's secrets take turns: neither counts what the other is about to change. Charges,
 * which only refer to the row, go on.
 */
async function lockApplication(tx: Database, { id, workspaceId }: OwnApplication) {
  const [application] = await tx
    .select({ clientType: applications.clientType })
    .from(applications)
    .where(
      and(eq(applications.id, id), eq(applications.workspaceId, workspaceId), isNull(applications.deletedAt)),
    )
    .for('no key update');
  if (!application) throw new TollgateError('not_found', 'There is no such application.');
  return application;
}
