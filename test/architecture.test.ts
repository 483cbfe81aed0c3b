// The house as docs/architecture.md draws it: four storeys, imports only go down, no door knows another door and
// no room another room. Read from the import lines themselves.
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '..');
const folders = ['src', 'adapters', 'interactions', 'drizzle'];
/** From the roof down. A file imports from its own storey's folder and from those below. */
const storeys = {
  roof: ['src/cli.ts', 'src/tollgate.ts', 'src/service', 'src/command', 'src/operator', 'src/doctor'],
  door: ['src/oidc', 'src/api', 'src/documentation', 'src/settings', 'interactions', 'adapters'],
  room: ['src/accounts', 'src/applications', 'src/ledger', 'src/webhooks', 'src/traces'],
  ground: [
    'src/http',
    'src/database',
    'src/queue',
    'src/redis',
    'src/limits',
    'src/telemetry',
    'src/first-party',
    'src/config',
    'src/page',
    'src/social',
    'src/payments',
    'drizzle',
  ],
};
type Storey = keyof typeof storeys;
/** What everybody knows, and what fits into no folder. Ten at most. */
const loose = ['clock', 'entries', 'errors', 'id', 'log', 'loopback', 'money', 'secrets'];
const WHERE_IT_BELONGS = `what runs the process belongs in src/service, a command in src/command; what somebody asks of us over
HTTP in a door (${storeys.door.join(', ')}); rules of the business in a room (${storeys.room.join(', ')}); what knows no
rule of the business in a folder of the ground (${storeys.ground.join(', ')})`;
/** Only these may know the engine. */
const engineFolders = ['src/oidc', 'adapters', 'interactions/engine-exit.ts', 'src/tollgate.ts'];
const MAXIMUM_LINES = 250;
/** Pages of somebody who is signed in: they change things inside `visit.change` or `changeAs`, which ask again. */
const signedInDoors = ['src/settings', 'interactions/account'];
/** Those of their files that open a transaction of their own, each with the reason. */
const ownTransactions: Record<string, string> = {
  'interactions/account/data.tsx': 'only looks, for the page that asks before a deletion',
  'interactions/account/email-address-return.tsx':
    'for whoever comes with the link in a mail, signed in or not',
};

type Source = { file: string; text: string; imports: string[]; staticImports: string[] };

async function sources(): Promise<Source[]> {
  const found: Source[] = [];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { recursive: true });
    for (const entry of entries.filter((name) => /\.tsx?$/.test(name))) {
      const file = join(folder, entry);
      const text = await readFile(join(root, file), 'utf8');
      const imports = importsOf(file, text, /(?:from|import\()\s*'([^']+)'/g);
      const staticImports = importsOf(file, text, /^import (?!type)[^;]*?from '([^']+)'/gm);
      found.push({ file, text, imports, staticImports });
    }
  }
  return found;
}

function importsOf(file: string, text: string, pattern: RegExp): string[] {
  const specifiers = [...text.matchAll(pattern)].map((match) => match[1] ?? '');
  return specifiers.map((specifier) =>
    specifier.startsWith('.') ? relative(root, resolve(root, dirname(file), specifier)) : specifier,
  );
}

const within = (file: string, places: string[]) =>
  places.find((place) => file === place || file.startsWith(`${place}/`));

function storeyOf(file: string): Storey | undefined {
  if (loose.some((name) => file === `src/${name}.ts`)) return 'ground';
  const names: Storey[] = ['roof', 'door', 'room', 'ground'];
  return names.find((name) => within(file, storeys[name]));
}

const height = { ground: 0, room: 1, door: 2, roof: 3 };

