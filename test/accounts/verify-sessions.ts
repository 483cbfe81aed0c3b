// Rows that nobody could have written through the doors, each of them against one rule of docs/identity-invariants.md:
// of sessions, ways in, and what belongs to whom.
import { sql } from 'drizzle-orm';
import { raiseGeneration } from '../../src/accounts/generation.ts';
import { signInBrowser } from '../harness/identity.ts';
import {
  addPasskey,
  type Break,
  begin,
  changeEmail,
  isBobs,
  link,
  orphanToken,
  prove,
  record,
  set,
  use,
} from './verify-world.ts';

export const changesOfSessions: [rule: string, what: string, change: Break][] = [
  [
    'A14',
    'a session that no sign-in began',
    (tx, world) => tx.execute(begin('session', world.ada.id, 'pro_owner')),
  ],
  [
    'A14',
    'a second session of one sign-in',
    async (tx, world) => {
      await tx.execute(use('pro_owner', 'sign_in', 'another'));
      await tx.execute(begin('session', world.ada.id, 'pro_owner'));
    },
  ],
  [
    'A14',
    "a session on another person's sign-in",
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: world.bob.id });
      await tx.execute(use('pro_1', 'sign_in', 'elsewhere'));
      await tx.execute(begin('session', world.ada.id, 'pro_1'));
    },
  ],
  [
    'A15',
    'a session that is older than its proof',
    async (tx, world) => {
      const later = sql`now() + interval '1 hour'`;
      await prove(tx, { id: 'pro_1', account: world.ada.id, provenAt: later });
      await tx.execute(use('pro_1', 'sign_in', 'session', later));
      await tx.execute(begin('session', world.ada.id, 'pro_1'));
    },
  ],
  [
    'A15',
    'an old proof in a session that began after the raise',
    async (tx, world) => {
      await raiseGeneration(tx, { accountId: world.bob.id, keepSession: world.bobsSession, now: new Date() });
      await tx.execute(set('sessions', sql`created_at = now() + interval '1 hour'`, isBobs(world)));
    },
  ],
  [
    'A16',
    'a session that a raise has missed',
    (tx, world) => tx.execute(set('accounts', sql`generation = 2`, sql`id = ${world.bob.id}`)),
  ],
  [
    'A17',
    'two sessions that outlive one raise',
    async (tx, world) => {
      await signInBrowser(tx, { account: world.bob });
      await tx.execute(set('accounts', sql`generation = 2, updated_at = now()`, sql`id = ${world.bob.id}`));
      await tx.execute(set('sessions', sql`generation = 2`, sql`account_id = ${world.bob.id}`));
    },
  ],
  [
    'A17',
    'a session of before that outlives a recovery',
    async (tx, world) => {
      const raised = sql`generation = 2, generation_proof_id = ${world.bob.mailboxProofId}, updated_at = now()`;
      await tx.execute(set('accounts', raised, sql`id = ${world.bob.id}`));
      await tx.execute(set('sessions', sql`generation = 2`, isBobs(world)));
    },
  ],
  [
    'A18',
    'an identity that the provider never spoke of',
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: null, method: 'provider', provider: 'github', subject: 'x' });
      await tx.execute(link(world, 's2', 'pro_1', 'pro_owner'));
    },
  ],
  [
    'A18',
    "an identity by a word for another person's account",
    async (tx, world) => {
      await prove(tx, {
        id: 'pro_1',
        account: world.bob.id,
        method: 'provider',
        provider: 'github',
        subject: 's2',
      });
      await tx.execute(link(world, 's2', 'pro_1', 'pro_owner'));
    },
  ],
  [
    'A19',
    'an identity that was linked with a code of another interaction',
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: null, method: 'provider', provider: 'github', subject: 's2' });
      await prove(tx, { id: 'pro_2', account: world.ada.id, place: 'elsewhere' });
      await tx.execute(link(world, 's2', 'pro_1', 'pro_2'));
    },
  ],
  [
    'A19',
    "an identity that was linked by another person's sign-in",
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: null, method: 'provider', provider: 'github', subject: 's2' });
      await prove(tx, { id: 'pro_2', account: world.bob.id });
      await tx.execute(link(world, 's2', 'pro_1', 'pro_2'));
    },
  ],
  [
    'A19',
    'an identity from the account page by a sign-in of an hour ago',
    async (tx, world) => {
      const word = { method: 'provider', provider: 'github', subject: 's2', purpose: 'link' };
      await prove(tx, { id: 'pro_1', account: world.ada.id, ...word, place: 'page' });
      await prove(tx, { id: 'pro_2', account: world.ada.id, provenAt: sql`now() - interval '1 hour'` });
      await tx.execute(link(world, 's2', 'pro_1', 'pro_2'));
    },
  ],
  [
    'A20',
    'a passkey after a sign-in of twenty minutes ago',
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: world.ada.id, provenAt: sql`now() - interval '20 minutes'` });
      await tx.execute(addPasskey('pky_1', world.ada.id, 'pro_1'));
    },
  ],
  [
    'A20',
    "a passkey after another person's sign-in",
    (tx, world) => tx.execute(addPasskey('pky_1', world.bob.id, 'pro_owner')),
  ],
  [
    'A21',
    "a page in another person's browser",
    (tx, world) => tx.execute(set('page_sessions', sql`session_hash = ${world.bobsSession}`, sql`true`)),
  ],
  [
    'A21',
    'a page that is fresh by a proof of another browser',
    (tx) => tx.execute(set('page_sessions', sql`proof_id = 'pro_owner'`, sql`true`)),
  ],
  [
    'A22',
    'a flow with a code of another interaction',
    (tx) =>
      tx.execute(sql`insert into flows (interaction_hash, kind, application_id, email, code_attempts, proof_id, created_at)
        values ('there', 'sign_in', 'app_1', 'ada@example.test', 0, 'pro_owner', now())`),
  ],
  [
    'A22',
    'a flow with a code of another address',
    (tx) =>
      tx.execute(sql`insert into flows (interaction_hash, kind, application_id, email, code_attempts, proof_id, created_at)
        values ('here', 'sign_in', 'app_1', 'typed@example.test', 0, 'pro_owner', now())`),
  ],
  [
    'A23',
    "a token of one person in another person's session",
    async (tx, world) => {
      await tx.execute(record('AccessToken', 'token', world.bob.id, world.adasSession));
      // Out of the way of the rule that compares it with its grant.
      await tx.execute(set('engine_records', sql`grant_id = 'none'`, sql`model = 'AccessToken'`));
    },
  ],
  [
    'A24',
    'a token of another client than its grant',
    (tx, world) => tx.execute(record('RefreshToken', 'other', world.ada.id, world.adasSession, 'client_2')),
  ],
  ['A25', 'an address change of nobody', (tx) => tx.execute(changeEmail('acc_gone'))],
  ['A25', 'a refresh token of nobody', (tx) => tx.execute(orphanToken())],
  ['A26', 'a passkey without a proof', (tx, world) => tx.execute(addPasskey('pky_1', world.ada.id, null))],
  [
    'A26',
    'an account without a proof',
    (tx) =>
      tx.execute(sql`insert into accounts (id, email, email_verified, locale, created_at, updated_at)
        values ('acc_1', 'dan@example.test', true, 'en', now(), now())`),
  ],
  [
    'A27',
    'a way into an account that was ended',
    async (tx, world) => {
      const closed = sql`deleted_at = now(), email = 'deleted ' || id, name = null, password_hash = null,
        vouched_by = null, mailbox_proof_id = null, generation_proof_id = null`;
      await tx.execute(set('accounts', closed, sql`id = ${world.bob.id}`));
    },
  ],
];
