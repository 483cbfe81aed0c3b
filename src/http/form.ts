// HTML forms: reading them within a limit (and the query of an address, which is encoded alike), and proving that they
// came from our own page (threat 42). Shared by the hosted pages and company settings.
import type { Context } from 'koa';
import { TollgateError } from '../errors.ts';
import { formBytes } from '../limits/requests.ts';
import { hmac, isHmacOf, type Keys, randomSecret } from '../secrets.ts';
import { isStorableText } from './storable-text.ts';

export type FormFields = Record<string, string>;

/** @throws TollgateError for another content type, a body over 16 KiB or a field sent twice. */
export async function readForm(ctx: Context): Promise<FormFields> {
  if (!ctx.request.is('application/x-www-form-urlencoded')) {
    throw new TollgateError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  }
  const body = await readBody(ctx, formBytes);
  return fieldsOf(body.toString('utf8'), 'field');
}

/** The query of an address, read as a form is. @throws TollgateError for a parameter sent twice. */
export function readQuery(ctx: Context): FormFields {
  return fieldsOf(ctx.querystring, 'parameter');
}

function fieldsOf(encoded: string, kind: 'field' | 'parameter'): FormFields {
  const fields: FormFields = Object.create(null);
  for (const [name, value] of new URLSearchParams(encoded)) {
    if (!isStorableText(name + value))
      throw new TollgateError('invalid_request', `The ${kind} ${JSON.stringify(name)} cannot be read.`);
    if (name in fields)
      throw new TollgateError('invalid_request', `The ${kind} ${JSON.stringify(name)} was sent twice.`);
    fields[name] = value;
  }
  return fields;
}

export async function readBody(ctx: Context, maximumBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop must not close the request: its answer, the page that says "too large", still needs the connection.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maximumBytes) {
      throw new TollgateError('payload_too_large', `The form is larger than ${maximumBytes / 1024} KiB.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export const CSRF_FIELD = 'csrf_token';

/** The value of the browser's own cookie, which other hosts cannot set (`__Host-`); undefined when it has none. */
export type BrowserOf = (ctx: Context) => string | undefined;

export function browserCookie(options: { secure: boolean }): BrowserOf {
  const name = options.secure ? '__Host-tollgate_browser' : 'tollgate_browser';
  return (ctx) => ctx.cookies.get(name, { signed: false });
}

export type FormGuard = {
  /** The hidden field's value for this browser and form; sets the browser's cookie when it has none. */
  token(ctx: Context, form: string): string;
  /** @throws TollgateError forbidden when the post comes from anywhere but this browser's own copy of the form. */
  verify(ctx: Context, form: string, fields: FormFields): void;
  /** Which browser it is; undefined when it has no cookie (yet). A form that was verified came from one that has. */
  browser(ctx: Context): string | undefined;
};

export function createFormGuard(options: { keys: Pick<Keys, 'csrf'>; secure: boolean }): FormGuard {
  const cookieName = options.secure ? '__Host-tollgate_browser' : 'tollgate_browser';
  const browserOf = browserCookie(options);
  return {
    token(ctx, form) {
      const known = ctx.state.browser ?? browserOf(ctx);
      const browser = typeof known === 'string' && known.length >= 40 ? known : randomSecret();
      if (browser !== known) {
        ctx.cookies.set(cookieName, browser, {
          httpOnly: true,
          sameSite: 'lax',
          secure: options.secure,
          path: '/',
          signed: false,
          overwrite: true,
        });
        // A second form on the same page must get the same browser.
        ctx.state.browser = browser;
      }
      return hmac(options.keys.csrf, browser, form);
    },
    browser: browserOf,
    verify(ctx, form, fields) {
      refuseOtherSites(ctx);
      const browser = browserOf(ctx);
      const token = fields[CSRF_FIELD];
      if (!browser || !token || !isHmacOf(token, options.keys.csrf, browser, form)) {
        throw new TollgateError(
          'forbidden',
          'This form has expired or was opened in another browser. Go back and try again.',
          {
            detail: browser ? 'CSRF token wrong or missing' : 'browser cookie missing',
          },
        );
      }
    },
  };
}

/**
 * Browsers say where a request comes from; a page of ours is always `same-origin` (`none`: typed by hand). Since our
 * pages send no referrer, their own posts carry `Origin: null`: it counts as ours only when Sec-Fetch-Site vouches.
 */
function refuseOtherSites(ctx: Context): void {
  const site = ctx.get('sec-fetch-site');
  const fromElsewhere = site !== '' && site !== 'same-origin' && site !== 'none';
  const origin = ctx.get('origin');
  // Not ctx.origin: in Koa 3 that is the request's own header.
  const isOurs =
    origin === '' || origin === `${ctx.protocol}://${ctx.host}` || (origin === 'null' && site !== '');
  if (fromElsewhere || !isOurs) {
    throw new TollgateError('forbidden', 'This form was sent from another site.', {
      detail: `origin ${origin}, ${site}`,
    });
  }
}
