// Everything that a reader of this repository is referred to is in it: promises and threats by the numbers of
// docs/promises.md and docs/threats.md, decisions by their page, and no paper that only its authors have read.
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');
const folders = [
  'src',
  'interactions',
  'adapters',
  'drizzle',
  'test',
  'examples',
  'docs',
  'bench',
  'scripts',
  'deploy',
];
const files = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  '.env.example',
  'compose.yaml',
  'Dockerfile',
];
const readable = ['.ts', '.tsx', '.js', '.md', '.sql', '.sh', '.py', '.go', '.php', '.yaml', '.html', '.css'];
const thisFile = relative(root, import.meta.filename);
/** Their titles cite the clauses of the standard that the file is named after. */
const namedAfterStandards = 'test/standards/';

/** What a paper outside the repository would be called by. */
const elsewhere = [
  /\b(?:attack|issue)s? \d+/gi,
  /\bdesign(?:\.md)?,? (?:§ ?|sections? )?\d+/gi,
  /\b(?:design|attacks|stack|style|specification)\.md\b/g,
  /\bspecification,? (?:§|section)/gi,
  /\bfault [A-Z]\b/g,
  /(?<!(?:RFC \d+|Core|Back-Channel Logout|FAPI 2.0|WebAuthn|Level \d).{0,40})(?:§ ?|\bsections? )\d+/gi,
];

type Text = { file: string; text: string };

async function texts(): Promise<Text[]> {
  const found = [...files];
  for (const folder of folders)
    for (const name of await readdir(join(root, folder), { recursive: true })) {
      const isOurs = readable.includes(extname(name)) && !name.includes('node_modules');
      if (isOurs && join(folder, name) !== thisFile) found.push(join(folder, name));
    }
  return Promise.all(
    found.map(async (file) => ({ file, text: flat(await readFile(join(root, file), 'utf8')) })),
  );
}

/** A reference may begin on one line of a comment and end on the next. */
function flat(text: string): string {
  return text.replace(/\n[ \t]*(?:\/\/|\*(?!\/)|--|#)?[ \t]*/g, ' ');
}

/** "threats 31 to 34, 37 and 91": every number that is written out. */
function numbersOf(word: string, text: string): number[] {
  const lists = text.matchAll(new RegExp(`\\b${word}s? (\\d+(?:(?:, and |, | and | to |–)\\d+)*)`, 'gi'));
  return [...lists].flatMap(([, list = '']) => (list.match(/\d+/g) ?? []).map(Number));
}

/** The same, with everything between two ends of a range. */
function coveredBy(word: string, text: string): Set<number> {
  const spelledOut = text.replace(/(\d+)(?: to |–)(\d+)/g, (_range, first, last) => {
    const length = Number(last) - Number(first) + 1;
    return length > 0 ? Array.from({ length }, (_, index) => Number(first) + index).join(', ') : '';
  });
  return new Set(numbersOf(word, spelledOut));
}

type Row = { number: number; holders: string[] };

/** Each numbered row of a page, and the files in its last column. */
async function rowsOfPage(page: string): Promise<Row[]> {
  const lines = (await readFile(join(root, page), 'utf8')).split('\n');
  return lines
    .map((line) => line.split(' | '))
    .filter(([first = '']) => /^\| \d+$/.test(first))
    .map((cells) => ({
      number: Number(cells[0]?.slice(2)),
      holders: [...(cells.at(-1) ?? '').matchAll(/`([^`]+\.ts)`/g)].map(([, file = '']) => file),
    }));
}

test('nothing points to a paper that is not in the repository', async () => {
  const pointing = (await texts()).flatMap(({ file, text }) => {
    const patterns = file.startsWith(namedAfterStandards) ? elsewhere.slice(0, -1) : elsewhere;
    return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([found]) => `${file}: ${found}`));
  });
  expect(pointing).toEqual([]);
});

describe.each([
  ['promise', 'docs/promises.md'],
  ['threat', 'docs/threats.md'],
])('every %s', (word, page) => {
  test('that is quoted has its number on the page', async () => {
    const known = new Set((await rowsOfPage(page)).map(({ number }) => number));
    expect(known.size).toBeGreaterThan(40);
    const unknown = (await texts())
      .filter(({ file }) => file !== page)
      .flatMap(({ file, text }) => numbersOf(word, text).map((number) => ({ file, number })))
      .filter(({ number }) => !known.has(number));
    expect(unknown).toEqual([]);
  });

  test('has a number of its own', async () => {
    const numbers = (await rowsOfPage(page)).map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
  });

  test('names the tests that hold it, and the first of them says so', async () => {
    const rows = await rowsOfPage(page);
    const missing = rows.flatMap(({ holders }) => holders.filter((file) => !existsSync(join(root, file))));
    expect(missing).toEqual([]);
    const silent: string[] = [];
    for (const { number, holders } of rows) {
      const [first = ''] = holders;
      const text = first && flat(await readFile(join(root, first), 'utf8'));
      if (!coveredBy(word, text).has(number)) silent.push(`${word} ${number}: ${first}`);
    }
    expect(silent).toEqual([]);
  });
});
