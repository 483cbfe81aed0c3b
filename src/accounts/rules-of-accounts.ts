// The rules of docs/identity-invariants.md about accounts themselves (A1 to A6) and about what belongs to them (A25
// to A27).
import { type SQL, sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { forgottenSeconds, importGraceSeconds } from '../limits/account.ts';
import {
  accounts,
  consents,
  customers,
  emailChanges,
  engineRecords,
  members,
  pageSessions,
  passkeys,
  proofs,
  sessions,
  signedInBrowsers,
  socialIdentities,
} from './walked-tables.ts';

export const rulesOfAccounts: Rule[] = [
  {
    rule: 'A1: every address was proven for its account, and that is what the account refers to',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select a.id as account_id, a.mailbox_proof_id from ${bite} a left join proofs p on p.id = a.mailbox_proof_id
          where a.mailbox_proof_id is not null
            and (p.account_id = a.id and p.mailbox = a.email and p.is_mailbox_verified
              and p.method in ('code', 'mail_link', 'provider', 'import')) is not true`,
      },
    ],
  },
  {
    rule: 'A2: every address is verified',
    walks: [
      { ...accounts, read: (bite) => sql`select id as account_id from ${bite} a where not email_verified` },
    ],
  },
  {
    rule: 'A3: an account is vouched for by the provider of its mailbox proof, or by nobody',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select a.id as account_id, a.vouched_by, p.method, p.provider
          from ${bite} a join proofs p on p.id = a.mailbox_proof_id
          where a.vouched_by is distinct from case when p.method in ('provider', 'import') then p.provider end`,
      },
    ],
  },
  {
    rule: 'A4: only what may set an address has set it',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select a.id as account_id, p.id as proof_id, p.purpose, p.method
          from ${bite} a join proofs p on p.id = a.mailbox_proof_id
          where not p.is_new_account and not case p.purpose
            when 'import' then p.method = 'import'
            when 'address_change' then p.method = 'code'
            when 'address_return' then p.method = 'mail_link'
            when 'link' then false
            else p.method = 'code' end`,
      },
    ],
  },
  {
    rule: 'A5: a proof that raised a generation is a code of the address, of the generation just before',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select a.id as account_id, a.generation, a.generation_proof_id
          from ${bite} a left join proofs p on p.id = a.generation_proof_id
          where a.generation_proof_id is not null
            and (p.account_id = a.id and p.method = 'code' and p.mailbox = a.email
              and p.generation = a.generation - 1) is not true`,
      },
    ],
  },
  {
    rule: 'A6: every generation is at least 1, and nothing is ahead of its account',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select id as account_id, generation, null as ahead from ${bite} a where generation < 1`,
      },
      {
        ...sessions,
        read: (bite) => sql`
          select a.id, s.generation, 'session ' || s.uid_hash from ${bite} s join accounts a on s.account_id = a.id
          where s.generation > a.generation`,
      },
      {
        ...proofs,
        read: (bite) => sql`
          select a.id, p.generation, 'proof ' || p.id from ${bite} p join accounts a on p.account_id = a.id
          where p.generation > a.generation`,
      },
    ],
  },
];

/** Everything that names an account. A customer of a deleted account says so. */
const belongings: { what: SQL; name: SQL; walked: { table: string; key: readonly string[] }; where?: SQL }[] =
  [
    { what: sql`'passkey'`, name: sql`b.id`, walked: passkeys },
    { what: sql`'identity'`, name: sql`b.provider || ' ' || b.subject`, walked: socialIdentities },
    { what: sql`'session'`, name: sql`b.uid_hash`, walked: sessions },
    { what: sql`'page session'`, name: sql`b.id`, walked: pageSessions },
    { what: sql`'signed-in browser'`, name: sql`b.session_hash`, walked: signedInBrowsers },
    { what: sql`'address change'`, name: sql`b.id`, walked: emailChanges },
    { what: sql`'consent'`, name: sql`b.application_id`, walked: consents },
    { what: sql`'member'`, name: sql`b.workspace_id`, walked: members },
    {
      what: sql`'customer'`,
      name: sql`b.application_id || ' ' || b.sub`,
      walked: customers,
      where: sql`b.account_id <> 'deleted ' || b.sub`,
    },
    {
      what: sql`b.model`,
      name: sql`b.id_hash`,
      walked: engineRecords,
      where: sql`b.model in ('Grant', 'RefreshToken') and b.account_id is not null`,
    },
  ];

/** What lacks its proofs, and since when it is there. */
const unproven: { what: SQL; name: SQL; walked: { table: string; key: readonly string[] }; where: SQL }[] = [
  {
    what: sql`'account'`,
    name: sql`u.id`,
    walked: accounts,
    where: sql`u.mailbox_proof_id is null and u.deleted_at is null`,
  },
  {
    what: sql`'identity'`,
    name: sql`u.provider || ' ' || u.subject`,
    walked: socialIdentities,
    where: sql`(u.proof_id is null or u.owner_proof_id is null)`,
  },
  { what: sql`'passkey'`, name: sql`u.id`, walked: passkeys, where: sql`u.owner_proof_id is null` },
  { what: sql`'page session'`, name: sql`u.id`, walked: pageSessions, where: sql`u.session_hash is null` },
];

export const rulesOfBelongings: Rule[] = [
  {
    rule: 'A25: nothing belongs to an account that does not exist',
    walks: belongings.map(({ what, name, walked, where = sql`true` }) => ({
      ...walked,
      read: (bite) => sql`
            select ${what} as what, ${name} as name, b.account_id from ${bite} b
            where ${where} and not exists (select 1 from accounts a where a.id = b.account_id)`,
    })),
  },
  {
    rule: 'A26: what is older than proofs has been taken over',
    walks: unproven.map(({ what, name, walked, where }) => ({
      ...walked,
      read: (bite) => sql`
            select ${what} as what, ${name} as name, u.created_at from ${bite} u, proof_imports i
            where ${where} and i.name = 'identity' and (u.created_at > i.until
              or clock_timestamp() > i.until + make_interval(secs => ${importGraceSeconds}::int))`,
    })),
  },
  {
    rule: 'A27: an account whose owner ended it names nobody, nothing opens it, and it is gone within a day',
    walks: [
      {
        ...accounts,
        read: (bite) => sql`
          select a.id as account_id, a.deleted_at from ${bite} a
          where a.deleted_at is not null and (
            a.email <> 'deleted ' || a.id or a.name is not null or a.password_hash is not null
            or a.deleted_at < clock_timestamp() - make_interval(secs => ${forgottenSeconds}::int)
            or exists (select 1 from passkeys k where k.account_id = a.id)
            or exists (select 1 from social_identities i where i.account_id = a.id)
            or exists (select 1 from email_changes c where c.account_id = a.id)
            or exists (select 1 from members m where m.account_id = a.id)
            or exists (select 1 from sessions s where s.account_id = a.id and s.generation = a.generation))`,
      },
    ],
  },
];
