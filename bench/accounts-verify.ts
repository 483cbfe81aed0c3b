// The proof of identity over many accounts: how long all rules take at one moment of the database, on PostgreSQL; and what
// housekeeping takes to find the proofs that nothing stands on, beside them.
import { sql } from 'drizzle-orm';
import { deleteStaleProofs } from '../src/accounts/proof-end.ts';
import { accountsProof } from '../src/accounts/verify.ts';
import { systemClock } from '../src/clock.ts';
import { type Database, rowsOf } from '../src/database/connection.ts';
import { verifyAtOneMoment } from '../src/database/verification.ts';
import { createBenchDatabase } from './company.ts';
import { fillAccounts } from './fill-accounts.ts';
import { say, spread } from './report.ts';

type Options = { accounts: number; rounds: number };

export async function benchAccountsVerify({ accounts, rounds }: Options): Promise<void> {
  const database = await createBenchDatabase();
  try {
    const { db } = database.connection;
    const filled = await seconds(() => fillAccounts(db, accounts));
    say(`\n5. The proof of ${accounts} accounts (filled in ${filled.toFixed(0)} s: ${await sizes(db)})`);
    const took: number[] = [];
    while (took.length < rounds) took.push(await seconds(() => verify(db)));
    say(`   tollgate accounts verify: ${spread(took, 2)} s, ${rounds} rounds`);
    const stale = Math.ceil(accounts / 100);
    await addStaleProofs(db, stale);
    const cleaned = await seconds(() => deleteStaleProofs(db, systemClock));
    say(`   housekeeping, ${stale} proofs of days ago that led nowhere: ${cleaned.toFixed(2)} s`);
  } finally {
    await database.remove();
  }
}

async function verify(db: Database): Promise<void> {
  const { ok, checks } = await verifyAtOneMoment(db, accountsProof);
  if (!ok)
    throw new Error(JSON.stringify(checks.filter(({ violations }) => violations.length > 0)).slice(0, 2_000));
}

async function addStaleProofs(db: Database, count: number): Promise<void> {
  await db.execute(sql`
    insert into proofs (id, interaction_hash, browser_hash, purpose, method, account_id, is_new_account, generation,
      mailbox, is_mailbox_verified, proven_at)
    select 'pro_old_' || n, 'old' || n, 'old' || n, 'sign_in', 'code', 'acc_' || n, false, 1,
      'person' || n || '@example.test', true, now() - interval '3 days'
    from generate_series(1, ${count}::int) as n`);
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

async function sizes(db: Database): Promise<string> {
  const tables = ['proofs', 'proof_uses', 'sessions', 'passkeys', 'social_identities', 'engine_records'];
  const counts: string[] = [];
  for (const table of tables) {
    const [row] = rowsOf(await db.execute(sql`select count(*)::int as count from ${sql.identifier(table)}`));
    counts.push(`${row?.count} ${table}`);
  }
  return counts.join(', ');
}
