// The address {base_url} itself. On one's own machine it is the start page of whoever tries or develops; elsewhere a
// front door, which leads people to their account and companies to their settings.
import type { Context, Middleware } from 'koa';
import { listMembers } from '../../src/applications/membership.ts';
import { listWorkspaces, type Workspace } from '../../src/applications/workspace.ts';
import type { Clock } from '../../src/clock.ts';
import type { Config } from '../../src/config/config.ts';
import type { Database } from '../../src/database/connection.ts';
import { TollgateError } from '../../src/errors.ts';
import { type FormGuard, readForm } from '../../src/http/form.ts';
import { ipAddressKey, type RateLimiter } from '../../src/http/rate-limit.ts';
import { about } from '../../src/http/routing.ts';
import { isLoopbackHost } from '../../src/loopback.ts';
import { refuseForeignHost } from '../this-machine.ts';
import { inviteFirstOwner } from './first-owner.ts';
import { showFrontDoor } from './front-door.tsx';
import { type StoreState, showStartPage } from './start-page.tsx';

export type ArrivalTools = {
  config: Pick<
    Config,
    | 'baseUrl'
    | 'apiBaseUrl'
    | 'host'
    | 'isLoopback'
    | 'hasDevelopmentInbox'
    | 'databaseUrl'
    | 'redisUrl'
    | 'dataDir'
  >;
  db: Database;
  clock: Clock;
  formGuard: FormGuard;
  rateLimiter: RateLimiter;
  health: { ready(): Promise<{ checks: Record<string, StoreState> }> };
};

export const FIRST_OWNER_PATH = '/start/first-owner';

export function createArrival(deps: ArrivalTools): Middleware {
  const { isLoopback, host } = deps.config;
  // Somebody else may reach HOST=0.0.0.0, whatever BASE_URL says.
  const isThisMachineOnly = isLoopback && isLoopbackHost(host);
  if (!isThisMachineOnly)
    return about(
      ['/'],
      onlyShown(async (ctx) => showFrontDoor(ctx)),
    );
  const paths = canBeClaimed(deps) ? ['/', FIRST_OWNER_PATH] : ['/'];
  return about(paths, (ctx, next) => {
    refuseForeignHost(ctx, 'start page');
    if (ctx.path === FIRST_OWNER_PATH) return receiveFirstOwner(deps, ctx);
    return onlyShown((shown) => show(deps, shown))(ctx, next);
  });
}

function onlyShown(page: (ctx: Context) => Promise<void>): Middleware {
  return async (ctx) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD')
      throw new TollgateError('method_not_allowed', 'This address does not take that method.');
    await page(ctx);
  };
}

/** Whoever reaches the inbox can sign in as anybody, so an owner by one form is no more than that (docs/decisions/1001). */
function canBeClaimed({ config }: ArrivalTools): boolean {
  return config.hasDevelopmentInbox && config.databaseUrl === undefined;
}

async function show(deps: ArrivalTools, ctx: Context, problem?: string): Promise<void> {
  const { config, db, formGuard, health } = deps;
  const { checks } = await health.ready();
  const unowned = canBeClaimed(deps) ? await findUnowned(db) : undefined;
  const claim = unowned && {
    company: unowned.name,
    path: FIRST_OWNER_PATH,
    token: formGuard.token(ctx, FIRST_OWNER_PATH),
    problem,
  };
  showStartPage(ctx, { config, checks, claim });
}

/** The first company, which the first start makes without anybody in it. */
async function findUnowned(db: Database): Promise<Workspace | undefined> {
  const [first] = await listWorkspaces(db);
  if (!first || (await listMembers(db, first.id)).length > 0) return undefined;
  return first;
}

async function receiveFirstOwner(deps: ArrivalTools, ctx: Context): Promise<void> {
  if (ctx.method !== 'POST')
    throw new TollgateError('method_not_allowed', 'This address does not take that method.');
  await deps.rateLimiter.consume('settings_posts', ipAddressKey(ctx.state.ipAddress));
  const fields = await readForm(ctx);
  deps.formGuard.verify(ctx, FIRST_OWNER_PATH, fields);
  const unowned = await findUnowned(deps.db);
  if (!unowned) {
    // Somebody was quicker, or this is the second click.
    ctx.redirect('/');
    ctx.status = 303;
    return;
  }
  const { db, clock } = deps;
  const invited = await inviteFirstOwner({ db, clock }, { workspace: unowned, typed: fields.email ?? '' });
  if ('problem' in invited) {
    ctx.status = 400;
    await show(deps, ctx, invited.problem);
    return;
  }
  // Straight to the sign-in: the invitation's own page comes after it, with the button that joins.
  ctx.redirect(`/settings/invitations/${invited.token}/sign-in`);
  ctx.status = 303;
}
