// What one customer holds of one application: a grant for each browser that signed in, with the refresh token that may
// hang on it. For the company that looks after its customers; what they hold of other applications is untouched.
import { and, eq, gt, inArray, isNull, not, or } from 'drizzle-orm';
import { engineRecords } from '../drizzle/schema/engine.ts';
import type { CustomerKey, CustomerSession, CustomerSessions } from '../src/applications/customer-session.ts';
import type { Clock } from '../src/clock.ts';
import type { Database } from '../src/database/connection.ts';
import { noteLogouts } from '../src/webhooks/logout-notice.ts';
import { isOfLivingSession, isOfRevokedClient } from './revoke.ts';
import type { Revocation } from './stores.ts';

export function createCustomerSessions(options: {
  revokeGrants: Revocation['revokeGrants'];
  clock: Clock;
}): CustomerSessions {
  const { revokeGrants, clock } = options;
  return {
    async list(db, customer) {
      const records = await findRecords(db, customer, clock());
      const tokens = records.filter(({ model, consumedAt }) => model === 'RefreshToken' && !consumedAt);
      return records
        .filter(({ model }) => model === 'Grant')
        .map((grant) =>
          sessionOf(
            grant,
            tokens.filter(({ grantId }) => grantId === grant.grantId),
          ),
        )
        .sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
    },
    async end(tx, customer) {
      const { accountId, clientId } = customer;
      const now = clock();
      const records = await findRecords(tx, customer, now);
      const grants = records.flatMap(({ model, grantId }) =>
        model === 'Grant' && grantId ? [{ clientId, grantId }] : [],
      );
      await noteLogouts(tx, { accountId, grants, now });
      const grantIds = [...new Set(records.flatMap(({ grantId }) => grantId ?? []))];
      await revokeGrants(tx, grantIds);
      return grantIds.length;
    },
  };
}

/** Grants and refresh tokens are in SQL in any case (stores.ts). */
async function findRecords(db: Database, { accountId, clientId }: CustomerKey, now: Date) {
  const records = await db
    .select({
      model: engineRecords.model,
      grantId: engineRecords.grantId,
      payload: engineRecords.payload,
      expiresAt: engineRecords.expiresAt,
      consumedAt: engineRecords.consumedAt,
    })
    .from(engineRecords)
    .where(
      and(
        eq(engineRecords.accountId, accountId),
        inArray(engineRecords.model, ['Grant', 'RefreshToken']),
        or(isNull(engineRecords.expiresAt), gt(engineRecords.expiresAt, now)),
        or(eq(engineRecords.model, 'RefreshToken'), isOfLivingSession()),
        not(isOfRevokedClient()),
      ),
    );
  return records.filter(({ payload }) => payload.clientId === clientId);
}

type EngineRecord = Awaited<ReturnType<typeof findRecords>>[number];

function sessionOf(grant: EngineRecord, tokens: EngineRecord[]): CustomerSession {
  const [newest] = tokens.toSorted((a, b) => issuedAt(b).getTime() - issuedAt(a).getTime());
  return {
    startedAt: issuedAt(grant),
    scopes: scopesOf(grant.payload.openid),
    refreshToken: newest && { issuedAt: issuedAt(newest), endsAt: newest.expiresAt ?? undefined },
  };
}

function issuedAt({ payload }: EngineRecord): Date {
  return new Date(typeof payload.iat === 'number' ? payload.iat * 1000 : 0);
}

function scopesOf(openid: unknown): string[] {
  if (typeof openid !== 'object' || openid === null || !('scope' in openid)) return [];
  return typeof openid.scope === 'string' ? openid.scope.split(' ') : [];
}
