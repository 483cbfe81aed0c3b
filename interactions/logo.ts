// An application's logos and style sheet, for our own pages: a logo is always a PNG that we drew, under headers that keep
// a browser from taking it for anything else (threat 43); the style sheet is made of checked values alone (threat 149).
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { findAppearance, readDarkLogo } from '../src/applications/appearance.ts';
import { LOGO_CONTENT_TYPE } from '../src/applications/logo.ts';
import { readLogo } from '../src/applications/logo-file.ts';
import type { Database } from '../src/database/connection.ts';
import { TollgateError } from '../src/errors.ts';
import { serveRoutes } from '../src/http/routing.ts';
import { assetSeconds, logoCacheSeconds } from '../src/limits/pages.ts';
import { lookStyles, lookStylesPath } from '../src/page/look-styles.ts';

export function serveLogos({ db }: { db: Database }): Middleware {
  const router = new Router();
  router.get('/applications/:id/logo', (ctx) => showLogo(ctx, readLogo, db));
  router.get('/applications/:id/logo-dark', (ctx) => showLogo(ctx, readDarkLogo, db));
  router.get('/applications/:id/look-:hash.css', async (ctx) => {
    const id = idOf(ctx);
    const look = await findAppearance(db, id);
    const path = lookStylesPath(id, look);
    if (!path) throw nothingHere();
    // One that a page named before the last change gets what is true now, for this once.
    ctx.set('Cache-Control', path === ctx.path ? `public, max-age=${assetSeconds}, immutable` : 'no-store');
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.type = 'text/css; charset=utf-8';
    ctx.body = lookStyles(look);
  });
  return serveRoutes(router, { below: '/applications/' });
}

async function showLogo(ctx: Context, read: typeof readLogo, db: Database): Promise<void> {
  const logo = await read(db, idOf(ctx));
  if (!logo) throw nothingHere();
  ctx.set('Content-Security-Policy', "sandbox; default-src 'none'");
  ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
  ctx.set('Cache-Control', `public, max-age=${logoCacheSeconds}`);
  ctx.type = LOGO_CONTENT_TYPE;
  ctx.body = Buffer.from(logo);
}

/** @throws TollgateError not_found */
function idOf({ params }: Context): string {
  const id: string = params.id ?? '';
  if (!APPLICATION_ID.test(id)) throw nothingHere();
  return id;
}

const APPLICATION_ID = /^app_[0-9a-f]{32}$/;

function nothingHere(): TollgateError {
  return new TollgateError('not_found', 'There is nothing at this address.');
}
