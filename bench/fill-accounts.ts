// Many people as the flows leave them: each with the proofs that made the account and signed in, a signed-in browser with a
// grant and a refresh token, and a passkey or a linked identity for each second one.
import { sql } from 'drizzle-orm';
import { proofImports } from '../drizzle/schema/proofs.ts';
import { IDENTITY_IMPORT } from '../src/accounts/import-proofs.ts';
import { allowLongStatements, type Database, transaction } from '../src/database/connection.ts';

const people = (count: number) => sql`generate_series(1, ${count}::int) as n`;
const made = sql`now() - interval '30 days'`;
const signedIn = sql`now() - interval '1 hour'`;

export async function fillAccounts(db: Database, count: number): Promise<void> {
  await db.insert(proofImports).values({ name: IDENTITY_IMPORT, until: new Date(0) });
  await transaction(db, async (tx) => {
    await allowLongStatements(tx);
    for (const statement of statements(count)) await tx.execute(statement);
  });
  await db.execute(sql`vacuum analyze`);
}

const statements = (count: number) => [
  sql`insert into proofs (id, interaction_hash, browser_hash, purpose, method, account_id, is_new_account, generation,
      mailbox, is_mailbox_verified, proven_at)
    select kind || n, kind || n, 'browser' || n, purpose, 'code', 'acc_' || n, purpose = 'registration', 1,
      'person' || n || '@example.test', true, at
    from ${people(count)}, (values ('pro_new_', 'registration', ${made}), ('pro_in_', 'sign_in', ${signedIn}))
      as made(kind, purpose, at)`,
  // The provider's word, of the same interaction and browser as the sign-in.
  sql`insert into proofs (id, interaction_hash, browser_hash, purpose, method, generation, is_new_account, mailbox,
      is_mailbox_verified, provider, subject, proven_at)
    select 'pro_word_' || n, 'pro_in_' || n, 'browser' || n, 'sign_in', 'provider', 0, false,
      'person' || n || '@example.test', true, 'google', n::text, ${signedIn}
    from ${people(count)} where n % 4 = 0`,
  sql`insert into proof_uses select 'pro_new_' || n, 'create_account', null, ${made} from ${people(count)}`,
  sql`insert into proof_uses select 'pro_in_' || n, 'sign_in', 'session' || n, ${signedIn} from ${people(count)}`,
  sql`insert into accounts (id, email, email_verified, locale, mailbox_proof_id, created_at, updated_at)
    select 'acc_' || n, 'person' || n || '@example.test', true, 'en', 'pro_new_' || n, ${made}, ${made}
    from ${people(count)}`,
  sql`insert into sessions select 'session' || n, 'acc_' || n, 1, 'pro_in_' || n, ${signedIn}, now(), null, 'bench', ''
    from ${people(count)}`,
  sql`insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up,
      owner_proof_id, created_at)
    select 'pky_' || n, 'acc_' || n, 'key' || n, '', 0, '{}', 'key', false, 'pro_in_' || n, ${signedIn}
    from ${people(count)} where n % 4 = 2`,
  sql`insert into social_identities (provider, subject, account_id, email, proof_id, owner_proof_id, created_at)
    select 'google', n::text, 'acc_' || n, 'person' || n || '@example.test', 'pro_word_' || n, 'pro_in_' || n, ${signedIn}
    from ${people(count)} where n % 4 = 0`,
  sql`insert into engine_records (model, id_hash, payload, grant_id, account_id, session_hash)
    select model, model || n, '{"clientId":"client_1"}', 'grant' || n, 'acc_' || n, 'session' || n
    from ${people(count)}, (values ('Grant'), ('RefreshToken')) as models(model)`,
];
