// The doctor's look at the database: version, durability, clock, migrations, keys and the last proofs of ledger and accounts. It
// changes nothing; a running embedded service answers it through its socket.
import { sql } from 'drizzle-orm';
import { accountsProof } from '../accounts/verify.ts';
import type { Clock } from '../clock.ts';
import { clockSkewSeconds } from '../database/clock.ts';
import { type Database, rowsOf } from '../database/connection.ts';
import { lookAtMigrations } from '../database/pending-migrations.ts';
import { latestVerification } from '../database/verification.ts';
import { ledgerProof } from '../ledger/verify.ts';
import { clockSkewRefusedSeconds, clockSkewWarnedSeconds } from '../limits/operations.ts';
import { signingKeyRotationSeconds } from '../limits/token-lifetimes.ts';
import { listSealedSigningKeys, listSigningKeys } from '../oidc/signing-keys/signing-keys.ts';
import { isSealedWithNewest, type Keys } from '../secrets.ts';
import { listSealedKeys } from '../service/pairwise-key.ts';
import { listSealedSecrets } from '../webhooks/signing-secret.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

type Dependencies = { db: Database; keys: Keys | undefined; clock: Clock };

export async function inspectDatabase(deps: Dependencies): Promise<Finding[]> {
  const findings = [...(await inspectServer(deps)), await inspectClock(deps)];
  const { pending, isEmpty } = await lookAtMigrations(deps.db);
  if (isEmpty) return [...findings, ok('migrations', 'none yet: the first start makes the tables')];
  if (pending.length > 0) {
    return [
      ...findings,
      problem(
        'migrations',
        `${pending.length} pending: ${pending.join(', ')}`,
        'Run `npx tollgate migrate`, or `tollgate start`, which migrates first.',
      ),
    ];
  }
  return [
    ...findings,
    ok('migrations', 'up to date'),
    ...(await inspectKeys(deps)),
    await inspectProof(deps, 'ledger'),
    await inspectProof(deps, 'accounts'),
  ];
}

async function inspectServer({ db }: Dependencies): Promise<Finding[]> {
  const [row] = rowsOf(
    await db.execute(sql`
      select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
             current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
             current_setting('autovacuum') as autovacuum`),
  );
  const found = [
    Number(row?.number) >= 150_000
      ? ok('database', `PostgreSQL ${row?.version}`)
      : problem('database', `PostgreSQL ${row?.version}`, 'Use PostgreSQL 15 or later.'),
  ];
  const isEmbedded = row?.fsync === 'off' && Number(row?.number) >= 180_000;
  if ((row?.fsync === 'off' || row?.commit === 'off') && !isEmbedded) {
    found.push(
      problem(
        'durability',
        `fsync is ${row?.fsync} and synchronous_commit is ${row?.commit}: a power failure can lose charged sign-ins`,
        'Turn both on in postgresql.conf.',
      ),
    );
  }
  if (row?.autovacuum === 'off') {
    found.push(
      warning(
        'autovacuum',
        'is off: tables bloat with every sign-in and queries slow down',
        'Turn autovacuum on in postgresql.conf, or schedule `vacuum analyze`.',
      ),
    );
  }
  return found;
}

async function inspectClock({ db, clock }: Dependencies): Promise<Finding> {
  const seconds = Math.abs(await clockSkewSeconds(db, clock));
  const says = `${seconds.toFixed(1)} s between this machine's clock and the database's`;
  const change = 'Synchronize both clocks with NTP (chrony, systemd-timesyncd).';
  if (seconds > clockSkewRefusedSeconds) return problem('clock', says, change);
  return seconds > clockSkewWarnedSeconds ? warning('clock', says, change) : ok('clock', says);
}

async function inspectKeys({ db, keys, clock }: Dependencies): Promise<Finding[]> {
  if (!keys) return [];
  const sealed = [
    ...(await listSealedKeys(db)),
    ...(await listSealedSigningKeys(db)),
    ...(await listSealedSecrets(db)),
  ];
  const states = sealed.map(({ value, context }) => isSealedWithNewest(keys, value, context));
  const unreadable = states.filter((state) => state === undefined).length;
  if (unreadable > 0) {
    const says = `${unreadable} of ${sealed.length} stored keys and webhook secrets cannot be decrypted`;
    const change =
      'Set TOLLGATE_SECRET to the secret this database was encrypted with. Put a newer one in front, separated by a comma.';
    return [problem('secret', says, change)];
  }
  const older = states.filter((state) => state === false).length;
  const count = keys.sealing.length;
  const change =
    'Run `npx tollgate keys reseal`, then remove the old secret 14 days later (docs/operations.md).';
  return [
    older > 0
      ? warning(
          'secret',
          `${older} of ${sealed.length} stored values are still encrypted with an older secret`,
          change,
        )
      : ok(
          'secret',
          count > 1
            ? `${count} secrets; the older ones are no longer needed for stored values`
            : 'decrypts everything stored',
        ),
    await inspectSigningKeys(db, clock()),
  ];
}

async function inspectSigningKeys(db: Database, now: Date): Promise<Finding> {
  const rows = await listSigningKeys(db, now);
  const active = rows.filter(({ activatedAt }) => activatedAt <= now);
  const newest = Math.max(...active.map(({ activatedAt }) => activatedAt.getTime()));
  if (active.length === 0) return ok('signing keys', 'none yet; the first start creates one');
  const days = Math.floor((now.getTime() - newest) / 86_400_000);
  const next = rows.find(({ activatedAt }) => activatedAt > now);
  const says = `in use for ${days} days${next ? `; the next key takes over at ${next.activatedAt.toISOString()}` : ''}`;
  return days * 86_400 > signingKeyRotationSeconds + 86_400
    ? warning(
        'signing keys',
        says,
        'The service rotates keys every 90 days. Check that it is running, and its log.',
      )
    : ok('signing keys', says);
}

async function inspectProof({ db }: Dependencies, about: 'ledger' | 'accounts'): Promise<Finding> {
  const proof = await latestVerification(db, about === 'ledger' ? ledgerProof : accountsProof);
  if (!proof) return ok(about, 'not verified yet');
  const at = proof.finishedAt.toISOString();
  return proof.ok
    ? ok(about, `verified at ${at}`)
    : problem(
        about,
        `verification failed at ${at}: ${Object.keys(proof.broken).join('; ')}`,
        `Run \`npx tollgate ${about} verify\` to list the rows, and see docs/operations.md.`,
      );
}
