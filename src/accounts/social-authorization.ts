// One authorization request to a social provider, as one row (threats 46 to 48): bound to the provider and to one
// browser's interaction, used by exactly one of any number of returns, forgotten after minutes. What the provider says is a proof (proof.ts).

import { and, eq, getTableColumns, gt, isNull } from 'drizzle-orm';
import { socialTrips } from '../../drizzle/schema/sign-ins.ts';
import { type Clock, secondsAfter } from '../clock.ts';
import type { Bitten } from '../database/bites.ts';
import { databaseTime } from '../database/clock.ts';
import type { Database } from '../database/connection.ts';
import { deleteExpired, type Round } from '../database/expired-rows.ts';
import { socialAuthorizationSeconds } from '../limits/social.ts';
import { interactionSeconds } from '../limits/token-lifetimes.ts';
import { type Keys, randomSecret, seal, sha256, unseal } from '../secrets.ts';

type SealingKeys = Pick<Keys, 'sealing'>;
export type SocialPurpose = 'sign_in' | 'link';
/** What the browser brings back in `state`, readable for us only. */
export type SocialState = { provider: string; purpose: SocialPurpose; uid: string };
/** `uid`: of the interaction, or the id of the page session that links an identity. */
export async function beginSocialAuthorization(
  db: Database,
  options: SocialState & { keys: SealingKeys; now: Date },
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
export function readState(keys: SealingKeys, state: string): SocialState | undefined {
  try {
    const [provider, purpose, uid] = JSON.parse(unseal(keys, state, STATE));
    return { provider, purpose, uid };
  } catch {
    return undefined;
  }
}

export type FinishedSocialAuthorization = {
  state: string;
  nonce: string;
  codeVerifier: string;
  /** By the database's time, before the provider is asked. */
  returnedAt: Date;
};

/** The request's secrets, for the first return in time from the right provider to the right browser; else undefined. */
export async function finishSocialAuthorization(
  db: Database,
  options: SocialState & { keys: SealingKeys; state: string; clock: Clock },
): Promise<FinishedSocialAuthorization | undefined> {
  const { keys, state, provider, purpose, uid, clock } = options;
  const now = clock();
  const stateHash = sha256(state);
  const [authorization] = await db
    .update(socialTrips)
    .set({ usedAt: now })
    .where(
      and(
        eq(socialTrips.stateHash, stateHash),
        eq(socialTrips.provider, provider),
        eq(socialTrips.purpose, purpose),
        eq(socialTrips.boundTo, sha256(uid)),
        isNull(socialTrips.usedAt),
        gt(socialTrips.createdAt, secondsAfter(now, -socialAuthorizationSeconds)),
      ),
    )
    .returning({ ...getTableColumns(socialTrips), returnedAt: databaseTime(clock) });
  if (!authorization) return undefined;
  return {
    state,
    nonce: unseal(keys, authorization.sealedNonce, stateHash),
    codeVerifier: unseal(keys, authorization.sealedVerifier, stateHash),
    returnedAt: authorization.returnedAt,
  };
}

/** For housekeeping. */
export function deleteStaleSocialAuthorizations(db: Database, now: Date, round?: Round): Promise<Bitten> {
  const before = secondsAfter(now, -interactionSeconds);
  return deleteExpired(db, { table: socialTrips, age: socialTrips.createdAt, before }, round);
}

const STATE = 'social state';
