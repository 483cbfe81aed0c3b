// One trip to a social provider as one row (attacks 46 to 48): bound to the provider and to one browser's interaction,
// used by exactly one of any number of returns, forgotten after minutes. An identity that came back and waits for its
// owner to prove an account waits here, too.
import { and, desc, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import { socialTrips } from '../../drizzle/schema.ts';
import { secondsAfter } from '../clock.ts';
import type { Database } from '../database.ts';
import { interactionSeconds, socialTripSeconds } from '../limits.ts';
import { type Keys, randomSecret, seal, sha256, unseal } from '../secrets.ts';

type SealingKeys = Pick<Keys, 'sealing'>;
export type TripPurpose = 'sign_in' | 'link';
/** What the browser brings back in `state`, readable for us only. */
export type TripState = { provider: string; purpose: TripPurpose; uid: string };
export type WaitingIdentity = {
  provider: string;
  subject: string;
  email: string | undefined;
  emailVerified: boolean;
  name: string | undefined;
};

/** `uid`: of the interaction, or the id of the page session that links an identity. */
export async function startTrip(
  db: Database,
  options: TripState & { keys: SealingKeys; now: Date },
): Promise<{ state: string; nonce: string; codeVerifier: string }> {
  const { keys, provider, purpose, uid, now } = options;
  const state = seal(keys, JSON.stringify([provider, purpose, uid]), STATE);
  const stateHash = sha256(state);
  const [nonce, codeVerifier] = [randomSecret(), randomSecret()];
  await db.insert(socialTrips).values({
    stateHash,
    provider,
    purpose,
    boundTo: sha256(uid),
    sealedNonce: seal(keys, nonce, stateHash),
    sealedVerifier: seal(keys, codeVerifier, stateHash),
    createdAt: now,
  });
  return { state, nonce, codeVerifier };
}

/** undefined: nothing that we ever made. */
export function readState(keys: SealingKeys, state: string): TripState | undefined {
  try {
    const [provider, purpose, uid] = JSON.parse(unseal(keys, state, STATE));
    return { provider, purpose, uid };
  } catch {
    return undefined;
  }
}

/** The trip's secrets, for the first return in time from the right provider to the right browser; else undefined. */
export async function endTrip(
  db: Database,
  options: TripState & { keys: SealingKeys; state: string; now: Date },
): Promise<{ state: string; nonce: string; codeVerifier: string } | undefined> {
  const { keys, state, provider, purpose, uid, now } = options;
  const stateHash = sha256(state);
  const [trip] = await db
    .update(socialTrips)
    .set({ usedAt: now })
    .where(
      and(
        eq(socialTrips.stateHash, stateHash),
        eq(socialTrips.provider, provider),
        eq(socialTrips.purpose, purpose),
        eq(socialTrips.boundTo, sha256(uid)),
        isNull(socialTrips.usedAt),
        gt(socialTrips.createdAt, secondsAfter(now, -socialTripSeconds)),
      ),
    )
    .returning();
  if (!trip) return undefined;
  return {
    state,
    nonce: unseal(keys, trip.sealedNonce, stateHash),
    codeVerifier: unseal(keys, trip.sealedVerifier, stateHash),
  };
}

/** Until the person has proven an account in this interaction, the identity belongs to none. */
export async function keepWaiting(db: Database, state: string, identity: WaitingIdentity): Promise<void> {
  const { subject, email = null, emailVerified, name = null } = identity;
  await db
    .update(socialTrips)
    .set({ subject, email, emailVerified, name })
    .where(eq(socialTrips.stateHash, sha256(state)));
}

export async function findWaiting(db: Database, uid: string): Promise<WaitingIdentity | undefined> {
  const [trip] = await db
    .select()
    .from(socialTrips)
    .where(isWaiting(uid))
    .orderBy(desc(socialTrips.createdAt))
    .limit(1);
  if (!trip?.subject) return undefined;
  const { provider, subject, email, emailVerified, name } = trip;
  return {
    provider,
    subject,
    email: email ?? undefined,
    emailVerified: emailVerified === true,
    name: name ?? undefined,
  };
}

/** The address that the person will prove for the identity that waits: only an account of this address gets it. */
export async function waitFor(db: Database, uid: string, email: string): Promise<void> {
  await db.update(socialTrips).set({ email }).where(isWaiting(uid));
}

/** Linked by now, or the person chose another way to sign in. */
export async function stopWaiting(tx: Database, uid: string): Promise<void> {
  await tx
    .update(socialTrips)
    .set({ subject: null, email: null, emailVerified: null, name: null })
    .where(isWaiting(uid));
}

/** For housekeeping. */
export async function deleteStaleTrips(db: Database, now: Date): Promise<void> {
  await db.delete(socialTrips).where(lt(socialTrips.createdAt, secondsAfter(now, -interactionSeconds)));
}

const STATE = 'social state';

function isWaiting(uid: string) {
  return and(
    eq(socialTrips.boundTo, sha256(uid)),
    eq(socialTrips.purpose, 'sign_in'),
    isNotNull(socialTrips.subject),
  );
}
