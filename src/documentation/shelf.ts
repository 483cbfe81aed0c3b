// The Markdown of docs/, read and taken apart once: its pages by their addresses below /docs, with the anchors of their
// headings, and cut into sections for the search. The reader's own issuer stands where the files have an example.
import { readdirSync, readFileSync } from 'node:fs';
import { lexer, type MarkedToken, type Tokens } from 'marked';

export type Page = {
  /** Below /docs: `webhooks`, `decisions/0801-deliveries-take-turns`. */
  slug: string;
  title: string;
  /** Without the heading that is the title. */
  tokens: MarkedToken[];
  anchors: ReadonlyMap<MarkedToken, string>;
  /** What a screen reader says of each table: each needs a name of its own. */
  tableNames: ReadonlyMap<MarkedToken, string>;
  sections: Section[];
  /** Whether it has a place for the reader's own Client ID. */
  namesClientId: boolean;
};
export type Section = { heading: string; anchor: string | undefined; text: string };
export type Shelf = ReadonlyMap<string, Page>;
export type BaseUrls = { baseUrl: string; apiBaseUrl: string };

/** Where the files have it, a signed-in reader finds their own. */
export const CLIENT_ID = '<Client ID>';

export const decisionsSlug = 'decisions';
/** Earlier figures and findings: linked from the pages that they were on, and in no navigation. */
const historySlug = 'history';
/** The list of contents for whoever reads the repository; here the navigation is that. */
const REPOSITORY_INDEX = 'README.md';

export function readShelf(baseUrls: BaseUrls): Shelf {
  const pages = [...slugsOf('.'), ...slugsOf(decisionsSlug), ...slugsOf(historySlug)].map((slug) =>
    readPage(slug, baseUrls),
  );
  const decisions = pages.filter(({ slug }) => slug.startsWith(`${decisionsSlug}/`));
  return new Map([...pages, listOf(decisions)].map((page) => [page.slug, page]));
}

/** By the package's own import map: the build may have put this module into another file (scripts/bundle.ts). */
const folder = () => new URL(import.meta.resolve('#root/docs/glossary.md'));

function slugsOf(path: string): string[] {
  const names = readdirSync(new URL(`${path}/`, folder())).filter(
    (name) => name.endsWith('.md') && name !== REPOSITORY_INDEX,
  );
  return names.sort().map((name) => `${path === '.' ? '' : `${path}/`}${name.slice(0, -'.md'.length)}`);
}

function readPage(slug: string, baseUrls: BaseUrls): Page {
  return pageOf(slug, fillIn(readFileSync(new URL(`${slug}.md`, folder()), 'utf8'), baseUrls));
}

function fillIn(text: string, { baseUrl, apiBaseUrl }: BaseUrls): string {
  return text.replaceAll(/https:\/\/id\.example\.com|\{base_url\}|\{api_base_url\}/g, (found) =>
    found === '{api_base_url}' ? apiBaseUrl : baseUrl,
  );
}

function pageOf(slug: string, text: string): Page {
  // The lexer's own type leaves room for extensions; there are none.
  const all = lexer(text) as MarkedToken[];
  const title = all.find((token): token is Tokens.Heading => token.type === 'heading' && token.depth === 1);
  const tokens = all.filter((token) => token !== title && token.type !== 'space');
  const anchors = anchorsOf(tokens);
  return {
    slug,
    title: title ? plain(title.text) : slug,
    tokens,
    anchors,
    tableNames: tableNamesOf(tokens),
    sections: sectionsOf(tokens, anchors),
    namesClientId: text.includes(CLIENT_ID),
  };
}

function listOf(decisions: Page[]): Page {
  const lines = decisions.map(({ slug, title }) => `- [${title.replaceAll(/[[\]]/g, '')}](${slug}.md)`);
  return pageOf(
    decisionsSlug,
    `# Decisions\n\nWhat was decided where the specification is silent.\n\n${lines.join('\n')}`,
  );
}

/** As GitHub makes them, so that a link works in both places. */
function anchorsOf(tokens: MarkedToken[]): Map<MarkedToken, string> {
  const anchors = new Map<MarkedToken, string>();
  const counts = new Map<string, number>();
  for (const token of tokens) {
    if (token.type !== 'heading') continue;
    const name = plain(token.text)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    anchors.set(token, before === 0 ? name : `${name}-${before}`);
  }
  return anchors;
}

function tableNamesOf(tokens: MarkedToken[]): Map<MarkedToken, string> {
  const names = new Map<MarkedToken, string>();
  let heading = 'Overview';
  for (const token of tokens) {
    if (token.type === 'heading') heading = plain(token.text);
    if (token.type === 'table') names.set(token, `Table ${names.size + 1}: ${heading}`);
  }
  return names;
}

function sectionsOf(tokens: MarkedToken[], anchors: ReadonlyMap<MarkedToken, string>): Section[] {
  const sections: Section[] = [{ heading: '', anchor: undefined, text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading')
      sections.push({ heading: plain(token.text), anchor: anchors.get(token), text: '' });
    else {
      const section = sections.at(-1);
      if (section) section.text += `${plain(token.raw)} `;
    }
  }
  return sections;
}

/** Words without their marks. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*|]|^#+ |:?-{3,}:?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
