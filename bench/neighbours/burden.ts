// What the bad company does to its neighbours: how its tables are filled before the service starts, and how the burden
// begins and ends while it runs.
import type pg from 'pg';
import type { BenchDatabase } from '../company.ts';
import { connectToFill } from '../fill.ts';
import type { Person } from '../sign-in.ts';
import type { Turns } from './rounds.ts';
import type { Foundation, Town } from './town.ts';

export type Prepared = {
  /** Who is signed in when the service has started. */
  accountIds?: string[];
  turns(town: Town, people: Person[]): Turns;
};

export type Burden = {
  name: string;
  prepare(foundation: Foundation): Promise<Prepared>;
};

/** Rows of one statement. */
const CHUNK = 50_000;

/** On a connection whose statements may take their time, and which checks and triggers do not slow down. */
export async function fillRows(
  { url }: BenchDatabase,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await connectToFill(url);
  await work(client);
  await client.query('analyze');
  await client.end();
}

/** `insert` gets the series of a chunk, `generate_series(…) as n`, from 1 on. */
export async function inChunks(
  client: pg.Client,
  rows: number,
  insert: (series: string) => string,
): Promise<void> {
  for (let from = 1; from <= rows; from += CHUNK)
    await client.query(insert(`generate_series(${from}, ${Math.min(rows, from + CHUNK - 1)}) as n`));
}
