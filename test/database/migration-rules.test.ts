// Rolling upgrades: for one release the old code runs on the new schema, so no migration may take
// away or forbid what the code of the release before does. docs/decisions/0302 says why this is enough.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findIncompatible, releasedVersions } from '../harness/migration-rules.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = join(root, 'drizzle/migrations');
/** Made before anybody could have upgraded from anything. */
const LAST_OF_THE_FIRST_RELEASE = 4;
const RELEASED = ['0.1.0', '0.2.0'];

const migrations = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
const read = (name: string) => readFile(join(folder, name), 'utf8');

test('no migration takes anything away from the release before it', async () => {
  const released = releasedVersions(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
  const later = migrations.filter((name) => Number(name.slice(0, 4)) > LAST_OF_THE_FIRST_RELEASE);
  const complaints = await Promise.all(
    later.map(async (name) => findIncompatible(await read(name), released)),
  );
  expect(Object.fromEntries(later.map((name, index) => [name, complaints[index]]))).toEqual(
    Object.fromEntries(later.map((name) => [name, []])),
  );
});

test('the rule reads the real files: the ledger’s triggers would not pass it today', async () => {
  const [name = ''] = migrations.filter((each) => each.startsWith('0001'));
  expect(findIncompatible(await read(name), []).map(({ statement }) => statement.split(' ON ')[0])).toEqual(
    expect.arrayContaining(['CREATE TRIGGER transfers_are_append_only BEFORE UPDATE OR DELETE']),
  );
});

test('rows that a new table may point at without a rule for their end are never deleted', async () => {
  const files = await readdir(join(root, 'src'), { recursive: true });
  const sources = await Promise.all(
    files.filter((name) => /\.tsx?$/.test(name)).map((name) => readFile(join(root, 'src', name), 'utf8')),
  );
  expect(sources.filter((text) => /\.delete\((applications|workspaces)\)/.test(text))).toEqual([]);
});

describe('a migration may', () => {
  test.each([
    'ALTER TABLE "accounts" ADD COLUMN "nickname" text;',
    'ALTER TABLE "accounts" ADD COLUMN "seen_at" timestamp (3) with time zone;',
    'ALTER TABLE "accounts" ADD COLUMN "visits" integer DEFAULT 0 NOT NULL;',
    `ALTER TABLE "accounts" ADD COLUMN "labels" text[] DEFAULT '{}'::text[] NOT NULL;`,
    'ALTER TABLE "accounts" RENAME CONSTRAINT "is_short" TO "accounts_name_is_short";',
    'CREATE INDEX "accounts_by_name" ON "accounts" USING btree ("name");',
    'CREATE INDEX IF NOT EXISTS "accounts_by_name" ON "accounts" USING btree ("name");',
    'CREATE TABLE "pets" ("id" text PRIMARY KEY NOT NULL, CONSTRAINT "short" CHECK (length(id) < 9));',
    'CREATE TABLE "pets" ("id" text);--> statement-breakpoint\nCREATE UNIQUE INDEX "pets_once" ON "pets" USING btree ("id");',
    'CREATE TABLE "pets" ("id" text);--> statement-breakpoint\nALTER TABLE "pets" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;',
    'CREATE TABLE "pets" ("id" text);--> statement-breakpoint\nALTER TABLE "pets" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."applications"("id") ON DELETE no action ON UPDATE no action;',
    '-- safe since 0.2.0: nothing has read it since then\nALTER TABLE "accounts" DROP COLUMN "locale";',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;',
    'ALTER TABLE "accounts" ADD COLUMN "seen" boolean DEFAULT false NOT NULL;--> statement-breakpoint\nCREATE TRIGGER t BEFORE UPDATE OF seen ON accounts FOR EACH ROW EXECUTE FUNCTION f();',
  ])('%s', (migration) => {
    expect(findIncompatible(migration, RELEASED)).toEqual([]);
  });
});

describe('a migration may not', () => {
  test.each([
    'DROP TABLE "flows";',
    'DROP INDEX "accounts_email_unique";',
    'ALTER TABLE "accounts" DROP COLUMN "locale";',
    'ALTER TABLE "accounts" RENAME COLUMN "locale" TO "language";',
    'ALTER TABLE "accounts" RENAME TO "people";',
    'ALTER TABLE "accounts" ADD COLUMN "nickname" text NOT NULL;',
    'ALTER TABLE "accounts" ADD COLUMN "nickname" text UNIQUE;',
    'ALTER TABLE "accounts" ADD COLUMN "token" text DEFAULT gen_random_uuid() NOT NULL;',
    'ALTER TABLE "accounts" ADD COLUMN "nickname" text, DROP COLUMN "locale";',
    'ALTER TABLE "accounts" ADD COLUMN "nickname" text; ALTER TABLE "accounts" DROP COLUMN "locale";',
    'ALTER TABLE "accounts" ALTER COLUMN "name" SET NOT NULL;',
    'ALTER TABLE "accounts" ALTER COLUMN "email" DROP NOT NULL;',
    'ALTER TABLE "accounts" ALTER COLUMN "locale" SET DATA TYPE integer;',
    'ALTER TABLE "accounts" ALTER COLUMN "locale" DROP DEFAULT;',
    'ALTER TABLE "accounts" ADD CONSTRAINT "named" CHECK (name is not null);',
    // Not valid spares the rows that are there, not those that the old code is about to write.
    'ALTER TABLE "accounts" ADD CONSTRAINT "named" CHECK (name is not null) NOT VALID;',
    'ALTER TABLE "accounts" DROP CONSTRAINT "accounts_email_unique";',
    'CREATE UNIQUE INDEX "accounts_once" ON "accounts" USING btree ("name");',
    'CREATE TRIGGER t BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION f();',
    'CREATE TRIGGER t BEFORE UPDATE OF name ON accounts FOR EACH ROW EXECUTE FUNCTION f();',
    'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$; DROP TABLE "flows";',
    'UPDATE "accounts" SET "locale" = null;',
    'CREATE TABLE "pets" ("id" text);--> statement-breakpoint\nALTER TABLE "pets" ADD CONSTRAINT "f" FOREIGN KEY ("id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;',
    '-- safe since 9.9.9: a release that does not exist\nALTER TABLE "accounts" DROP COLUMN "locale";',
    '-- safe since 0.2.0:\nALTER TABLE "accounts" DROP COLUMN "locale";',
  ])('%s', (migration) => {
    expect(findIncompatible(migration, RELEASED)).toHaveLength(1);
  });
});
