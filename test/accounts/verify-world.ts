// Two people as the flows leave them, with a session, a page, an identity, a passkey and tokens; and the means to write by
// hand what no flow would.
import { type SQL, sql } from 'drizzle-orm';
import { proofImports } from '../../drizzle/schema/proofs.ts';
import type { Account } from '../../src/accounts/account.ts';
import { IDENTITY_IMPORT } from '../../src/accounts/import-proofs.ts';
import type { Database } from '../../src/database/connection.ts';
import { addAccount, signInBrowser, signInToPages } from '../harness/identity.ts';

export type World = { ada: Account; bob: Account; adasSession: string; bobsSession: string };

export type Break = (tx: Database, world: World) => Promise<unknown>;

export async function makeWorld(db: Database): Promise<World> {
  await db.insert(proofImports).values({ name: IDENTITY_IMPORT, until: new Date(0) });
  const ada = await addAccount(db, { email: 'ada@example.test' });
  const bob = await addAccount(db, { email: 'bob@example.test' });
  await addAccount(db, { email: 'carol@example.test', vouchedBy: 'google' });
  const { sessionHash: adasSession } = await signInToPages(db, { account: ada, area: 'account' });
  const bobsSession = await signInBrowser(db, { account: bob });
  await prove(db, { id: 'pro_word', account: null, method: 'provider', provider: 'google', subject: 's1' });
  await prove(db, { id: 'pro_owner', account: ada.id });
  await db.execute(link({ ada }, 's1', 'pro_word', 'pro_owner'));
  await db.execute(addPasskey('pky_ada', ada.id, 'pro_owner'));
  await db.execute(record('Grant', 'grant', ada.id, adasSession));
  await db.execute(record('RefreshToken', 'token', ada.id, adasSession));
  return { ada, bob, adasSession, bobsSession };
}

type Written = {
  id: string;
  account: string | null;
  purpose?: string;
  method?: string;
  mailbox?: string | null;
  generation?: number;
  provider?: string;
  subject?: string;
  passkey?: string;
  place?: string;
  provenAt?: SQL;
};

/** A proof as nobody made it. */
export async function prove(db: Database, proof: Written): Promise<void> {
  const {
    method = 'code',
    place = 'here',
    purpose = 'sign_in',
    generation = 1,
    provenAt = sql`now()`,
  } = proof;
  const { mailbox = method === 'code' ? 'ada@example.test' : null } = proof;
  await db.execute(sql`
    insert into proofs (id, interaction_hash, browser_hash, purpose, method, account_id, is_new_account, generation,
      mailbox, is_mailbox_verified, provider, subject, passkey_id, proven_at)
    values (${proof.id}, ${place}, ${place}, ${purpose}, ${method}, ${proof.account}, false, ${generation}, ${mailbox},
      ${mailbox !== null}, ${proof.provider ?? null}, ${proof.subject ?? null}, ${proof.passkey ?? null}, ${provenAt})`);
}

export const use = (proof: string, what: string, session: string | null, at: SQL = sql`now()`) =>
  sql`insert into proof_uses values (${proof}, ${what}, ${session}, ${at})`;

export const begin = (session: string, account: string, proof: string) =>
  sql`insert into sessions values (${session}, ${account}, 1, ${proof}, now(), now(), null, 'test', '')`;

export const link = ({ ada }: Pick<World, 'ada'>, subject: string, word: string, owner: string) =>
  sql`insert into social_identities (provider, subject, account_id, proof_id, owner_proof_id, created_at)
    values (${subject === 's1' ? 'google' : 'github'}, ${subject}, ${ada.id}, ${word}, ${owner}, now())`;

export const addPasskey = (id: string, account: string, owner: string | null) =>
  sql`insert into passkeys (id, account_id, credential_id, public_key, counter, transports, name, backed_up,
    owner_proof_id, created_at) values (${id}, ${account}, ${id}, '', 0, '{}', 'key', false, ${owner}, now())`;

export const record = (
  model: string,
  id: string,
  account: string,
  session: string | null,
  client = 'client_1',
) =>
  sql`insert into engine_records (model, id_hash, payload, grant_id, account_id, session_hash)
    values (${model}, ${id}, ${JSON.stringify({ clientId: client })}::jsonb, 'grant', ${account}, ${session})`;

export const changeEmail = (account: string) =>
  sql`insert into email_changes values ('emc_1', ${account}, 'a', 'b', '', now(), 0, 'c', now())`;

export const orphanToken = () =>
  sql`insert into engine_records (model, id_hash, payload, account_id) values ('RefreshToken', 'x', '{}', 'acc_gone')`;

export const set = (table: string, what: SQL, where: SQL) =>
  sql`update ${sql.identifier(table)} set ${what} where ${where}`;

export const isAda = ({ ada }: World) => sql`id = ${ada.id}`;
export const isBobs = ({ bobsSession }: World) => sql`uid_hash = ${bobsSession}`;
