// The rules of docs/identity-invariants.md about proofs and what they were used for (A7 to A13), and about the ways in that
// stand on them (A18 to A20).
import { sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { proofKeptSeconds } from '../limits/account.ts';
import { clockSkewRefusedSeconds } from '../limits/operations.ts';
import { freshSignInSeconds } from '../limits/settings.ts';
import { socialAuthorizationSeconds } from '../limits/social.ts';
import { interactionSeconds } from '../limits/token-lifetimes.ts';
import { passkeys, proofs, proofUses, socialIdentities } from './walked-tables.ts';

const seconds = (count: number) => sql`make_interval(secs => ${count}::int)`;
const skew = seconds(clockSkewRefusedSeconds);

export const rulesOfProofs: Rule[] = [
  {
    rule: 'A7: an account that a proof may make was made by it',
    walks: [
      {
        ...proofs,
        read: (bite) => sql`
          select p.id as proof_id, p.account_id from ${bite} p join accounts a on a.id = p.account_id
          where p.is_new_account and not exists (
            select 1 from proof_uses u where u.proof_id = p.id and u.use = 'create_account')`,
      },
    ],
  },
  {
    rule: 'A8: no other proof is older than the account that it opens',
    walks: [
      {
        ...proofs,
        read: (bite) => sql`
          select p.id as proof_id, p.account_id, p.proven_at, a.created_at
          from ${bite} p join accounts a on a.id = p.account_id
          where not p.is_new_account and p.method <> 'import' and p.proven_at < a.created_at - ${skew}`,
      },
    ],
  },
  {
    // What is recorded while the account is deleted goes within a day, and was never used.
    rule: 'A9: no proof that counted is left of an account that is gone',
    walks: [
      {
        ...proofs,
        read: (bite) => sql`
          select p.id as proof_id, p.account_id from ${bite} p
          where p.account_id is not null and not p.is_new_account
            and not exists (select 1 from accounts a where a.id = p.account_id)
            and (p.proven_at < clock_timestamp() - ${seconds(2 * proofKeptSeconds)}
              or exists (select 1 from proof_uses u where u.proof_id = p.id))`,
      },
    ],
  },
  {
    rule: 'A10: every use fits what was proven, and what for',
    walks: [
      {
        ...proofUses,
        read: (bite) => sql`
          select u.proof_id, u.use, p.purpose, p.method from ${bite} u join proofs p on p.id = u.proof_id
          where not case u.use
            when 'create_account' then p.is_new_account
            when 'sign_in' then p.account_id is not null and p.purpose in ('sign_in', 'registration')
              and p.method not in ('import', 'mail_link')
            when 'recover' then p.purpose = 'recovery' and p.method = 'code' and not p.is_new_account
            else false end`,
      },
    ],
  },
  {
    rule: 'A11: a proof is used while its interaction lasts',
    walks: [
      {
        ...proofUses,
        read: (bite) => sql`
          select u.proof_id, u.use, u.used_at, p.proven_at from ${bite} u join proofs p on p.id = u.proof_id
          where u.used_at < p.proven_at - ${skew} or u.used_at > p.proven_at + ${seconds(interactionSeconds)} + ${skew}`,
      },
    ],
  },
  {
    rule: 'A12: a sign-in counts in a session of the account that it opens',
    walks: [
      {
        ...proofUses,
        read: (bite) => sql`
          select u.proof_id, p.account_id, s.uid_hash, s.account_id as session_account_id
          from ${bite} u join proofs p on p.id = u.proof_id join sessions s on s.uid_hash = u.session_hash
          where p.account_id is distinct from s.account_id`,
      },
    ],
  },
  {
    rule: 'A13: a passkey proves its own account only',
    walks: [
      {
        ...proofs,
        read: (bite) => sql`
          select p.id as proof_id, p.account_id, k.id as passkey_id
          from ${bite} p join passkeys k on k.id = p.passkey_id where p.account_id <> k.account_id`,
      },
    ],
  },
];

/** Of the owner: a sign-in, whichever way. */
const isSignIn = sql`o.purpose in ('sign_in', 'registration') and o.method not in ('import', 'mail_link')`;

/** Of one interaction of one browser; or the request to the provider was begun on the account page, by a fresh sign-in. */
const cameTogether = sql`
  o.proven_at <= i.created_at + ${skew} and w.proven_at <= i.created_at + ${skew} and case w.purpose
    when 'link' then w.account_id = i.account_id
      and o.proven_at >= w.proven_at - ${seconds(freshSignInSeconds + socialAuthorizationSeconds)} - ${skew}
    else o.interaction_hash = w.interaction_hash and o.browser_hash = w.browser_hash
      and least(o.proven_at, w.proven_at) >= i.created_at - ${seconds(interactionSeconds)} - ${skew} end`;

export const rulesOfWaysIn: Rule[] = [
  {
    rule: "A18: every linked identity is its provider's word about it",
    walks: [
      {
        ...socialIdentities,
        read: (bite) => sql`
          select i.provider, i.subject, i.account_id, i.proof_id
          from ${bite} i left join proofs w on w.id = i.proof_id
          where i.proof_id is not null
            and (w.method in ('provider', 'import') and w.provider = i.provider and w.subject = i.subject
              and (w.account_id is null or w.is_new_account or w.account_id = i.account_id)) is not true`,
      },
    ],
  },
  {
    rule: 'A19: every linked identity was linked by a sign-in of its account that belongs to that word',
    walks: [
      {
        ...socialIdentities,
        read: (bite) => sql`
          select i.provider, i.subject, i.account_id, i.owner_proof_id
          from ${bite} i left join proofs w on w.id = i.proof_id left join proofs o on o.id = i.owner_proof_id
          where w.id is not null and i.owner_proof_id is not null
            and (o.account_id = i.account_id
              and case when w.method = 'import' then o.id = w.id else ${isSignIn} and ${cameTogether} end) is not true`,
      },
    ],
  },
  {
    rule: 'A20: every passkey was added after a fresh sign-in of its account',
    walks: [
      {
        ...passkeys,
        read: (bite) => sql`
          select k.id as passkey_id, k.account_id, k.owner_proof_id, k.created_at, o.proven_at
          from ${bite} k left join proofs o on o.id = k.owner_proof_id
          where k.owner_proof_id is not null
            and (o.account_id = k.account_id and case when o.method = 'import' then o.passkey_id = k.id
              else ${isSignIn} and o.proven_at <= k.created_at + ${skew}
                and o.proven_at >= k.created_at - ${seconds(freshSignInSeconds)} - ${skew} end) is not true`,
      },
    ],
  },
];
