// The pages' own small cookies: HttpOnly, same-site, and under https with the name prefixes that make browsers
// enforce what is set here. None of them identifies a person to anybody else.
import type { Context } from 'koa';

export type PageCookie = {
  name:
    | 'tollgate_flash'
    | 'tollgate_device'
    | 'tollgate_language'
    | 'tollgate_settings'
    | 'tollgate_account'
    | 'tollgate_sign_ins'
    | 'tollgate_trial'
    | 'tollgate_application';
  /** `/` is for the whole host, anything else for the pages below it. */
  path: string;
  /** Never sent with a request that another site began, not even a link; `lax` without it. */
  sameSite?: 'strict';
};

export function readCookie(ctx: Context, cookie: PageCookie): string | undefined {
  return ctx.cookies.get(nameOf(ctx, cookie), { signed: false });
}

/** Without `seconds` it goes when the browser is closed. */
export function writeCookie(ctx: Context, cookie: PageCookie, value: string, seconds?: number): void {
  const maxAge = seconds === undefined ? {} : { maxAge: seconds * 1000 };
  ctx.cookies.set(nameOf(ctx, cookie), value, { ...attributes(ctx, cookie), ...maxAge });
}

export function removeCookie(ctx: Context, cookie: PageCookie): void {
  ctx.cookies.set(nameOf(ctx, cookie), null, attributes(ctx, cookie));
}

function nameOf(ctx: Context, { name, path }: PageCookie): string {
  if (!ctx.secure) return name;
  return path === '/' ? `__Host-${name}` : `__Secure-${name}`;
}

function attributes(ctx: Context, { path, sameSite }: PageCookie) {
  return {
    path,
    httpOnly: true,
    sameSite: sameSite ?? 'lax',
    secure: ctx.secure,
    signed: false,
    overwrite: true,
  } as const;
}
