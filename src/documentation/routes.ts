// The door for readers: /docs, the Markdown of docs/ in our design, for whoever comes. It only reads, needs no script, and
// puts each page together once.
import type { Context, Middleware } from 'koa';
import type { Config } from '../config/config.ts';
import { TollgateError } from '../errors.ts';
import { documentationCacheSeconds, searchCharacters } from '../limits/documentation.ts';
import { renderDocument, renderSearch, renderStart } from './pages.tsx';
import { search } from './search.ts';
import { readShelf, type Shelf } from './shelf.ts';

export function createDocumentation(config: Pick<Config, 'baseUrl' | 'apiBaseUrl'>): Middleware {
  const pages = new Map<string, string>();
  let shelf: Shelf | undefined;

  /** Read at the first question: most processes of a start never get one. */
  function open(): Shelf {
    shelf ??= readShelf(config);
    return shelf;
  }

  function textOf(path: string): string {
    const known = pages.get(path);
    if (known !== undefined) return known;
    const text = path === '' ? renderStart(config) : renderOne(path.slice(1));
    pages.set(path, text);
    return text;
  }

  function renderOne(slug: string): string {
    const page = open().get(slug);
    if (!page)
      throw new TollgateError('not_found', 'The documentation has no such page. /docs lists all of them.');
    return renderDocument(page, open(), config);
  }

  function answerSearch(ctx: Context): void {
    const question = new URLSearchParams(ctx.querystring).get('q')?.trim().slice(0, searchCharacters) ?? '';
    ctx.body = renderSearch({ question, found: search(open(), question) }, config);
  }

  return (ctx, next) => {
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return next();
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') {
      ctx.set('Allow', 'GET, HEAD');
      throw new TollgateError('method_not_allowed', 'The documentation only answers GET and HEAD.');
    }
    ctx.type = 'html';
    if (ctx.path === '/docs/search') return answerSearch(ctx);
    ctx.body = textOf(ctx.path.slice('/docs'.length).replace(/\/$/, ''));
    ctx.set('Cache-Control', `public, max-age=${documentationCacheSeconds}`);
  };
}
