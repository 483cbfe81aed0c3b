// The door for readers: /docs, the Markdown of docs/ in our design, for whoever comes. It only reads, needs no script,
// and puts each page together once; but those with a Client ID, for whoever is signed in to company settings, each time.
import type { Context, Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import { TollgateError } from '../errors.ts';
import { type FixedText, fixedText, sendFixedText } from '../http/fixed-text.ts';
import { documentationCacheSeconds, searchCharacters } from '../limits/documentation.ts';
import { readForCrawlers } from './crawlers.ts';
import { type Download, readDownload } from './downloads.ts';
import { renderDocument, renderSearch, renderStart } from './pages.tsx';
import { findOwnApplications, type Readers } from './reader.ts';
import { search } from './search.ts';
import { type Page, readShelf, type Shelf } from './shelf.ts';

type Dependencies = Readers & { config: Pick<Config, 'baseUrl' | 'apiBaseUrl'> };

export function createDocumentation({ config, ...readers }: Dependencies): Middleware {
  const pages = new Map<string, FixedText>();
  let shelf: Shelf | undefined;

  /** Read at the first question: most processes of a start never get one. */
  function open(): Shelf {
    shelf ??= readShelf(config);
    return shelf;
  }

  function textOf(path: string): FixedText {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const text = fixedText(path === '' ? renderStart(config) : renderOne(path.slice(1)));
    pages.set(path, text);
    return text;
  }

  function renderOne(slug: string): string {
    const page = open().get(slug);
    if (!page)
      throw new TollgateError('not_found', 'The documentation has no such page. /docs lists all of them.');
    return renderDocument(page, open(), config);
  }

  /** With the Client ID of whoever is signed in to company settings: theirs alone, so nobody keeps it. */
  async function answerOwn(ctx: Context, page: Page): Promise<void> {
    const own = await findOwnApplications(ctx, readers);
    ctx.set('Vary', 'Cookie');
    if (!own) return answerPage(ctx, `/${page.slug}`);
    ctx.body = renderDocument(page, open(), config, own);
    ctx.set('Cache-Control', 'private, no-store');
  }

  function answerPage(ctx: Context, path: string): void {
    sendFixedText(ctx, textOf(path));
    ctx.set('Cache-Control', `public, max-age=${documentationCacheSeconds}`);
  }

  function answerFile(ctx: Context, { name, type, content }: Download): void {
    ctx.attachment(name);
    ctx.type = type;
    ctx.body = content;
    ctx.set('Cache-Control', `public, max-age=${documentationCacheSeconds}`);
  }

  function answerSearch(ctx: Context): void {
    const question = new URLSearchParams(ctx.querystring).get('q')?.trim().slice(0, searchCharacters) ?? '';
    ctx.body = renderSearch({ question, found: search(open(), question) }, config);
  }

  /** @returns whether this was such a path. */
  function answerCrawlers(ctx: Context): boolean {
    const text = readForCrawlers(ctx.path, config);
    if (text === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return false;
    ctx.type = 'text/plain';
    ctx.set('Cache-Control', `public, max-age=${documentationCacheSeconds}`);
    ctx.body = text;
    return true;
  }

  return (ctx, next) => {
    if (answerCrawlers(ctx)) return undefined;
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      throw new TollgateError('method_not_allowed', 'The documentation only answers GET and HEAD.');
    }
    ctx.type = 'html';
    if (ctx.path === '/docs/search') return answerSearch(ctx);
    const file = readDownload(ctx.path);
    if (file) return answerFile(ctx, file);
    const path = ctx.path.slice('/docs'.length).replace(/\/$/, '');
    const page = open().get(path.slice(1));
    return page?.namesClientId ? answerOwn(ctx, page) : answerPage(ctx, path);
  };
}
