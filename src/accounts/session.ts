// Signed-in browsers (docs/decisions/0701): one row under a hash of the engine's `uid` of the session. Without a living
// row the engine finds neither the session nor what it led to, whatever its own store remembers.

import { and, desc, eq, gt, isNull, type SQL, sql } from 'drizzle-orm';
import { accounts, passkeys, socialIdentities } from '../../drizzle/schema/accounts.ts';
import { proofs, proofUses } from '../../drizzle/schema/proofs.ts';
import { sessions } from '../../drizzle/schema/sessions.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import { type Database, isOneOf, oncePerDatabase, transaction } from '../database/connection.ts';
import { deleteExpired, inTurn, type Round } from '../database/expired-rows.ts';
import { endedSessionKeptSeconds } from '../limits/account.ts';
import { userAgentCharacters } from '../limits/settings.ts';
import { grantSeconds, sessionIdleSeconds } from '../limits/token-lifetimes.ts';
import { sha256 } from '../secrets.ts';
import { openAccount, type Proof, useProof } from './proof.ts';

export type Session = typeof sessions.$inferSelect;

/** What tokens say about the sign-in that a session stands on. */
export type SignInFacts = {
  accountId: string;
  /** Seconds; OpenID Connect Core's `auth_time`. */
  authTime: number;
  amr: string[] | undefined;
  acr: string | undefined;
};

/** Of the OpenID Connect Extended Authentication Profile: a passkey. */
export const PHISHING_RESISTANT = 'phr';
/** A code by mail, a password, or another provider's word. No registry has a name for that. */
export const ONE_FACTOR = 'urn:tollgate:acr:1fa';

/**
 * How somebody proved who they are (RFC 8176): a code by mail, a password, or a passkey (`pop`, possession of a key,
 * which its owner unlocks: two factors, and phishing-resistant). `fed` is not in its registry, but it is what the large
 * providers say when another provider did it.
 */
export function strengthOf(method: Proof['method']): Pick<SignInFacts, 'amr' | 'acr'> {
  if (method === 'passkey') return { amr: ['pop', 'mfa'], acr: PHISHING_RESISTANT };
  if (method === 'password') return { amr: ['pwd'], acr: ONE_FACTOR };
  return { amr: [method === 'provider' ? 'fed' : 'otp'], acr: ONE_FACTOR };
}

export function authTimeOf({ provenAt }: Pick<Proof, 'provenAt'>): number {
  return Math.floor(provenAt.getTime() / 1000);
}

export type NewSession = {
  proofId: string;
  accountId: string;
  browser: string;
  /** The engine's own name of the session. */
  uid: string;
  userAgent: string;
  ipAddress: string;
  clock: Clock;
};

/**
 * Applies a sign-in to the browser that comes back with it: once, to one session, while its proof opens the account.
 * Asking again for the same session finds it as it is. @returns undefined when the sign-in is worth nothing (any more).
 */
export async function beginSession(db: Database, login: NewSession): Promise<SignInFacts | undefined> {
  const uidHash = sha256(login.uid);
  const isApplied = await transaction(db, (tx) => applyLogin(tx, uidHash, login)).catch((error) => {
    if (error instanceof SessionOver) return false;
    throw error;
  });
  return isApplied ? (await sessionsFinder(db)([uidHash])).get(uidHash) : undefined;
}

async function applyLogin(tx: Database, uidHash: string, login: NewSession): Promise<boolean> {
  const { proofId, accountId, browser, clock } = login;
  const now = clock();
  const account = await openAccount(tx, { proofId, clock });
  const [used] = await tx
    .select({ sessionHash: proofUses.sessionHash })
    .from(proofUses)
    .where(and(eq(proofUses.proofId, proofId), eq(proofUses.use, 'sign_in')));
  // The step after the consent page brings the sign-in once more.
  if (used) return used.sessionHash === uidHash;
  const [proof] = await tx
    .select()
    .from(proofs)
    .where(and(eq(proofs.id, proofId), eq(proofs.browserHash, sha256(browser))));
  if (!proof || account?.id !== accountId || !SIGN_IN_PURPOSES.includes(proof.purpose)) return false;
  if (!(await useProof(tx, { proofId, use: 'sign_in', sessionHash: uidHash, now }))) return false;
  const provenAt = (id: SQL) => sql`(select proven_at from ${proofs} where ${proofs.id} = ${id})`;
  const isLater = sql`${provenAt(sql`excluded.proof_id`)} >= ${provenAt(sql`${sessions.proofId}`)}`;
  const begun = await tx
    .insert(sessions)
    .values({
      uidHash,
      accountId,
      generation: account.generation,
      proofId,
      createdAt: now,
      lastSeenAt: now,
      endedAt: null,
      userAgent: login.userAgent.slice(0, userAgentCharacters),
      ipAddress: login.ipAddress,
    })
    .onConflictDoUpdate({
      target: sessions.uidHash,
      set: {
        // Of two sign-ins that the browser picks up in another order than it made them, the later one counts.
        proofId: sql`case when ${isLater} then excluded.proof_id else ${sessions.proofId} end`,
        lastSeenAt: now,
      },
      setWhere: sql`${sessions.endedAt} is null and ${sessions.accountId} = excluded.account_id
        and ${sessions.generation} = excluded.generation`,
    })
    .returning({ uidHash: sessions.uidHash });
  // Undoes the use as well: the proof is good for another session.
  if (begun.length === 0) throw new SessionOver();
  return true;
}

