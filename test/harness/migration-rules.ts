// What a migration may do while the release before it still serves (docs/decisions/0302): only add,
// and only what code that knows nothing of it cannot trip over. Everything else is refused, unless the migration names
// the release since which nobody needs the old shape.
export type Complaint = { statement: string; why: string };

const TYPE =
  '(?:text|integer|bigint|smallint|boolean|jsonb|numeric|real|double precision|timestamp|date|uuid|"bytea")';
const SIZE = '(?: ?\\(\\d+(?:, ?\\d+)?\\))?(?: with time zone)?(?:\\[\\])?';
/** A constant: PostgreSQL then adds the column without writing a row. */
const CONSTANT = "(?:'(?:[^']|'')*'(?:::[a-z]+(?:\\[\\])?)?|-?\\d+(?:\\.\\d+)?|true|false|now\\(\\))";
const NEW_COLUMN = new RegExp(`^ADD COLUMN "\\w+" ${TYPE}${SIZE}(?: DEFAULT ${CONSTANT}(?: NOT NULL)?)?$`);
const FOREIGN_KEY =
  /FOREIGN KEY .* REFERENCES (?:"public"\.)?"(\w+)"\s?\(.*\)(?: ON DELETE (cascade|set null|no action))?/;
/** Their rows are marked, never deleted, so a reference to them stands in nobody's way. */
const NEVER_DELETED = ['workspaces', 'applications'];
const SAFE_SINCE = /^-- safe since (\S+): \S/m;

/** @param released versions before the one that the migration belongs to. */
export function findIncompatible(migration: string, released: readonly string[]): Complaint[] {
  const chunks = migration.split('--> statement-breakpoint');
  const statements = chunks.map((chunk) => ({ text: textOf(chunk), since: SAFE_SINCE.exec(chunk)?.[1] }));
  const made = new Set(statements.flatMap(({ text }) => /^CREATE TABLE "(\w+)"/.exec(text)?.[1] ?? []));
  const added = new Set(
    statements.flatMap(({ text }) => {
      const [, table, column] = /^ALTER TABLE "(\w+)" ADD COLUMN "(\w+)" /.exec(text) ?? [];
      return table && column ? `${table}.${column}` : [];
    }),
  );
  return statements.flatMap(({ text, since }) => {
    if (text === '' || (since !== undefined && released.includes(since))) return [];
    const why = since === undefined ? objectionTo(text, { made, added }) : `${since} was never released`;
    return why === undefined ? [] : [{ statement: text, why }];
  });
}

/** Versions that the changelog has a heading for. */
export function releasedVersions(changelog: string): string[] {
  return [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].flatMap(([, version]) => version ?? []);
}

function textOf(chunk: string): string {
  const withoutComments = chunk.replace(/^\s*--.*$/gm, '');
  return withoutComments.trim().replace(/;$/, '').replace(/\s+/g, ' ');
}

type New = {
  /** Tables of this migration. */
  made: Set<string>;
  /** Columns of it, as `table.column`. */
  added: Set<string>;
};

const FUNCTION = /^CREATE FUNCTION \w+\(\) RETURNS trigger LANGUAGE plpgsql AS \$\$ [^$]* \$\$$/;

function objectionTo(statement: string, { made, added }: New): string | undefined {
  // Called by triggers alone, which have a rule of their own.
  if (FUNCTION.test(statement)) return undefined;
  if (statement.includes(';')) return 'one statement between two breakpoints';
  if (/^CREATE TABLE "/.test(statement)) return objectionToReference(statement, made);
  const index = /^CREATE (UNIQUE )?INDEX (?:IF NOT EXISTS )?"\w+" ON "(\w+)" /.exec(statement);
  if (index) {
    const [, unique, table = ''] = index;
    return unique && !made.has(table) ? 'rows that the old code writes may collide' : undefined;
  }
  const guard = /^CREATE TRIGGER \w+ BEFORE UPDATE OF ([\w, ]+) ON (\w+) FOR EACH ROW /.exec(statement);
  // It fires for a statement that names these columns, and the old code knows none of them.
  if (guard?.[1]?.split(', ').every((column) => added.has(`${guard[2]}.${column}`))) return undefined;
  const trigger = /^CREATE TRIGGER "?\w+"? .* ON "?(\w+)"?/.exec(statement);
  if (trigger) return made.has(trigger[1] ?? '') ? undefined : 'the old code does not expect the trigger';
  const [, table = '', change = ''] = /^ALTER TABLE "(\w+)" (.*)$/.exec(statement) ?? [];
  if (made.has(table)) return objectionToReference(change, made);
  if (NEW_COLUMN.test(change)) return undefined;
  // Another name for the same rule: no statement of ours calls a constraint by its name.
  if (/^RENAME CONSTRAINT "\w+" TO "\w+"$/.test(change)) return undefined;
  return 'not known to be harmless for the release before';
}

/** The old code deletes without a thought of tables that it does not know. */
function objectionToReference(text: string, made: Set<string>): string | undefined {
  if (!text.includes('REFERENCES')) return undefined;
  const [, target = '', onDelete = 'no action'] = FOREIGN_KEY.exec(text) ?? [];
  if (made.has(target) || NEVER_DELETED.includes(target)) return undefined;
  return onDelete === 'no action' ? 'it would stop the old code from deleting what it refers to' : undefined;
}
