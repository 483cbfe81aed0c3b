// An application's logo, for our own pages: always a PNG that we drew, under headers that keep a browser from
// taking it for anything else (attack 43).
import type { Middleware } from 'koa';
import { LOGO_CONTENT_TYPE } from '../src/applications/logo.ts';
import { readLogo } from '../src/applications/logo-file.ts';
import type { Database } from '../src/database.ts';
import { TollgateError } from '../src/errors.ts';
import { logoCacheSeconds } from '../src/limits.ts';

const ADDRESS = /^\/applications\/(app_[0-9a-f]{32})\/logo$/;

export function serveLogos({ db }: { db: Database }): Middleware {
  return async (ctx, next) => {
    const [, applicationId] = ADDRESS.exec(ctx.path) ?? [];
    if (!applicationId || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    const logo = await readLogo(db, applicationId);
    if (!logo) throw new TollgateError('not_found', 'There is nothing at this address.');
    ctx.set('Content-Security-Policy', "sandbox; default-src 'none'");
    ctx.set('Cross-Origin-Resource-Policy', 'same-origin');
    ctx.set('Cache-Control', `public, max-age=${logoCacheSeconds}`);
    ctx.type = LOGO_CONTENT_TYPE;
    ctx.body = Buffer.from(logo);
  };
}
