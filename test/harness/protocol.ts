// The engine with its adapters and rules over real HTTP, and nothing else of the house: no charge, and a tiny route
// instead of the pages.
import { createServer } from 'node:http';
import { Writable } from 'node:stream';
import { eq } from 'drizzle-orm';
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import { createClientSource } from '../../adapters/client-metadata.ts';
import { createEngineAdapter, createRevocation } from '../../adapters/stores.ts';
import { engineRecords } from '../../drizzle/schema/engine.ts';
import type { Account } from '../../src/accounts/account.ts';
import {
  type Application,
  createApplication,
  type NewApplication,
} from '../../src/applications/application.ts';
import { createWorkspace } from '../../src/applications/workspace.ts';
import { type Database, lookUpsOf, transaction } from '../../src/database/connection.ts';
import type { TollgateError } from '../../src/errors.ts';
import { writeErrors } from '../../src/http/error-answer.ts';
import { browserCookie } from '../../src/http/form.ts';
import { pinHost } from '../../src/http/pinned-host.ts';
import { createRateLimiter } from '../../src/http/rate-limit.ts';
import { logRequests } from '../../src/http/request-log.ts';
import { about } from '../../src/http/routing.ts';
import { securityHeaders } from '../../src/http/security-headers.ts';
import { createLog } from '../../src/log.ts';
import type { FetchForEngine } from '../../src/oidc/clients/client-key-fetch.ts';
import { createProvider, type EnginePages } from '../../src/oidc/engine-configuration.ts';
import { protocolRules } from '../../src/oidc/engine-middlewares.ts';
import { askAhead, createLookAhead } from '../../src/oidc/look-ahead.ts';
import { loadSigningKeys } from '../../src/oidc/signing-keys/signing-keys.ts';
import { createKeys, randomSecret } from '../../src/secrets.ts';
import { openTestDatabase } from './database.ts';
import { addAccount } from './identity.ts';
import { signInTestPerson } from './interaction-route.ts';
import { connectTestRedis } from './redis.ts';

export type ProtocolApplication = Application & { clientSecret: string | undefined };

export type Protocol = {
  /** Where the service really listens. */
  origin: string;
  port: number;
  provider: Provider;
  db: Database;
  keys: ReturnType<typeof createKeys>;
  /** Who the interaction route signs in, and what it answers instead when `refuse` is set. */
  person: { account: Account; refuse: string | undefined };
  /** Prompts that the route was asked for, oldest first. */
  prompts: string[];
  clock: { now: () => Date };
  /** Moves the clock and lets time pass in Redis; setting the clock back brings nothing back there. */
  pass(milliseconds: number): Promise<void>;
  /** What the engine's store holds of one model. */
  records(model: string): Promise<Record<string, unknown>[]>;
  logLines: string[];
  register(input?: Partial<NewApplication>): Promise<ProtocolApplication>;
  addAccount(email: string): Promise<Account>;
  /** As a new password does it. */
  revokeAccount(accountId: string): Promise<void>;
  /** The engine again, as after a rotation of the signing keys. */
  rebuild(): Promise<void>;
  stop(): Promise<void>;
};

export const CALLBACK = 'https://app.example.test/callback';

