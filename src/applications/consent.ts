// What a person agreed to show an application. It outlives browser sessions, so that consent is asked once and
// again only when the application asks for more.
import { and, eq, sql } from 'drizzle-orm';
import { applications } from '../../drizzle/schema/applications.ts';
import { consents } from '../../drizzle/schema/customers.ts';
import type { Database } from '../database/connection.ts';

/** @returns the agreed scopes; undefined when the person never agreed to anything there. */
export async function findConsent(
  db: Database,
  applicationId: string,
  accountId: string,
): Promise<string[] | undefined> {
  const [consent] = await db
    .select({ scopes: consents.scopes })
    .from(consents)
    .where(and(eq(consents.applicationId, applicationId), eq(consents.accountId, accountId)));
  return consent?.scopes;
}

export type ConsentKey = { clientId: string; accountId: string };

/** Many at once, found again by `consentKey`. */
export function consentsFinder(db: Database): (keys: ConsentKey[]) => Promise<Map<string, string[]>> {
  const query = db
    .select({
      clientId: applications.clientId,
      accountId: consents.accountId,
      scopes: consents.scopes,
    })
    .from(consents)
    .innerJoin(applications, eq(applications.id, consents.applicationId))
    .where(
      sql`(${applications.clientId}, ${consents.accountId}) in (
        select * from unnest(
          ${sql.placeholder('clientIds')}::text[],
          ${sql.placeholder('accountIds')}::text[]
        ))`,
    )
    .prepare('consents');
  return async (keys) => {
    const found = await query.execute({
      clientIds: keys.map(({ clientId }) => clientId),
      accountIds: keys.map(({ accountId }) => accountId),
    });
    return new Map(found.map((consent) => [consentKey(consent), consent.scopes]));
  };
}

export function consentKey({ clientId, accountId }: ConsentKey): string {
  return `${clientId} ${accountId}`;
}

export type Consent = { applicationId: string; accountId: string; scopes: string[]; now: Date };

/** Adds to what was agreed before: an application that asks for less today has lost nothing. */
export async function recordConsent(tx: Database, consent: Consent): Promise<void> {
  const earlier = await findConsent(tx, consent.applicationId, consent.accountId);
  const scopes = [...new Set([...(earlier ?? []), ...consent.scopes])].sort();
  await tx
    .insert(consents)
    .values({
      applicationId: consent.applicationId,
      accountId: consent.accountId,
      scopes,
      grantedAt: consent.now,
    })
    .onConflictDoUpdate({
      target: [consents.applicationId, consents.accountId],
      set: { scopes, grantedAt: consent.now },
    });
}
