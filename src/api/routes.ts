// The door for developers: {api_base_url} with its lists, its OpenAPI document and the readable reference. It reads
// and nothing else; everything here is JSON except the reference.
import type { Context, Middleware } from 'koa';
import {
  type ApiKey,
  apiKeyCovers,
  createApiKeyReader,
  recordApiKeyUse,
} from '../applications/api-key-check.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import type { ReadingLanes } from '../database/reading-lanes.ts';
import { TollgateError } from '../errors.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { Log } from '../log.ts';
import type { Keys } from '../secrets.ts';
import { authenticate, requireSameKey } from './authentication.ts';
import { type ListRequest, readCustomers, readEvents } from './lists.ts';
import { createApiDocument } from './openapi.ts';
import { createReference } from './reference-page.tsx';
import { createWaiting } from './waiting.ts';
import { readListening, readWebhookEvents } from './webhook-events.ts';

export type ApiDependencies = {
  config: Pick<Config, 'apiBaseUrl' | 'baseUrl'>;
  db: Database;
  lookUps: Database;
  lanes: ReadingLanes;
  keys: Pick<Keys, 'cursor'>;
  rateLimiter: RateLimiter;
  clock: Clock;
  log: Log;
  /** Whoever waits for events is then answered at once. */
  health: { isShuttingDown(): boolean };
};

const METHODS = 'GET, HEAD, OPTIONS';

export function createApi(deps: ApiDependencies): Middleware {
  const prefix = new URL(deps.config.apiBaseUrl).pathname.replace(/\/+$/, '');
  const document = createApiDocument(deps.config.apiBaseUrl);
  const documentText = JSON.stringify(document);
  const reference = createReference(document, deps.config);
  const lists: Record<ListName, (request: ListRequest) => Promise<object>> = {
    customers: readCustomers,
    events: readEvents,
  };
  const readApiKey = createApiKeyReader(deps);
  const waitForNews = createWaiting(deps.health);

  /** Not awaited: bookkeeping must not delay or fail an answer. */
  function noteUse(ctx: Context, key: ApiKey): void {
    const ipAddress = String(ctx.state.ipAddress);
    recordApiKeyUse(deps.db, { key, ipAddress, now: deps.clock() }).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'last use of a key not kept'),
    );
  }

  async function answerWebhookEvents(ctx: Context): Promise<void> {
    const key = await authenticate(ctx, { readApiKey, ...deps, scope: 'identity:read' });
    const listening = readListening(deps.keys, key, ctx.querystring);
    if (listening.isFromNowOn) {
      const line = { workspace: key.workspaceId, keyId: key.id, request: ctx.state.requestId };
      deps.log.info(line, 'somebody begins to listen for events');
    }
    noteUse(ctx, key);
    const lane = deps.lanes(key.workspaceId);
    ctx.body = await waitForNews(ctx, {
      key,
      seconds: listening.wait,
      look: () => lane.read((reads) => readWebhookEvents(reads, deps, listening)),
      requireKey: () => requireSameKey(ctx, { readApiKey }),
    });
  }

  /** Authentication before anything else, so that a stranger learns nothing about ids or parameters. */
  async function answerList(ctx: Context, name: ListName, applicationId: string): Promise<void> {
    const { lookUps, rateLimiter } = deps;
    const key = await authenticate(ctx, { readApiKey, rateLimiter, scope: 'identity:read' });
    const covered = await findCovered(lookUps, key, applicationId);
    if (!covered) throw nothingHere();
    const request = { ...deps, ...covered, applicationId, querystring: ctx.querystring };
    ctx.body = await deps.lanes(key.workspaceId).read((reads) => lists[name]({ ...request, db: reads }));
    noteUse(ctx, key);
  }

  function answerReference(ctx: Context): void {
    ctx.state.cspScript = true;
    ctx.type = 'html';
    ctx.body = reference(new URLSearchParams(ctx.querystring).get('q') ?? '');
  }

  async function answer(ctx: Context, route: Route): Promise<void> {
    if (ctx.method === 'OPTIONS') {
      ctx.set('Allow', METHODS);
      ctx.status = 204;
      return;
    }
    refuseWriting(ctx);
    if (typeof route === 'object') return answerList(ctx, route.list, route.applicationId);
    if (route === 'webhook-events') return answerWebhookEvents(ctx);
    if (route === 'reference') return answerReference(ctx);
    ctx.type = 'json';
    ctx.body = documentText;
  }

  return async (ctx, next) => {
    if (!ctx.path.startsWith(`${prefix}/`)) return next();
    const route = findRoute(ctx.path.slice(prefix.length));
    // An {api_base_url} without a path shares its root with everything else that the process serves.
    if (!route && prefix === '') return next();
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    // Errors are JSON for a browser as well, in one constant form.
    ctx.req.headers.accept = 'application/json';
    if (!route) throw nothingHere();
    refuseBody(ctx);
    await answer(ctx, route);
  };
}

type ListName = 'customers' | 'events';
type Route = 'document' | 'reference' | 'webhook-events' | { list: ListName; applicationId: string };

function findRoute(path: string): Route | undefined {
  if (path === '/openapi.json') return 'document';
  if (path === '/docs') return 'reference';
  if (path === '/webhook-events') return 'webhook-events';
  const [, applicationId, list] = /^\/applications\/([^/]+)\/(customers|events)$/.exec(path) ?? [];
  if (applicationId === undefined || (list !== 'customers' && list !== 'events')) return undefined;
  return { list, applicationId };
}

function refuseWriting(ctx: Context): void {
  if (ctx.method === 'GET' || ctx.method === 'HEAD') return;
  ctx.set('Allow', METHODS);
  throw new TollgateError('method_not_allowed', `This address only answers ${METHODS}.`);
}

/** No route takes a body, so none is read, however large or compressed: the connection ends with the answer. */
function refuseBody(ctx: Context): void {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = ctx.req.headers;
  if (length === '0' && encoding === undefined) return;
  ctx.set('Connection', 'close');
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return;
  throw new TollgateError('invalid_request', 'Send no body with a GET request.');
}

/** Ids are letters, digits and "_"; anything else (a NUL byte, a broken escape) never reaches the database. */
async function findCovered(
  db: Database,
  key: Pick<ApiKey, 'workspaceId' | 'applicationIds'>,
  applicationId: string,
): Promise<{ isTest: boolean } | undefined> {
  return /^\w{1,64}$/.test(applicationId) ? apiKeyCovers(db, key, applicationId) : undefined;
}

/** One sentence for the unknown, the deleted and what belongs to others. */
function nothingHere(): TollgateError {
  return new TollgateError('not_found', 'This API key cannot read anything here.');
}
