// Tells the account page which browsers are signed in (issue 5, section 3): noted at each answer to an application,
// forgotten when the engine's session ends, and asked of the engine when the page is shown.
import type { Context } from 'koa';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC, Session } from 'oidc-provider';
import type { BrowserRecorder } from '../accounts/browser-recorder.ts';

export type EngineSessions = {
  /** The session of the browser that asks; undefined when nobody is signed in there. */
  currentUid(ctx: Context): Promise<string | undefined>;
  isAlive(uid: string): Promise<boolean>;
};

export function noteSignedInBrowsers(
  provider: Provider,
  browsers: Pick<BrowserRecorder, 'noteUse' | 'noteEnd'>,
): void {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC) => {
    const { session } = ctx.oidc;
    if (!session?.accountId) return;
    browsers.noteUse({
      sessionUid: session.uid,
      accountId: session.accountId,
      userAgent: ctx.get('user-agent'),
      address: String(ctx.state.clientAddress ?? ''),
    });
  });
  provider.on('session.destroyed', (session: Session) => browsers.noteEnd(session.uid));
}

export function createEngineSessions(provider: Provider): EngineSessions {
  return {
    async currentUid(ctx) {
      const session = await provider.Session.get(ctx);
      return session.accountId ? session.uid : undefined;
    },
    isAlive: async (uid) => (await provider.Session.findByUid(uid)) !== undefined,
  };
}
