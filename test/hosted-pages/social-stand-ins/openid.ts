// Stand-ins for Google and Apple: real OpenID providers on loopback, on `oidc-provider`, each with the dialect that the
// real one documents. A test says who sits in front of them, and how they misbehave.
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type Koa from 'koa';
import type { Context } from 'koa';
import Provider, { type Adapter, type AdapterPayload, type Client } from 'oidc-provider';
import { freePort } from '../../harness/free-port.ts';

export type Dialect = 'google' | 'apple';
export type StandInPerson = {
  sub: string;
  claims: Record<string, unknown>;
  appleName?: { firstName: string; lastName: string };
};

export type OpenIdStandIn = {
  issuer: string;
  /** Who sits in front of it. */
  person: StandInPerson;
  /** Runs before the provider: may answer instead of it. Return true when it did. */
  instead: ((ctx: Context) => Promise<boolean>) | undefined;
  /** Changes the answer of the token endpoint. */
  tokens: ((body: Record<string, unknown>) => Promise<void>) | undefined;
  /** Paths that were asked for. */
  requests: string[];
  /** Signs claims with the stand-in's own key, unless told otherwise. */
  sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
  stop(): Promise<void>;
};

type Options = {
  dialect: Dialect;
  clientId: string;
  redirectUri: string;
  /** Google. */
  clientSecret?: string;
  /** Apple: the public half of the key that signs client secrets. */
  clientKey?: KeyObject;
};

export async function startOpenIdStandIn(options: Options): Promise<OpenIdStandIn> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const standIn: OpenIdStandIn = {
    issuer,
    person: { sub: 'nobody', claims: {} },
    instead: undefined,
    tokens: undefined,
    requests: [],
    sign: (claims, header = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'stand-in', ...header }).sign(privateKey),
    stop: async () => undefined,
  };
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'stand-in', alg: 'RS256', use: 'sig' }] },
    clients: [
      {
        client_id: options.clientId,
        client_secret: options.clientSecret ?? 'replaced below',
        redirect_uris: [options.redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        application_type: 'native',
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'is_private_email'],
      profile: ['name'],
      name: ['name'],
    },
    scopes: ['openid', 'email', 'profile', 'name'],
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => false },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...standIn.person.claims }) }),
    interactions: { url: (_ctx, interaction) => `/choose/${interaction.uid}` },
    cookies: { keys: ['a key of the stand-in'] },
    adapter: MapAdapter,
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  });
  if (options.clientKey) acceptSignedSecrets(provider, { key: options.clientKey, issuer });
  const app: Koa = provider;
  // Clients that hang up are this test's own doing.
  app.silent = true;
  app.use(async (ctx, next) => {
    standIn.requests.push(ctx.path);
    // Google asks which account it shall be; here there is only one.
    if (ctx.query.prompt === 'select_account') ctx.url = ctx.url.replace('&prompt=select_account', '');
    if (await standIn.instead?.(ctx)) return;
    if (await choose(provider, ctx, standIn)) return;
    await next();
    if (ctx.path === '/token' && isRecord(ctx.body)) await standIn.tokens?.(ctx.body);
    if (options.dialect === 'apple') tellName(ctx, standIn.person);
  });
  const server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  standIn.stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return standIn;
}

/** Everything in one map; nothing here lives long enough to expire. */
class MapAdapter implements Adapter {
  readonly #records = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#records.set(id, payload);
  }
  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#records.get(id);
  }
  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.#records.values()].find((payload) => payload.uid === uid);
  }
  async findByUserCode(): Promise<undefined> {
    return undefined;
  }
  async consume(id: string): Promise<void> {
    const payload = this.#records.get(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string): Promise<void> {
    this.#records.delete(id);
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#records) if (payload.grantId === grantId) this.#records.delete(id);
  }
}

/** The provider's own page: who it is and whether they agree is decided by one button. */
async function choose(provider: Provider, ctx: Context, { person }: OpenIdStandIn): Promise<boolean> {
  if (!ctx.path.startsWith('/choose/')) return false;
  if (ctx.method === 'GET') {
    ctx.type = 'html';
    ctx.body = `<!doctype html><html lang="en"><title>Choose an account</title><main><h1>Choose an account</h1>
      <form method="post"><button type="submit" name="answer" value="yes">Continue as ${person.sub}</button>
      <button type="submit" name="answer" value="no">Cancel</button></form></main>`;
    return true;
  }
  const answer = new URLSearchParams(await bodyOf(ctx)).get('answer');
  const details = await provider.interactionDetails(ctx.req, ctx.res);
  const { client_id: clientId, scope } = details.params;
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(clientId) });
  grant.addOIDCScope(String(scope));
  const result =
    answer === 'yes'
      ? { login: { accountId: person.sub }, consent: { grantId: await grant.save() } }
      : { error: 'access_denied', error_description: 'the person cancelled' };
  ctx.redirect(await provider.interactionResult(ctx.req, ctx.res, result));
  ctx.status = 303;
  return true;
}

/** Apple: the client's secret is a JWT that the client signs with ES256, for at most six months. */
function acceptSignedSecrets(provider: Provider, { key, issuer }: { key: KeyObject; issuer: string }): void {
  provider.Client.prototype.compareClientSecret = function compare(this: Client, presented: string): boolean {
    const [header = '', payload = '', signature = ''] = presented.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const isSigned = verify(
      'sha256',
      Buffer.from(`${header}.${payload}`),
      { key: createPublicKey(key.export({ type: 'spki', format: 'pem' })), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
    const now = Date.now() / 1000;
    return (
      isSigned &&
      claims.sub === this.clientId &&
      claims.iss === 'TEAM' &&
      claims.aud === issuer &&
      claims.exp > now
    );
  };
}

/** Apple posts the name beside the code, and only the first time; the library's page has no field for it. */
function tellName(ctx: Context, { appleName }: StandInPerson): void {
  if (!appleName || typeof ctx.body !== 'string' || !ctx.body.includes('name="code"')) return;
  const user = JSON.stringify({ name: appleName }).replaceAll('"', '&quot;');
  ctx.body = ctx.body.replace('</form>', `<input type="hidden" name="user" value="${user}"/></form>`);
}

async function bodyOf(ctx: Context): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of ctx.req) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
