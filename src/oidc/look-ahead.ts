// One trip to know everything: what a silent authorization or an exchange will look up can be told from its first answer,
// so all of it is asked for at once; and what it saves is saved at once, before the answer leaves. What is asked is known
// to this request alone (src/database/asked-ahead.ts), so whatever was revoked before it came counts for it.
import type { IncomingMessage } from 'node:http';
import type { Context, Middleware } from 'koa';
import type Provider from 'oidc-provider';
import type { AdapterPayload } from 'oidc-provider';
import type { AskedAhead } from '../database/asked-ahead.ts';
import type { Database } from '../database/connection.ts';
import type { OwedWrites } from '../database/owed-writes.ts';
import { isStorableText } from '../http/storable-text.ts';
import { formBytes } from '../limits/requests.ts';
import { type ConsentsAhead, createConsentsAhead } from './sessions/grant-from-consent.ts';
import { type AccountsAhead, createAccountsAhead } from './tokens/claims.ts';
import {
  createResourcesOfRequest,
  namedResources,
  type ResourcesOfRequest,
} from './tokens/tokens-for-apis.ts';

type Records = AskedAhead<AdapterPayload | undefined>;

/** From adapters/stores.ts. */
type RecordsAhead = {
  sessions: Records;
  /** By the session's uid. */
  sessionFacts: AskedAhead<unknown>;
  codes: Records;
  grants: Records;
  clients: AskedAhead<unknown>;
};

export type LookAhead = RecordsAhead & {
  accounts: AccountsAhead;
  consents: ConsentsAhead;
  resources: ResourcesOfRequest;
  writes: OwedWrites;
};

export function createLookAhead(
  { ahead, writes }: { ahead: RecordsAhead; writes: OwedWrites },
  lookUps: Database,
): LookAhead {
  return {
    ...ahead,
    writes,
    accounts: createAccountsAhead(lookUps),
    consents: createConsentsAhead(lookUps),
    resources: createResourcesOfRequest(lookUps),
  };
}

type First = { record: Promise<AdapterPayload | undefined> };

/**
 * `first` is for in front of the limits on requests, so that the session or code is asked for in one packet with them;
 * `rest` for right in front of the engine: who was refused until then has cost PostgreSQL nothing.
 */
export function askAhead(
  lookAhead: LookAhead,
  provider: Pick<Provider, 'cookieName'>,
): { first: Middleware; rest: Middleware } {
  const begun = new WeakMap<object, First>();

  function begin(ctx: Context): First | undefined {
    const before = begun.get(ctx.req);
    if (before) return before;
    const record = ctx.path === '/oauth/token' ? askCode(ctx, lookAhead) : askSession(ctx, lookAhead);
    if (!record) return undefined;
    const first = { record };
    begun.set(ctx.req, first);
    return first;
  }

  function askSession({ method, req, cookies }: Context, { sessions }: LookAhead) {
    // The engine holds its signature against it, and takes no answer to one that is wrong.
    const id = method === 'GET' && cookies.get(provider.cookieName('session'), { signed: false });
    return id ? sessions.ask(req, id) : undefined;
  }

  return {
    async first(ctx, next) {
      // A form that came with the head of its request is here once whoever reads the connection has had this turn.
      await Promise.resolve();
      begin(ctx);
      await next();
    },
    async rest(ctx, next) {
      // What fails here fails the engine, which asks for the same.
      const record = await begin(ctx)?.record.catch(() => undefined);
      if (ctx.path === '/oauth/token') {
        if (record) askForExchange(ctx.req, record, lookAhead);
        // token-charge.ts waits for what is saved.
        return next();
      }
      if (record) askForAuthorization(ctx, record, lookAhead);
      await saveBeside(ctx, next, lookAhead.writes);
    },
  };
}

/** A code that was not saved must not be in an address either. */
async function saveBeside(ctx: Context, next: () => Promise<unknown>, writes: OwedWrites): Promise<void> {
  writes.open(ctx.req);
  await next();
  try {
    await writes.settled(ctx.req);
  } catch (error) {
    ctx.remove('Location');
    throw error;
  }
}

function askCode({ method, req }: Context, { codes }: LookAhead) {
  const form = method === 'POST' ? arrivedForm(req) : undefined;
  const code = form?.get('grant_type') === 'authorization_code' && form.get('code');
  return code ? codes.ask(req, code) : undefined;
}

/**
 * The form of a request that is here already, left for whoever reads it: the stream's documented way to look at what
 * comes next. Nobody waits for the rest of one.
 */
function arrivedForm(req: IncomingMessage): URLSearchParams | undefined {
  const length = Number(req.headers['content-length']);
  const isForm = req.headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  if (!isForm || !(length > 0 && length <= formBytes) || req.readableLength !== length) return undefined;
  const bytes: unknown = req.read();
  if (!Buffer.isBuffer(bytes)) return undefined;
  req.unshift(bytes);
  return new URLSearchParams(bytes.toString('utf8'));
}

function askForExchange(req: object, code: AdapterPayload, lookAhead: LookAhead): void {
  const { accountId, clientId, grantId, consumed } = code;
  if (consumed || !accountId || !clientId || !grantId) return;
  lookAhead.clients.ask(req, clientId);
  lookAhead.grants.ask(req, grantId);
  lookAhead.accounts.ask(req, accountId);
  for (const identifier of namedResources(code.resource))
    void lookAhead.resources.find(req, { clientId, identifier });
}

function askForAuthorization({ req, query }: Context, session: AdapterPayload, lookAhead: LookAhead): void {
  const { client_id: clientId } = query;
  const { accountId, uid, authorizations } = session;
  if (!accountId || !uid || typeof clientId !== 'string' || !isStorableText(clientId)) return;
  const grantId = authorizations?.[clientId]?.grantId;
  lookAhead.sessionFacts.ask(req, uid);
  lookAhead.clients.ask(req, clientId);
  lookAhead.accounts.ask(req, accountId);
  lookAhead.consents.ask(req, { clientId, accountId });
  if (grantId) lookAhead.grants.ask(req, grantId);
}