describe('the house', () => {
  test('every file stands in a folder of a storey', async () => {
    const homeless = (await sources()).filter(({ file }) => !storeyOf(file));
    expect(homeless.map(({ file }) => `${file} stands in no storey: ${WHERE_IT_BELONGS}`)).toEqual([]);
    expect(loose.length).toBeLessThanOrEqual(10);
  });

  test('imports only go down, and neighbours on a storey do not know each other', async () => {
    const wrong: string[] = [];
    for (const { file, imports } of await sources()) {
      for (const target of imports.filter((name) =>
        folders.some((folder) => name.startsWith(`${folder}/`)),
      )) {
        const [from, to] = [storeyOf(file) ?? 'ground', storeyOf(target) ?? 'ground'];
        const isNeighbour =
          (from === 'door' && to === 'door' && within(file, storeys.door) !== within(target, storeys.door)) ||
          (from === 'room' && to === 'room' && within(file, storeys.room) !== within(target, storeys.room));
        if (height[to] > height[from] || isNeighbour) wrong.push(`${file} imports ${target}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('no two folders import each other', async () => {
    const folderOf = (file: string) => (dirname(file) === 'src' ? file : dirname(file));
    const arrows = new Set<string>();
    for (const { file, imports } of await sources())
      for (const target of imports.filter((name) => storeyOf(name)))
        arrows.add(`${folderOf(file)} > ${folderOf(target)}`);
    const both = [...arrows].filter((arrow) => {
      const [from, to] = arrow.split(' > ');
      return from !== to && arrows.has(`${to} > ${from}`);
    });
    expect(both).toEqual([]);
  });

  test('no file imports itself through others, not even their types', async () => {
    const importsByFile = new Map((await sources()).map(({ file, imports }) => [file, imports]));
    const reachedFrom = (start: string) => {
      const reached = new Set<string>();
      const walk = (file: string) => {
        for (const next of importsByFile.get(file) ?? []) {
          if (reached.has(next)) continue;
          reached.add(next);
          walk(next);
        }
      };
      walk(start);
      return reached;
    };
    const circular = [...importsByFile.keys()].filter((file) => reachedFrom(file).has(file));
    expect(circular).toEqual([]);
  });

  test('only the engine room knows the engine, and only through its public entrance', async () => {
    const wrong = (await sources()).flatMap(({ file, imports }) =>
      imports
        .filter((name) => name.startsWith('oidc-provider'))
        .filter((name) => name !== 'oidc-provider' || !within(file, engineFolders))
        .map((name) => `${file} imports ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test('what a signed-in person changes is changed where their authority is asked again (decision 701)', async () => {
    const files = (await sources()).filter(({ file }) => within(file, signedInDoors));
    const opening = files.filter(
      ({ text }) =>
        /import \{[^}]*\btransaction\b[^}]*\} from '[^']*\/database\/connection\.ts'/.test(text) ||
        /\.transaction\(/.test(text),
    );
    expect(opening.map(({ file }) => file).sort()).toEqual(Object.keys(ownTransactions).sort());
    // Tables are the rooms' business, so nothing is written past them either.
    const reaching = files.filter(({ staticImports }) =>
      staticImports.some((name) => name.startsWith('drizzle-orm') || name.startsWith('drizzle/')),
    );
    expect(reaching.map(({ file }) => file)).toEqual([]);
  });

  test('rooms know neither Koa nor pages', async () => {
    const wrong = (await sources())
      .filter(({ file }) => within(file, storeys.room))
      .flatMap(({ file, imports }) =>
        imports.filter((name) => /^(@?koa|preact)/.test(name)).map((name) => `${file} imports ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('every file says at its head what lives there, and fits in 250 lines', async () => {
    const wrong = (await sources()).flatMap(({ file, text }) => {
      const problems: string[] = [];
      const head = text.replace(/^#!.*\n/, '');
      if (!head.startsWith('//') && !head.startsWith('/*')) problems.push(`${file} has no opening comment`);
      const lines = text.split('\n').length - 1;
      if (lines > MAXIMUM_LINES) problems.push(`${file} has ${lines} lines`);
      return problems;
    });
    expect(wrong).toEqual([]);
  });

  test('no file exports a default, uses any, or switches a rule off', async () => {
    const forbidden =
      /\bexport default\b|\bas any[;,)\]>]|: any\b(?! [a-z])|@ts-(ignore|expect-error|nocheck)|biome-ignore/;
    const wrong = (await sources()).filter(({ text }) => forbidden.test(text)).map(({ file }) => file);
    expect(wrong).toEqual([]);
  });

  test('commands start fast: none loads the database before it knows that no running service will answer', async () => {
    const importsByFile = new Map((await sources()).map(({ file, staticImports }) => [file, staticImports]));
    const loaded = new Set<string>();
    const load = (file: string) => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const next of importsByFile.get(file) ?? []) load(next);
    };
    load('src/command/program.ts');
    expect(loaded).toContain('src/command/operator.ts');
    for (const heavy of [
      'src/database/connection.ts',
      'src/service/stores.ts',
      'drizzle-orm',
      'oidc-provider',
    ])
      expect(loaded).not.toContain(heavy);
  });
});
