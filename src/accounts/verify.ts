// Proof that identity is right (`tollgate accounts verify`): the rules of docs/identity-invariants.md, in the order of
// their numbers, each of which asks, bite by bite, for the rows that break it.

import { accountVerifications } from '../../drizzle/schema/operations.ts';
import { advisoryLocks } from '../database/advisory-locks.ts';
import type { Database } from '../database/connection.ts';
import { checkRules, type Provable, type Report, type VerifyOptions } from '../database/verification.ts';
import { rulesOfAccounts, rulesOfBelongings } from './rules-of-accounts.ts';
import { rulesOfProofs, rulesOfWaysIn } from './rules-of-proofs.ts';
import { rulesOfConsequences, rulesOfSessions } from './rules-of-sessions.ts';

const rules = [
  ...rulesOfAccounts,
  ...rulesOfProofs,
  ...rulesOfSessions,
  ...rulesOfWaysIn,
  ...rulesOfConsequences,
  ...rulesOfBelongings,
];

/** Reads everything once, a bite at a time. Rows name ids, never addresses. */
export function verifyAccounts(db: Database, options: VerifyOptions = {}): Promise<Report> {
  return checkRules(db, rules, options);
}

export const accountsProof: Provable = {
  name: 'identity',
  says: { holds: 'is proven', broken: 'breaks its rules' },
  table: accountVerifications,
  lock: advisoryLocks.proofOfAccounts,
  verify: verifyAccounts,
};
