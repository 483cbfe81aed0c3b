// Authorization requests by POST (OpenID Connect Core §3.1.2.1). A form that another site posts brings no Lax cookie, and
// nobody would be signed in: the answer is a redirect to a GET of our own, which does, and which the rest sees alone.
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { AdapterFactory } from 'oidc-provider';
import { TollgateError } from '../../errors.ts';
import { readBody } from '../../http/form.ts';
import { seeOther } from '../../http/redirect.ts';
import { formBytes, urlCharacters } from '../../limits/requests.ts';
import { authorizationRequestBytes, untouchedInteractionSeconds } from '../../limits/strangers.ts';
import { randomSecret } from '../../secrets.ts';

/** These name a person or a sign-in: whoever posts them keeps them out of histories and of the logs of proxies. */
const KEPT_OUT_OF_URLS = ['id_token_hint', 'login_hint', 'claims'];
const MODEL = 'PostedRequest';

type Dependencies = { provider: Provider; adapter: AdapterFactory };

export function receivePostedRequests({ provider, adapter }: Dependencies): Middleware {
  const kept = adapter(MODEL);

  async function keep(form: URLSearchParams, ipAddress: string): Promise<URLSearchParams> {
    const clientId = form.get('client_id') ?? '';
    // Nothing is kept for nobody: the page that says so needs the Client ID alone.
    if (!(await provider.Client.find(clientId))) return new URLSearchParams({ client_id: clientId });
    refuseLongRequest(form);
    const posted = randomSecret();
    const record = { params: { client_id: clientId }, address: ipAddress, form: [...form] };
    await kept.upsert(posted, record, untouchedInteractionSeconds);
    return new URLSearchParams({ client_id: clientId, posted });
  }

  async function goOn(ctx: Context): Promise<void> {
    const form = await readPosted(ctx);
    const fits = form.toString().length <= urlCharacters;
    const query =
      fits && !KEPT_OUT_OF_URLS.some((name) => form.has(name))
        ? form
        : await keep(form, String(ctx.state.ipAddress ?? ''));
    seeOther(ctx, `${ctx.path}?${query}`);
  }

  return async (ctx, next) => {
    if (ctx.method === 'POST') return goOn(ctx);
    const { posted } = ctx.query;
    if (typeof posted === 'string' && posted !== '') {
      const found = await kept.find(posted);
      if (!isForm(found?.form))
        throw new TollgateError('invalid_request', 'This request is over. Start again in the application.');
      ctx.querystring = new URLSearchParams(found.form).toString();
    }
    return next();
  };
}

/** What comes after the redirect refuses single ones that are too long; this is what is kept until then. */
function refuseLongRequest(form: URLSearchParams): void {
  const bytes = [...form].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > authorizationRequestBytes)
    throw new TollgateError(
      'invalid_request',
      `The parameters are longer than ${authorizationRequestBytes} bytes in all.`,
    );
}

function isForm(value: unknown): value is [string, string][] {
  return Array.isArray(value);
}

async function readPosted(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.request.is('application/x-www-form-urlencoded'))
    throw new TollgateError('unsupported_media_type', 'Send the form as application/x-www-form-urlencoded.');
  const form = (await readBody(ctx, formBytes)).toString('utf8');
  // PostgreSQL cannot store the zero character, and no parameter has a use for it.
  if (/%00|\0/.test(form)) throw new TollgateError('invalid_request', 'The form contains a zero character.');
  // Whatever comes twice stays twice: it is refused where it would be refused in an address.
  return new URLSearchParams(form);
}
