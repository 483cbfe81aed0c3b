// The rules of docs/identity-invariants.md about sessions (A14 to A17) and about what follows from them (A21 to A24).
import { type SQL, sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { clockSkewRefusedSeconds } from '../limits/operations.ts';
import { accounts, engineRecords, flows, pageSessions, sessions } from './walked-tables.ts';

const skew = sql`make_interval(secs => ${clockSkewRefusedSeconds}::int)`;

/** Of these sessions, with their accounts and proofs. */
const living = (bite: SQL) => sql`
  ${bite} s join accounts a on a.id = s.account_id and a.generation = s.generation and s.ended_at is null
    left join proofs p on p.id = s.proof_id`;

export const rulesOfSessions: Rule[] = [
  {
    rule: 'A14: every living session stands on a sign-in of its account that counted in it alone',
    walks: [
      {
        ...sessions,
        read: (bite) => sql`
          select s.uid_hash, s.account_id, s.proof_id, p.purpose, p.method, u.session_hash as used_by
          from ${living(bite)} left join proof_uses u on u.proof_id = s.proof_id and u.use = 'sign_in'
          where (p.account_id = s.account_id and p.purpose in ('sign_in', 'registration')
            and p.method not in ('import', 'mail_link') and u.session_hash = s.uid_hash) is not true`,
      },
    ],
  },
  {
    rule: 'A15: no session is older than what it stands on, or younger than the raise that kept it',
    walks: [
      {
        ...sessions,
        read: (bite) => sql`
          select s.uid_hash, s.account_id, p.proven_at, s.created_at, s.last_seen_at from ${living(bite)}
          where p.proven_at > s.last_seen_at + ${skew}
            or (p.generation < s.generation and p.id is distinct from a.generation_proof_id
              and s.created_at > a.updated_at + ${skew})`,
      },
    ],
  },
  {
    rule: 'A16: every session of an earlier generation has ended',
    walks: [
      {
        ...sessions,
        read: (bite) => sql`
          select s.uid_hash, s.account_id, s.generation from ${bite} s join accounts a on a.id = s.account_id
          where s.generation < a.generation and s.ended_at is null and a.deleted_at is null`,
      },
    ],
  },
  {
    rule: 'A17: of what was proven before a generation, one session at most goes on',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select uid_hash, account_id, proof_id, session_generation, proof_generation from (
            select s.uid_hash, s.account_id, s.proof_id, s.generation as session_generation,
              p.generation as proof_generation, a.generation_proof_id, count(*) over (partition by s.account_id) as kept
            from ${bite} a join sessions s on s.account_id = a.id and a.generation = s.generation and s.ended_at is null
              left join proofs p on p.id = s.proof_id
            where p.generation <> s.generation and p.id is distinct from a.generation_proof_id) older
          where kept > case when generation_proof_id is null then 1 else 0 end or proof_generation > session_generation`,
      },
    ],
  },
];

export const rulesOfConsequences: Rule[] = [
  {
    rule: "A21: every session of our own pages began in a browser's session of the same account, on a proof of that session",
    walks: [
      {
        ...pageSessions,
        read: (bite) => sql`
          select g.id as page_session_id, g.account_id, g.session_hash, s.account_id as session_account_id
          from ${bite} g left join sessions s on s.uid_hash = g.session_hash
          where g.session_hash is not null
            and (s.account_id = g.account_id and g.created_at >= s.created_at - ${skew}) is not true`,
      },
      {
        ...pageSessions,
        read: (bite) => sql`
          select g.id, g.account_id, g.session_hash, p.id
          from ${bite} g join proofs p on p.id = g.proof_id
          where not exists (select 1 from proof_uses u
            where u.proof_id = g.proof_id and u.use = 'sign_in' and u.session_hash = g.session_hash)`,
      },
    ],
  },
  {
    rule: 'A22: every half-finished flow refers to its own proofs',
    walks: [
      {
        ...flows,
        read: (bite) => sql`
          select f.interaction_hash, f.proof_id from ${bite} f join proofs p on p.id = f.proof_id
          where p.interaction_hash <> f.interaction_hash or p.mailbox is distinct from f.email or p.method <> 'code'`,
      },
      {
        ...flows,
        read: (bite) => sql`
          select f.interaction_hash, f.link_proof_id from ${bite} f join proofs w on w.id = f.link_proof_id
          where w.interaction_hash <> f.interaction_hash or w.method <> 'provider'`,
      },
    ],
  },
  {
    rule: "A23: every grant and token of a session is of that session's account",
    walks: [
      {
        ...engineRecords,
        read: (bite) => sql`
          select r.model, r.id_hash, r.account_id, s.account_id as session_account_id
          from ${bite} r join sessions s on s.uid_hash = r.session_hash
          where r.account_id is distinct from s.account_id`,
      },
    ],
  },
  {
    rule: 'A24: every token is of the account, the client and the session of its grant',
    walks: [
      {
        ...engineRecords,
        read: (bite) => sql`
          select r.model, r.id_hash, r.account_id, g.account_id as grant_account_id
          from ${bite} r join engine_records g on g.model = 'Grant' and g.grant_id = r.grant_id
          where r.model in ('RefreshToken', 'AccessToken', 'AuthorizationCode', 'DeviceCode')
            and (r.account_id is distinct from g.account_id or r.session_hash is distinct from g.session_hash
              or r.payload ->> 'clientId' is distinct from g.payload ->> 'clientId')`,
      },
    ],
  },
];
