// The rules of docs/identity-invariants.md about accounts themselves (A1 to A6) and about what belongs to them (A25
// to A27).
import { sql } from 'drizzle-orm';
import type { Rule } from '../database/verification.ts';
import { forgottenSeconds, importGraceSeconds } from '../limits/account.ts';

export const rulesOfAccounts: Rule[] = [
  {
    rule: 'A1: every address was proven for its account, and that is what the account refers to',
    violations: sql`
      select a.id as account_id, a.mailbox_proof_id from accounts a left join proofs p on p.id = a.mailbox_proof_id
      where a.mailbox_proof_id is not null
        and (p.account_id = a.id and p.mailbox = a.email and p.is_mailbox_verified
          and p.method in ('code', 'mail_link', 'provider', 'import')) is not true`,
  },
  {
    rule: 'A2: every address is verified',
    violations: sql`select id as account_id from accounts where not email_verified`,
  },
  {
    rule: 'A3: an account is vouched for by the provider of its mailbox proof, or by nobody',
    violations: sql`
      select a.id as account_id, a.vouched_by, p.method, p.provider
      from accounts a join proofs p on p.id = a.mailbox_proof_id
      where a.vouched_by is distinct from case when p.method in ('provider', 'import') then p.provider end`,
  },
  {
    rule: 'A4: only what may set an address has set it',
    violations: sql`
      select a.id as account_id, p.id as proof_id, p.purpose, p.method
      from accounts a join proofs p on p.id = a.mailbox_proof_id
      where not p.is_new_account and not case p.purpose
        when 'import' then p.method = 'import'
        when 'address_change' then p.method = 'code'
        when 'address_return' then p.method = 'mail_link'
        when 'link' then false
        else p.method = 'code' end`,
  },
  {
    rule: 'A5: a proof that raised a generation is a code of the address, of the generation just before',
    violations: sql`
      select a.id as account_id, a.generation, a.generation_proof_id
      from accounts a left join proofs p on p.id = a.generation_proof_id
      where a.generation_proof_id is not null
        and (p.account_id = a.id and p.method = 'code' and p.mailbox = a.email
          and p.generation = a.generation - 1) is not true`,
  },
  {
    rule: 'A6: every generation is at least 1, and nothing is ahead of its account',
    violations: sql`
      select id as account_id, generation, null as ahead from accounts where generation < 1
      union all
      select a.id, s.generation, 'session ' || s.uid_hash from accounts a join sessions s on s.account_id = a.id
      where s.generation > a.generation
      union all
      select a.id, p.generation, 'proof ' || p.id from accounts a join proofs p on p.account_id = a.id
      where p.generation > a.generation`,
  },
];

/** A row each of everything that names an account. A customer of a deleted account says so. */
const belongings = sql`
  select 'passkey' as what, id as name, account_id from passkeys
  union all select 'identity', provider || ' ' || subject, account_id from social_identities
  union all select 'session', uid_hash, account_id from sessions
  union all select 'page session', id, account_id from page_sessions
  union all select 'signed-in browser', session_hash, account_id from signed_in_browsers
  union all select 'address change', id, account_id from email_changes
  union all select 'consent', application_id, account_id from consents
  union all select 'member', workspace_id, account_id from members
  union all select 'customer', application_id || ' ' || sub, account_id from customers
    where account_id <> 'deleted ' || sub
  union all select model, id_hash, account_id from engine_records
    where model in ('Grant', 'RefreshToken') and account_id is not null`;

/** What lacks its proofs, and since when it is there. */
const unproven = sql`
  select 'account' as what, id as name, created_at from accounts
    where mailbox_proof_id is null and deleted_at is null
  union all select 'identity', provider || ' ' || subject, created_at from social_identities
    where proof_id is null or owner_proof_id is null
  union all select 'passkey', id, created_at from passkeys where owner_proof_id is null
  union all select 'page session', id, created_at from page_sessions where session_hash is null`;

export const rulesOfBelongings: Rule[] = [
  {
    rule: 'A25: nothing belongs to an account that does not exist',
    violations: sql`
      select b.what, b.name, b.account_id from (${belongings}) b
      where not exists (select 1 from accounts a where a.id = b.account_id)`,
  },
  {
    rule: 'A26: what is older than proofs has been taken over',
    violations: sql`
      select u.what, u.name, u.created_at from (${unproven}) u, proof_imports i
      where i.name = 'identity' and (u.created_at > i.until
        or clock_timestamp() > i.until + make_interval(secs => ${importGraceSeconds}::int))`,
  },
  {
    rule: 'A27: an account whose owner ended it names nobody, nothing opens it, and it is gone within a day',
    violations: sql`
      select a.id as account_id, a.deleted_at from accounts a
      where a.deleted_at is not null and (
        a.email <> 'deleted ' || a.id or a.name is not null or a.password_hash is not null
        or a.deleted_at < clock_timestamp() - make_interval(secs => ${forgottenSeconds}::int)
        or exists (select 1 from passkeys k where k.account_id = a.id)
        or exists (select 1 from social_identities i where i.account_id = a.id)
        or exists (select 1 from email_changes c where c.account_id = a.id)
        or exists (select 1 from members m where m.account_id = a.id)
        or exists (select 1 from sessions s where s.account_id = a.id and s.generation = a.generation))`,
  },
];
