// What it takes this machine's PostgreSQL to commit one row, with and without waiting for the disk: a charge cannot be
// quicker than the first, and an engine that keeps nothing durable pays neither.
import pg from 'pg';
import { POSTGRES_URL } from './company.ts';
import { median } from './load.ts';
import { say } from './report.ts';

const COMMITS = 200;

export async function sayCommitTime(): Promise<void> {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  // A temporary table writes no WAL, so its commits would wait for nothing.
  const table = `bench_commits_${process.pid}`;
  await client.query(`create table ${table} (number integer)`);
  try {
    const [onDisk, inMemory] = [
      await commitTime(client, table, 'on'),
      await commitTime(client, table, 'off'),
    ];
    say(
      `commit      ${onDisk.toFixed(1)} ms for one row on disk, ${inMemory.toFixed(1)} ms without waiting for it (median of ${COMMITS})`,
    );
  } finally {
    await client.query(`drop table ${table}`);
    await client.end();
  }
}

async function commitTime(
  client: pg.Client,
  table: string,
  synchronousCommit: 'on' | 'off',
): Promise<number> {
  await client.query(`set synchronous_commit = ${synchronousCommit}`);
  const times: number[] = [];
  for (let number = 0; number < COMMITS; number += 1) {
    const startedAt = performance.now();
    await client.query(`insert into ${table} values ($1)`, [number]);
    times.push(performance.now() - startedAt);
  }
  return median(times);
}