class SessionOver extends Error {}

const SIGN_IN_PURPOSES: Proof['purpose'][] = ['sign_in', 'registration'];

/** Whether this browser made the proof: nobody else's sign-in changes anything in it. */
export async function isProofOfBrowser(db: Database, proofId: string, browser: string): Promise<boolean> {
  const [found] = await db
    .select({ id: proofs.id })
    .from(proofs)
    .where(and(eq(proofs.id, proofId), eq(proofs.browserHash, sha256(browser))));
  return found !== undefined;
}

/** A method counts only while its credential is still the account's. */
const hasCredential = sql<boolean>`case ${proofs.method}
  when 'passkey' then exists (select 1 from ${passkeys} where ${passkeys.id} = ${proofs.passkeyId})
  when 'provider' then exists (select 1 from ${socialIdentities} where ${socialIdentities.provider} = ${proofs.provider}
    and ${socialIdentities.subject} = ${proofs.subject} and ${socialIdentities.accountId} = ${accounts.id})
  when 'password' then ${accounts.passwordHash} is not null
  else true end`;

/** Living sessions by the hash of their uid. Asked for each request of the engine that comes with a session. */
export const sessionsFinder = oncePerDatabase((db) => {
  const query = db
    .select({
      uidHash: sessions.uidHash,
      accountId: sessions.accountId,
      method: proofs.method,
      provenAt: proofs.provenAt,
      hasCredential,
    })
    .from(sessions)
    .innerJoin(accounts, isOfPresentGeneration())
    .innerJoin(proofs, eq(proofs.id, sessions.proofId))
    .where(and(isOneOf(sessions.uidHash, sql.placeholder('hashes')), isNull(sessions.endedAt)))
    .prepare('sessions');
  return async (hashes: string[]): Promise<Map<string, SignInFacts>> => {
    const rows = await query.execute({ hashes });
    return new Map(
      rows.map(({ uidHash, accountId, method, provenAt, ...row }) => {
        const strength = row.hasCredential ? strengthOf(method) : { amr: undefined, acr: undefined };
        return [uidHash, { accountId, authTime: authTimeOf({ provenAt }), ...strength }];
      }),
    );
  };
});

export function isOfPresentGeneration() {
  return and(eq(accounts.id, sessions.accountId), eq(accounts.generation, sessions.generation));
}

/** What it led to is found no more either. @returns whether it lived until now. */
export async function endSession(
  db: Database,
  { uidHash, accountId, now }: { uidHash: string; accountId?: string; now: Date },
): Promise<boolean> {
  const ended = await db
    .update(sessions)
    .set({ endedAt: now })
    .where(
      and(
        eq(sessions.uidHash, uidHash),
        accountId === undefined ? undefined : eq(sessions.accountId, accountId),
        isNull(sessions.endedAt),
      ),
    )
    .returning({ uidHash: sessions.uidHash });
  return ended.length === 1;
}

/** Those whose cookie may still work, last used first. */
export async function listSessions(
  db: Database,
  { accountId, now }: { accountId: string; now: Date },
): Promise<Session[]> {
  const rows = await db
    .select({ session: sessions })
    .from(sessions)
    .innerJoin(accounts, isOfPresentGeneration())
    .where(
      and(
        eq(sessions.accountId, accountId),
        isNull(sessions.endedAt),
        gt(sessions.lastSeenAt, secondsAfter(now, -sessionIdleSeconds)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), desc(sessions.uidHash));
  return rows.map(({ session }) => session);
}

/** For housekeeping: when nothing that the session led to can be alive any more. */
export function deleteStaleSessions(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const unused = secondsAfter(now, -grantSeconds);
  const ended = secondsAfter(now, -endedSessionKeptSeconds);
  return inTurn([
    () => deleteExpired(db, { table: sessions, age: sessions.lastSeenAt, before: unused }, round),
    () => deleteExpired(db, { table: sessions, age: sessions.endedAt, before: ended }, round),
  ]);
}
