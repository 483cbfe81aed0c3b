// Rows that nobody could have written through the doors, each of them against one rule of docs/identity-invariants.md:
// of accounts, proofs and what these were used for.
import { type SQL, sql } from 'drizzle-orm';
import { type Break, isAda, isBobs, prove, set, use } from './verify-world.ts';

export const changesOfProofs: [rule: string, what: string, change: Break][] = [
  [
    'A1',
    'an address that was only typed',
    (tx, world) => tx.execute(set('accounts', sql`email = 'x@example.test'`, isAda(world))),
  ],
  [
    'A1',
    "another account's proof of its address",
    (tx, world) =>
      tx.execute(set('accounts', sql`mailbox_proof_id = ${world.bob.mailboxProofId}`, isAda(world))),
  ],
  [
    'A2',
    'an address that is not verified',
    (tx, world) => tx.execute(set('accounts', sql`email_verified = false`, isAda(world))),
  ],
  [
    'A3',
    'a provider that never vouched',
    (tx, world) => tx.execute(set('accounts', sql`vouched_by = 'apple'`, isAda(world))),
  ],
  [
    'A4',
    'a sign-in that rewrote the address',
    async (tx, world) => {
      const said = { method: 'provider', provider: 'google', subject: 's1', mailbox: 'ada@example.test' };
      await prove(tx, { id: 'pro_1', account: world.ada.id, ...said });
      await tx.execute(set('accounts', sql`mailbox_proof_id = 'pro_1', vouched_by = 'google'`, isAda(world)));
    },
  ],
  [
    'A5',
    'a proof of another generation that still opens the account',
    (tx, world) => tx.execute(set('accounts', sql`generation_proof_id = 'pro_owner'`, isAda(world))),
  ],
  [
    'A6',
    'a session ahead of its account',
    (tx, world) => tx.execute(set('sessions', sql`generation = 7`, isBobs(world))),
  ],
  [
    'A6',
    'a proof ahead of its account',
    (tx, world) => prove(tx, { id: 'pro_1', account: world.ada.id, generation: 2 }),
  ],
  [
    'A7',
    'an account that its proof did not make',
    (tx, world) => tx.execute(sql`delete from proof_uses where proof_id = ${world.bob.mailboxProofId}`),
  ],
  [
    'A8',
    'a proof that is older than the account',
    (tx, world) => prove(tx, { id: 'pro_1', account: world.ada.id, provenAt: sql`now() - interval '1 day'` }),
  ],
  [
    'A9',
    'a sign-in that is left of a deleted account',
    async (tx) => {
      await prove(tx, { id: 'pro_1', account: 'acc_gone' });
      await tx.execute(use('pro_1', 'sign_in', 'nowhere'));
    },
  ],
  [
    'A9',
    'a proof that nobody deletes',
    (tx) => prove(tx, { id: 'pro_1', account: 'acc_gone', provenAt: sql`now() - interval '3 days'` }),
  ],
  ['A10', 'a recovery with a code for a sign-in', (tx) => tx.execute(use('pro_owner', 'recover', null))],
  [
    'A10',
    'a sign-in with an imported proof',
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: world.ada.id, purpose: 'import', method: 'import' });
      await tx.execute(use('pro_1', 'sign_in', 'nowhere'));
    },
  ],
  [
    'A11',
    'a proof that waited for two hours',
    (tx, world) => useRecovery(tx, world, sql`now() + interval '2 hours'`),
  ],
  [
    'A11',
    'a proof that was used before it was made',
    (tx, world) => useRecovery(tx, world, sql`now() - interval '1 hour'`),
  ],
  [
    'A12',
    "a sign-in that counted in another person's session",
    async (tx, world) => {
      await prove(tx, { id: 'pro_1', account: world.bob.id, mailbox: 'bob@example.test' });
      await tx.execute(use('pro_1', 'sign_in', world.adasSession));
    },
  ],
  [
    'A13',
    "a proof with another person's passkey",
    (tx, world) => prove(tx, { id: 'pro_1', account: world.bob.id, method: 'passkey', passkey: 'pky_ada' }),
  ],
];

type Change = Parameters<Break>;

async function useRecovery(tx: Change[0], { ada }: Change[1], at: SQL): Promise<void> {
  await prove(tx, { id: 'pro_1', account: ada.id, purpose: 'recovery' });
  await tx.execute(use('pro_1', 'recover', null, at));
}
