// Where a page leads whose flow is over or never began: back to the application. The browser keeps which one a flow was for, because
// nothing here remembers a flow that has ended.
import type { Context } from 'koa';
import type { Application } from '../src/applications/application.ts';
import type { Database } from '../src/database/connection.ts';
import { type PageCookie, readCookie, writeCookie } from '../src/http/cookies.ts';
import { leftApplicationSeconds } from '../src/limits/pages.ts';
import { findService } from './service.ts';

type Flow = { uid: string; clientId: string; isOfDevice: boolean };
export type Left = 'device' | { clientId: string } | undefined;

const DEVICE = 'device';
const CLIENT_ID = /^[\w-]{1,100}$/;

/** Says nothing that the address of the sign-in did not say. */
export function rememberApplication(ctx: Context, { uid, clientId, isOfDevice }: Flow): void {
  const value = isOfDevice ? DEVICE : clientId;
  if (readCookie(ctx, cookieOf(uid)) !== value)
    writeCookie(ctx, cookieOf(uid), value, leftApplicationSeconds);
}

export function recallApplication(ctx: Context, uid: string): Left {
  const value = readCookie(ctx, cookieOf(uid));
  if (value === undefined || !CLIENT_ID.test(value)) return undefined;
  return value === DEVICE ? DEVICE : { clientId: value };
}

function cookieOf(uid: string): PageCookie {
  return { name: 'tollgate_application', path: `/interaction/${uid}` };
}

/** One that cannot be read is none: these pages are shown when something went wrong already. */
export function findLeft(db: Database, clientId: string) {
  return findService(db, clientId).catch(() => undefined);
}

/**
 * The front page of the site that an owner registered a callback at; what the request says only chooses among those. One that
 * developers have on their own machine comes last.
 */
export function homeOf(
  { redirectUris, isService }: Pick<Application, 'redirectUris' | 'isService'>,
  sent?: string,
): string | undefined {
  if (isService) return undefined;
  const homes = redirectUris.map((uri) => new URL('/', uri));
  const asked = sent === undefined ? undefined : URL.parse('/', sent)?.href;
  const found =
    homes.find(({ href }) => href === asked) ??
    homes.find(({ hostname }) => hostname !== 'localhost') ??
    homes[0];
  return found?.href;
}
