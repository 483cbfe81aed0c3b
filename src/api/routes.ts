// The door for developers: {api_base_url} with its two lists, its OpenAPI document and the readable reference. It reads
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
import { authenticate } from './authentication.ts';
import { type ListRequest, readCustomers, readEvents } from './lists.ts';
import { createApiDocument } from './openapi.ts';
import { renderReference } from './reference-page.tsx';

export type ApiDependencies = {
  config: Pick<Config, 'apiBaseUrl'>;
  db: Database;
  lookUps: Database;
  lanes: ReadingLanes;
  keys: Pick<Keys, 'cursor'>;
  rateLimiter: RateLimiter;
  clock: Clock;
  log: Log;
};

const METHODS = 'GET, HEAD, OPTIONS';

export function createApi(deps: ApiDependencies): Middleware {
  const prefix = new URL(deps.config.apiBaseUrl).pathname.replace(/\/+$/, '');
  const documentText = JSON.stringify(createApiDocument(deps.config.apiBaseUrl));
  const referenceText = renderReference(deps.config.apiBaseUrl);
  const lists: Record<ListName, (request: ListRequest) => Promise<object>> = {
    customers: readCustomers,
    events: readEvents,
  };
  const readApiKey = createApiKeyReader(deps);

  /** Authentication before anything else, so that a stranger learns nothing about ids or parameters. */
  async function answerList(ctx: Context, name: ListName, applicationId: string): Promise<void> {
    const { db, lookUps, rateLimiter, log } = deps;
    const key = await authenticate(ctx, { readApiKey, rateLimiter, scope: 'identity:read' });
    const covered = await findCovered(lookUps, key, applicationId);
    if (!covered) throw nothingHere();
    const request = { ...deps, ...covered, applicationId, querystring: ctx.querystring };
    ctx.body = await deps.lanes(key.workspaceId).read((reads) => lists[name]({ ...request, db: reads }));
    // Not awaited: bookkeeping must not delay or fail an answer.
    const address = String(ctx.state.ipAddress);
    recordApiKeyUse(db, { key, address, now: deps.clock() }).catch((error: unknown) =>
      log.warn({ err: error }, 'last use of a key not kept'),
    );
  }

  async function answer(ctx: Context, route: Route): Promise<void> {
    if (ctx.method === 'OPTIONS') {
      ctx.set('Allow', METHODS);
      ctx.status = 204;
      return;
    }
    refuseWriting(ctx);
    if (typeof route === 'object') return answerList(ctx, route.list, route.applicationId);
    ctx.type = route === 'reference' ? 'html' : 'json';
    ctx.body = route === 'reference' ? referenceText : documentText;
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
type Route = 'document' | 'reference' | { list: ListName; applicationId: string };

function findRoute(path: string): Route | undefined {
  if (path === '/openapi.json') return 'document';
  if (path === '/docs') return 'reference';
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
