// The release after this one, as far as this one can meet it: a folder of migrations that adds columns to every table, a
// table and an index (test/harness/migration-rules.ts allows them). The code of today must not notice.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { getTableName } from 'drizzle-orm';
import { z } from 'zod';
import { everyTable } from '../../drizzle/every-table.ts';

const ownMigrations = resolve(import.meta.dirname, '../../drizzle/migrations');
const journalSchema = z.looseObject({
  entries: z.array(z.looseObject({ idx: z.number(), when: z.number() })),
});
const TAG = 'next_release';

export type NextRelease = {
  folder: string;
  migration: string;
  /** The same columns for every other table. */
  rest: string[];
  remove(): Promise<void>;
};

export async function makeNextRelease(): Promise<NextRelease> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-next-release-'));
  await cp(ownMigrations, folder, { recursive: true });
  const migration = writeMigration();
  await writeFile(join(folder, `${TAG}.sql`), migration);
  const file = join(folder, 'meta/_journal.json');
  const journal = journalSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  const last = Math.max(...journal.entries.map(({ when }) => when));
  const entry = { idx: journal.entries.length, version: '7', when: last + 1, tag: TAG, breakpoints: true };
  await writeFile(file, JSON.stringify({ ...journal, entries: [...journal.entries, entry] }));
  return { folder, migration, rest: restOfTables, remove: () => rm(folder, { recursive: true }) };
}

/** Tables that each sign-in reads or writes: as many as a release may change at once, and more than most do. */
const UNDER_TRAFFIC = ['accounts', 'applications', 'engine_records', 'sessions', 'balances', 'usage_events'];

function additionsTo(isWanted: (table: string) => boolean): string[] {
  return Object.values(everyTable)
    .map(getTableName)
    .filter(isWanted)
    .flatMap((table) => [
      `ALTER TABLE "${table}" ADD COLUMN "next_note" text;`,
      `ALTER TABLE "${table}" ADD COLUMN "next_count" integer DEFAULT 7 NOT NULL;`,
    ]);
}

/** A migration holds what it has changed until its end, so these come when nobody signs in. */
const restOfTables = additionsTo((table) => !UNDER_TRAFFIC.includes(table));

function writeMigration(): string {
  return [
    'CREATE TABLE "next_pets" ("id" text PRIMARY KEY NOT NULL, "account_id" text NOT NULL);',
    'ALTER TABLE "next_pets" ADD CONSTRAINT "next_pets_of_account" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;',
    ...additionsTo((table) => UNDER_TRAFFIC.includes(table)),
    'CREATE INDEX "usage_events_by_next_count" ON "usage_events" USING btree ("next_count");',
  ].join('--> statement-breakpoint\n');
}
