// The statements of the sources that change or read many rows at once, found by their text: what is written with the query
// builder on a transaction or a database, and what is written as SQL.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { everyTable } from '../../drizzle/every-table.ts';

const root = resolve(import.meta.dirname, '../..');
const folders = ['src', 'adapters', 'interactions'];

/** `what`: `delete flows`; `where`: `src/accounts/sign-in-flow.ts endFlow`. */
export type Statement = { what: string; where: string; text: string };

export async function statementsOfSources(): Promise<Statement[]> {
  const found: Statement[] = [];
  for (const folder of folders) {
    for (const entry of await readdir(join(root, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(entry)) continue;
      const file = join(folder, entry);
      found.push(...statementsOf(file, await readFile(join(root, file), 'utf8')));
    }
  }
  return found;
}

const BUILT = /\b(?:tx|db)\s*\.(delete|update)\(([\w.]+)\)/g;
const WHOLE = /\.from\((\w+)\)/g;
const isTable = (name: string) => Object.hasOwn(everyTable, name);
const RAW = /\b(delete from|update)\s+(?:\$\{(\w+)\}|([a-z_]+))(?=\s+(?:where|set|as\b|using))/g;

export function statementsOf(file: string, text: string): Statement[] {
  const at = (index: number) => `${file} ${functionAt(text, index)}`;
  const built = [...text.matchAll(BUILT)].map((match) => ({
    what: `${match[1]} ${match[2]}`,
    where: at(match.index),
    text: statementAt(text, match.index),
  }));
  const raw = [...text.matchAll(RAW)].map((match) => ({
    what: `${match[1]?.replace(' from', '')} ${match[2] ?? match[3]}`,
    where: at(match.index),
    text: text.slice(match.index, text.indexOf('`', match.index)),
  }));
  const read = [...text.matchAll(WHOLE)]
    .filter(([, name = '']) => isTable(name))
    .map((match) => ({
      what: `select ${match[1]}`,
      where: at(match.index),
      text: statementAt(text, match.index),
    }));
  return [...built, ...raw, ...read.filter((each) => !/\.(where|limit|innerJoin)\(/.test(each.text))];
}

/** The last one that began before, at most one indentation deep. */
function functionAt(text: string, index: number): string {
  const heads =
    /^(?:export )?(?:async )?function\*? (\w+)|^(?:export )?const (\w+)|^ {2}(?:async )?(\w+)\(.*\{$/gm;
  let name = '(file)';
  for (const match of text.matchAll(heads)) {
    if (match.index > index) break;
    name = match[1] ?? match[2] ?? match[3] ?? name;
  }
  return name;
}

function statementAt(text: string, index: number): string {
  const end = text.indexOf(';', index);
  return text.slice(index, end < 0 ? undefined : end);
}

/** Conditions that their files define by a unique key. */
const ONE_ROW = /\b(isThisOne|isThisFlow|isMember|isOne|isFlow|isOwn|isCodeOf|isRecord|isValid)\b/;

/** Whether its condition names all columns of a key that is unique, so that it is about one row, or says a limit. */
export function isBounded({ what, text }: Statement): boolean {
  if (/\.limit\(|\blimit \$\{/.test(text) || ONE_ROW.test(text)) return true;
  const [, name = ''] = what.split(' ');
  const [, table] =
    Object.entries(everyTable).find(([key, value]) => key === name || getTableName(value) === name) ?? [];
  if (!table) return false;
  return uniqueKeysOf(table).some((key) => key.every((column) => names(text, name, column)));
}

function names(text: string, table: string, column: string): boolean {
  return new RegExp(`eq\\(\\s*${table}\\.${column},`).test(text);
}

function uniqueKeysOf(table: PgTable): string[][] {
  const { columns, primaryKeys, uniqueConstraints } = getTableConfig(table);
  const names = new Map(Object.entries(getTableColumns(table)).map(([key, { name }]) => [name, key]));
  const keyOf = (found: { name: string }[]) => found.map(({ name }) => names.get(name) ?? name);
  return [
    ...columns.filter(({ primary, isUnique }) => primary || isUnique).map((column) => keyOf([column])),
    ...primaryKeys.map((key) => keyOf(key.columns)),
    ...uniqueConstraints.map((key) => keyOf(key.columns)),
  ];
}
