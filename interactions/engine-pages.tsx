// The pages that the engine asks for by itself, between and after the flows.
import type { Context } from 'koa';
import type { Database } from '../src/database/connection.ts';
import type { FormGuard } from '../src/http/form.ts';
import { showDeviceCode, showDeviceConnected, showDeviceRefused } from './device-pages.tsx';
import { showRefusal } from './error-page.tsx';
import { showLoggedOut, showLogoutConfirmation } from './logout.tsx';
import { showPostedAnswer } from './posted-answer.tsx';

type EngineContext = Context & {
  oidc: { client?: { clientId: string } | undefined; params?: Record<string, unknown> | undefined };
};
type Refusal = Parameters<typeof showRefusal>[2];

export function createEnginePages({ db, formGuard }: { db: Database; formGuard: FormGuard }) {
  return {
    async error(ctx: EngineContext, refusal: Omit<Refusal, 'clientId' | 'sentCallback'>): Promise<void> {
      const { client, params } = ctx.oidc ?? {};
      await showRefusal(ctx, db, {
        ...refusal,
        clientId: client?.clientId,
        sentCallback: params?.redirect_uri,
      });
    },
    answer: (ctx: EngineContext, answer: Parameters<typeof showPostedAnswer>[2]) =>
      showPostedAnswer(ctx, db, answer),
    async logoutConfirmation(ctx: EngineContext, form: string): Promise<void> {
      await showLogoutConfirmation(ctx, { db, clientId: ctx.oidc.client?.clientId, form });
    },
    async deviceCode(ctx: EngineContext, form: string, typed: string | undefined): Promise<void> {
      showDeviceCode(ctx, formGuard, { form, typed });
    },
    deviceConnected: (ctx: EngineContext) => showDeviceConnected(ctx, db, endingOf(ctx)),
    deviceRefused: (ctx: EngineContext) => showDeviceRefused(ctx, db, endingOf(ctx)),
    async loggedOut(ctx: EngineContext): Promise<void> {
      await showLoggedOut(ctx, db);
    },
  };
}

function endingOf({ oidc: { client, params } }: EngineContext) {
  const text = (name: string) => (typeof params?.[name] === 'string' ? params[name] : undefined);
  return { clientId: client?.clientId ?? text('client_id'), uiLocales: text('ui_locales') };
}
