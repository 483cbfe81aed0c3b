// A search without an index: some hundred kilobytes of text, looked through in a few milliseconds. A section is found when
// it has every word; what stands in headings counts most.
import {
  searchCharacters,
  searchExcerptCharacters,
  searchResults,
  searchWords,
} from '../limits/documentation.ts';
import { chapters } from './contents.ts';
import type { Page, Section, Shelf } from './shelf.ts';

export type Found = {
  path: string;
  title: string;
  heading: string;
  /** Around the first word: what was looked for and what was not, in turns. */
  excerpt: { text: string; isWord: boolean }[];
};

export function search(shelf: Shelf, question: string): Found[] {
  const words = wordsOf(question);
  if (words.length === 0) return [];
  const found = [...shelf.values()].flatMap((page) =>
    page.sections.map((section) => ({ page, section, weight: weigh(page, section, words) })),
  );
  return found
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, searchResults)
    .map(({ page, section }) => ({
      path: `/docs/${page.slug}${section.anchor ? `#${section.anchor}` : ''}`,
      title: page.title,
      heading: section.heading,
      excerpt: excerptOf(section.text, words),
    }));
}

function wordsOf(question: string): string[] {
  const words = question.slice(0, searchCharacters).toLowerCase().split(/\s+/).filter(Boolean);
  return [...new Set(words)].slice(0, searchWords);
}

/** 0: a word is missing. Words beside each other, as they were asked for, say more than each of them alone. */
function weigh(page: Page, section: Section, words: string[]): number {
  const [title, heading, text] = [page.title, section.heading, section.text].map((part) =>
    part.toLowerCase(),
  );
  let weight = 0;
  for (const word of words) {
    const here = 12 * Math.min(1, count(heading, word)) + Math.min(4, count(text, word));
    const above = 10 * Math.min(1, count(title, word));
    if (here + above === 0) return 0;
    weight += here + above;
  }
  const phrase = words.join(' ');
  if (words.length > 1)
    weight += 40 * Math.min(1, count(heading, phrase)) + 20 * Math.min(2, count(text, phrase));
  return weight * standing(page);
}

/** Most who search integrate; the reasons behind a rule come after the rule. */
function standing({ slug }: Page): number {
  if (slug.includes('/')) return 1 / 4;
  return operatorPages.has(slug) ? 1 / 2 : 1;
}

const operatorPages = new Set(
  chapters.filter(({ name }) => name === 'Operate').flatMap(({ pages }) => pages.map(({ slug }) => slug)),
);

/** Where a word begins it counts whole; in the middle of a longer one, a little. */
function count(text: string | undefined, word: string): number {
  const pattern = new RegExp(`(?<!\\w)${RegExp.escape(word)}`, 'g');
  const begun = text?.match(pattern)?.length ?? 0;
  const all = (text ?? '').split(word).length - 1;
  return begun + (all - begun) / 4;
}

function excerptOf(text: string, words: string[]): Found['excerpt'] {
  const lower = text.toLowerCase();
  const places = [words.join(' '), ...words]
    .map((wanted) => lower.indexOf(wanted))
    .filter((place) => place >= 0);
  const from = Math.max(0, (places[0] ?? 0) - searchExcerptCharacters / 4);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const end = start + searchExcerptCharacters;
  const cut = end < text.length ? text.slice(start, text.lastIndexOf(' ', end)) : text.slice(start);
  const pattern = new RegExp(`(${words.map((word) => RegExp.escape(word)).join('|')})`, 'i');
  const parts = cut.split(pattern).map((part, index) => ({ text: part, isWord: index % 2 === 1 }));
  return [
    { text: start > 0 ? '… ' : '', isWord: false },
    ...parts,
    { text: end < text.length ? ' …' : '', isWord: false },
  ];
}
