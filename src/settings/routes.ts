// Every address of company settings. What comes first for each of them stands here once: who is signed in, is it their
// workspace, may their role do it, did they prove it recently, does the form come from our own page.
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { isAtLeast } from '../applications/member.ts';
import { isCode, TollgateError } from '../errors.ts';
import { firstPartyClients } from '../first-party/clients.ts';
import { askToSignInAgain } from '../first-party/gate.ts';
import type { RedeemCode } from '../first-party/sign-in.ts';
import { readQuery } from '../http/form.ts';
import type { Upload } from '../http/form-upload.ts';
import { NOTHING_SENT, readGuardedForm } from '../http/guarded-form.ts';
import { serveRoutes } from '../http/routing.ts';
import { isStorableText } from '../http/storable-text.ts';
import { createApiKeyRoutes } from './api-keys/list.tsx';
import { createApiRoutes } from './apis/list.tsx';
import { createApplicationRoutes } from './applications/list.tsx';
import { createBalanceRoutes } from './balance/balance.tsx';
import { createStatementRoutes } from './balance/statement.tsx';
import { createCustomerRoutes } from './customers/list.tsx';
import { createEntryRoutes } from './entry.tsx';
import { createAuditRoutes } from './members/audit-log.tsx';
import { createMemberRoutes } from './members/list.tsx';
import { createOverviewRoutes } from './overview/overview.tsx';
import type { EntryRoute } from './shell/entry-route.ts';
import { askPersonToSignIn, type KeptForm, showKeptForm, showRoleTooLow } from './shell/gate.tsx';
import { openVisit } from './shell/open-visit.ts';
import { createSessionRoutes } from './shell/sessions.tsx';
import type { SettingsDependencies, SettingsRoute } from './shell/visit.ts';
import { createUsageRoutes } from './usage/usage.tsx';
import { createWebhookRoutes } from './webhooks/list.tsx';

const client = firstPartyClients.settings;

/** Below `/settings/:workspace`. Of two that match, the first one answers. */
export function settingsRoutes(deps: SettingsDependencies): SettingsRoute[] {
  return [
    ...createOverviewRoutes(deps),
    ...createApplicationRoutes(deps),
    ...createCustomerRoutes(deps),
    ...createUsageRoutes(deps),
    ...createApiKeyRoutes(deps),
    ...createApiRoutes(deps),
    ...createWebhookRoutes(deps),
    ...createBalanceRoutes(deps),
    ...createStatementRoutes(deps),
    ...createMemberRoutes(deps),
    ...createAuditRoutes(deps),
    ...createSessionRoutes(deps),
  ];
}

export function createSettings(deps: SettingsDependencies, { redeem }: { redeem: RedeemCode }): Middleware {
  const router = new Router({ strict: true, sensitive: true });
  for (const route of createEntryRoutes(deps, { redeem })) {
    const handle = (ctx: Context & { params: Record<string, string> }) => enter(deps, ctx, route);
    router.register(`/settings${route.path}`, [route.method], handle);
  }
  for (const route of settingsRoutes(deps)) {
    const handle = (ctx: Context & { params: Record<string, string> }) => visitPage(deps, ctx, route);
    router.register(`/settings/:workspace${route.path}`, [route.method], handle);
  }
  return serveRoutes(router, { below: '/settings' });
}

type RoutedContext = Context & { params: Record<string, string> };

/** A page outside of a workspace: some are for whoever comes, the others for whoever is signed in. */
async function enter(deps: SettingsDependencies, ctx: RoutedContext, route: EntryRoute): Promise<void> {
  // A body takes as long as its sender likes: who is signed in is asked when it is here.
  const { fields } = ctx.method === 'POST' ? await readOurForm(deps, ctx) : NOTHING_SENT;
  const person = await deps.sessions.find(ctx);
  if (!person && route.access === 'signed in') {
    if (ctx.method === 'POST') showKeptForm(ctx, { fields, hadFiles: false });
    else askPersonToSignIn(deps, ctx);
    return;
  }
  try {
    await route.handle(ctx, { person, params: ctx.params, fields });
  } catch (error) {
    if (!isCode(error, 'signed_out')) throw error;
    showKeptForm(ctx, { fields, hadFiles: false });
  }
}

async function visitPage(
  deps: SettingsDependencies,
  ctx: RoutedContext,
  route: SettingsRoute,
): Promise<void> {
  // For the copy buttons.
  ctx.state.cspScript = true;
  if (route.leadsTo) ctx.state.cspFormAction = route.leadsTo;
  // A body takes as long as its sender likes: who is signed in is asked when it is here.
  const sent = ctx.method === 'POST' ? await readOurForm(deps, ctx, route) : NOTHING_SENT;
  const person = await deps.sessions.find(ctx);
  if (!person)
    return ctx.method === 'POST' ? showKeptForm(ctx, keptForm(route, sent)) : askPersonToSignIn(deps, ctx);
  const { workspace: workspaceId = '', ...params } = ctx.params;
  if (!Object.values(params).every(isStorableText))
    throw new TollgateError('not_found', 'There is nothing at this address.');
  const visit = await openVisit(deps, ctx, person, { workspaceId, needs: route });
  if (!isAtLeast(visit.member.role, route.role)) return showRoleTooLow(ctx, visit, route.role);
  if (route.fresh && !person.isFresh) {
    if (ctx.method === 'POST') showKeptForm(ctx, { ...keptForm(route, sent), person });
    else askToSignInAgain(ctx, deps, { client, email: person.account.email });
    return;
  }
  ctx.type = 'html';
  try {
    await route.handle(ctx, visit, { params, query: readQuery(ctx), ...sent });
  } catch (error) {
    // It ended, or became too old, while the form was on its way.
    if (isCode(error, 'signed_out')) return showKeptForm(ctx, keptForm(route, sent));
    if (isCode(error, 'sign_in_too_old')) return showKeptForm(ctx, { ...keptForm(route, sent), person });
    throw error;
  }
}

function keptForm({ upload }: Pick<SettingsRoute, 'upload'>, { fields, files }: Upload): KeptForm {
  return { fields, ...(upload && { upload }), hadFiles: Object.keys(files).length > 0 };
}

function readOurForm(
  deps: SettingsDependencies,
  ctx: Context,
  { upload }: Pick<SettingsRoute, 'upload'> = {},
): Promise<Upload> {
  return readGuardedForm(ctx, deps, { limit: 'settings_posts', upload });
}
