// Tells the account page when a signed-in browser was last used: noted at each answer to an application.
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { BrowserRecorder } from '../../accounts/browser-recorder.ts';

export function noteSignedInBrowsers(provider: Provider, browsers: Pick<BrowserRecorder, 'noteUse'>): void {
  provider.on('authorization.success', (ctx: KoaContextWithOIDC) => {
    const { session } = ctx.oidc;
    if (!session?.accountId) return;
    browsers.noteUse({
      sessionUid: session.uid,
      userAgent: ctx.get('user-agent'),
      ipAddress: String(ctx.state.ipAddress ?? ''),
    });
  });
}
