// Every address of company settings. What comes first for each of them stands here once: who is signed in, is it their
// workspace, may their role do it, did they prove it recently, does the form come from our own page.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { isAtLeast } from '../applications/member.ts';
import { TollgateError } from '../errors.ts';
import { readForm, readQuery } from '../form.ts';
import { readUpload, type Upload } from '../form-upload.ts';
import { networkAddressKey } from '../rate-limit.ts';
import { serveRoutes } from '../routing.ts';
import type { Redeem } from '../way-in.ts';
import { createApiKeyRoutes } from './api-keys.tsx';
import { createApplicationRoutes } from './applications.tsx';
import { createAuditRoutes } from './audit-log.tsx';
import { createBalanceRoutes } from './balance.tsx';
import { createCustomerRoutes } from './customers.tsx';
import { createEntryRoutes } from './entry.tsx';
import type { EntryRoute } from './entry-route.ts';
import { askToSignIn, askToSignInAgain, type Held, holdForm, showRoleTooLow } from './gate.tsx';
import { createMemberRoutes } from './members.tsx';
import { createOverviewRoutes } from './overview.tsx';
import { findGuest, type Guest, isFresh, openVisit } from './session.ts';
import { createSessionRoutes } from './sessions.tsx';
import { createStatementRoutes } from './statement.tsx';
import { createUsageRoutes } from './usage.tsx';
import type { SettingsRoute, SettingsTools } from './visit.ts';
import { createWebhookRoutes } from './webhooks.tsx';

/** Below `/settings/:workspace`. Of two that match, the first one answers. */
export function settingsRoutes(tools: SettingsTools): SettingsRoute[] {
  return [
    ...createOverviewRoutes(tools),
    ...createApplicationRoutes(tools),
    ...createCustomerRoutes(tools),
    ...createUsageRoutes(tools),
    ...createApiKeyRoutes(tools),
    ...createWebhookRoutes(tools),
    ...createBalanceRoutes(tools),
    ...createStatementRoutes(tools),
    ...createMemberRoutes(tools),
    ...createAuditRoutes(tools),
    ...createSessionRoutes(tools),
  ];
}

export function createSettings(tools: SettingsTools, { redeem }: { redeem: Redeem }): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const route of createEntryRoutes(tools, { redeem })) {
    const handle = (ctx: Context & { params: Record<string, string> }) => enter(tools, ctx, route);
    router.register(`/settings${route.path}`, [route.method], handle);
  }
  for (const route of settingsRoutes(tools)) {
    const handle = (ctx: Context & { params: Record<string, string> }) => visitPage(tools, ctx, route);
    router.register(`/settings/:workspace${route.path}`, [route.method], handle);
  }
  return serveRoutes(router, { below: '/settings' });
}

type RoutedContext = Context & { params: Record<string, string> };

/** A page outside of a workspace: some are for whoever comes, the others for whoever is signed in. */
async function enter(tools: SettingsTools, ctx: RoutedContext, route: EntryRoute): Promise<void> {
  const guest = await findGuest(tools, ctx);
  const { fields } = ctx.method === 'POST' ? await readOurForm(tools, ctx, {}) : NOTHING_SENT;
  if (!guest && route.access === 'signed in') {
    if (ctx.method === 'POST') holdForm(ctx, { fields, hadFiles: false });
    else askToSignIn(tools, ctx);
    return;
  }
  await route.handle(ctx, { guest, params: ctx.params, fields });
}

async function visitPage(tools: SettingsTools, ctx: RoutedContext, route: SettingsRoute): Promise<void> {
  // For the copy buttons.
  ctx.state.cspScript = true;
  if (route.leadsTo) ctx.state.cspFormAction = route.leadsTo;
  const guest = await findGuest(tools, ctx);
  const sent = ctx.method === 'POST' ? await readForSession(tools, ctx, route, guest) : NOTHING_SENT;
  if (!sent) return;
  if (!guest) return askToSignIn(tools, ctx);
  const { workspace: workspaceId = '', ...params } = ctx.params;
  // PostgreSQL cannot store the zero character, and nothing of ours has one in its name.
  if (Object.values(params).some(hasZero))
    throw new TollgateError('not_found', 'There is nothing at this address.');
  const visit = await openVisit(tools, ctx, guest, workspaceId);
  if (!isAtLeast(visit.member.role, route.role)) return showRoleTooLow(ctx, visit, route.role);
  if (route.fresh && !isFresh(tools, guest)) {
    if (ctx.method === 'POST') holdForm(ctx, { ...heldOf(route, sent), guest });
    else askToSignInAgain(tools, ctx, guest);
    return;
  }
  ctx.type = 'html';
  await route.handle(ctx, visit, { params, query: readCleanQuery(ctx), ...sent });
}

const NOTHING_SENT: Upload = { fields: {}, files: {} };

/** @returns undefined when nobody is signed in: then the form waits on a page. */
async function readForSession(
  tools: SettingsTools,
  ctx: Context,
  route: SettingsRoute,
  guest: Guest | undefined,
): Promise<Upload | undefined> {
  const sent = await readOurForm(tools, ctx, route);
  if (guest) return sent;
  holdForm(ctx, heldOf(route, sent));
  return undefined;
}

/** The token was made for exactly this address (attacks 42 and 55). */
async function readOurForm(
  tools: SettingsTools,
  ctx: Context,
  { upload }: Pick<SettingsRoute, 'upload'>,
): Promise<Upload> {
  await tools.rateLimiter.consume('settings_posts', networkAddressKey(ctx.state.clientAddress));
  const sent = upload ? await readUpload(ctx) : { fields: await readForm(ctx), files: {} };
  tools.formGuard.verify(ctx, ctx.path, sent.fields);
  if (Object.values(sent.fields).some(hasZero))
    throw new TollgateError('invalid_request', 'A field contains a zero character.');
  return sent;
}

function heldOf({ upload }: Pick<SettingsRoute, 'upload'>, { fields, files }: Upload): Held {
  return { fields, ...(upload && { upload }), hadFiles: Object.keys(files).length > 0 };
}

/** PostgreSQL refuses text with a zero character. */
function readCleanQuery(ctx: Context): Record<string, string> {
  const query = readQuery(ctx);
  if (Object.values(query).some(hasZero))
    throw new TollgateError('invalid_request', 'A parameter contains a zero character.');
  return query;
}

function hasZero(text: string): boolean {
  return text.includes('\0');
}