export async function startProtocol(
  options: {
    baseUrl?: string;
    rateLimitFactor?: number;
    strictClientsOnly?: boolean;
    /** How key sets of clients are fetched. */
    fetchClientKeys?: FetchForEngine;
    openDatabase?: typeof openTestDatabase;
  } = {},
): Promise<Protocol> {
  const database = await (options.openDatabase ?? openTestDatabase)();
  const { db } = database.connection;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const origin = `http://127.0.0.1:${address.port}`;
  const baseUrl = options.baseUrl ?? origin;
  const config = { baseUrl, isSecure: baseUrl.startsWith('https:'), trustProxy: 0 };
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logLines.push(String(chunk));
      done();
    },
  });
  const log = createLog({ level: 'debug', destination });
  const keys = createKeys(randomSecret());
  const time = { now: () => new Date() };
  const clock = () => time.now();
  const redis = connectTestRedis();
  const lookUps = lookUpsOf(database.connection);
  const adapter = createEngineAdapter({
    db,
    lookUps,
    redis: redis?.client,
    clock,
    clients: createClientSource({
      lookUps,
      clock,
      baseUrl: config.baseUrl,
      strictClientsOnly: options.strictClientsOnly ?? false,
    }),
  });
  const lookAhead = createLookAhead(adapter, lookUps);
  const { revokeAccount, revokeGrants, revokeSession } = createRevocation({ redis: redis?.client });
  const rateLimiter = createRateLimiter({ factor: options.rateLimitFactor ?? 1_000 });
  const prices = { currency: 'EUR', registrationPrice: 50_000n, signInPrice: 20_000n };
  const workspace = await createWorkspace(db, { name: 'Acme', ...prices, now: new Date() });
  const addPerson = (email: string) => addAccount(db, { email, name: 'Ada Lovelace' });
  const person: Protocol['person'] = { account: await addPerson('ada@example.test'), refuse: undefined };
  const browserOf = browserCookie({ secure: config.isSecure });
  const prompts: string[] = [];

  async function build(): Promise<Provider> {
    const { jwks } = await loadSigningKeys(db, { keys, clock });
    const provider = createProvider({
      config,
      lookAhead,
      logins: { db, clock, browserOf },
      keys,
      jwks,
      fetchClientKeys: options.fetchClientKeys ?? noClientKeys,
      adapter,
      pages: plainPages,
      clock,
      log,
    });
    const ahead = askAhead(lookAhead, provider);
    const middlewares = [
      logRequests(log),
      pinHost(config),
      securityHeaders(config),
      writeErrors({ log, page: plainErrorPage }),
      about(['/oauth/authorize', '/oauth/token'], ahead.first),
      signInTestPerson({ provider, db, clock, secure: config.isSecure, person, prompts }),
      ...protocolRules({
        config,
        db,
        provider,
        adapter,
        rateLimiter,
        revokeGrants,
        revokeSession,
        browserOf,
        clock,
      }),
      about(['/oauth/authorize', '/oauth/token'], ahead.rest),
    ];
    for (const middleware of middlewares) provider.use(middleware);
    return provider;
  }

  let provider = await build();
  let handle = provider.callback();
  server.on('request', (request, response) => void handle(request, response));
  return {
    origin,
    port: address.port,
    get provider() {
      return provider;
    },
    db,
    keys,
    person,
    prompts,
    clock: time,
    async pass(milliseconds) {
      time.now = () => new Date(Date.now() + milliseconds);
      await redis?.age(milliseconds);
    },
    async records(model) {
      const rows = await db.select().from(engineRecords).where(eq(engineRecords.model, model));
      return [...rows.map((row) => row.payload), ...((await redis?.records(model)) ?? [])];
    },
    logLines,
    async register(input = {}) {
      const { application, clientSecret } = await createApplication(db, {
        workspaceId: workspace.id,
        name: 'Example shop',
        clientType: 'confidential',
        redirectUris: [CALLBACK],
        postLogoutRedirectUris: ['https://app.example.test/bye'],
        now: new Date(),
        ...input,
      });
      return { ...application, clientSecret };
    },
    addAccount: addPerson,
    revokeAccount: (accountId) => transaction(db, (tx) => revokeAccount(tx, { accountId, now: clock() })),
    async rebuild() {
      provider = await build();
      handle = provider.callback();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await redis?.remove();
      await database.remove();
    },
  };
}

async function noClientKeys(): Promise<Response> {
  throw new Error('no key set was foreseen here');
}

function plainErrorPage(ctx: Context, error: TollgateError): void {
  ctx.type = 'html';
  ctx.body = `<h1>${error.code}</h1>`;
}

/** Prints what the real pages would show, so that tests can read it. */
const plainPages: EnginePages = {
  async error(ctx, error) {
    ctx.type = 'html';
    ctx.body = `<pre>${escapeHtml(JSON.stringify(error))}</pre>`;
  },
  async answer(ctx, answer) {
    ctx.type = 'html';
    ctx.body = `<pre>${escapeHtml(JSON.stringify(answer))}</pre>`;
  },
  async logoutConfirmation(ctx, formHtml) {
    ctx.type = 'html';
    ctx.body = `<h1>Sign out?</h1>${formHtml}`;
  },
  async loggedOut(ctx) {
    ctx.type = 'html';
    ctx.body = '<h1>Signed out</h1>';
  },
  async deviceCode(ctx, formHtml) {
    ctx.type = 'html';
    ctx.body = `<h1>Code?</h1>${formHtml}`;
  },
  async deviceConnected(ctx) {
    ctx.body = '<h1>Connected</h1>';
  },
  async deviceRefused(ctx) {
    ctx.body = '<h1>Refused</h1>';
  },
};

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
