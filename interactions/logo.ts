// An application's logo, for our own pages: always a PNG that we drew, under headers that keep a browser from
// taking it for anything else (threat 43).
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { LOGO_CONTENT_TYPE } from '../src/applications/logo.ts';
import { readLogo } from '../src/applications/logo-file.ts';
import type { Database } from '../src/database/connection.ts';
import { TollgateError } from '../src/errors.ts';
import { serveRoutes } from '../src/http/routing.ts';
import { logoCacheSeconds } from '../src/limits/protocol.ts';

export function serveLogos({ db }: { db: Database }): Middleware {
  const router = new Router();
  router.get('/applications/:id/logo', async (ctx) => {
    const { id = '' } = ctx.params;
    const logo = APPLICATION_ID.test(id) ? await readLogo(db, id) : undefined;
    if (!logo) throw new TollgateError('not_found', 'There is nothing at this address.');
    ctx.set('Content-Security-Policy', "sandbox; default-src 'none'");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('Cache-Control', `public, max-age=${logoCacheSeconds}`);
    ctx.type = LOGO_CONTENT_TYPE;
    ctx.body = Buffer.from(logo);
  });
  return serveRoutes(router, { below: '/applications/' });
}

const APPLICATION_ID = /^app_[0-9a-f]{32}$/;
