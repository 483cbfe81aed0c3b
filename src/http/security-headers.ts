// The security headers of every answer, and the content security policy of each page.
import type { Middleware } from 'koa';

/**
 * Pages that end in a redirect to a client add its origin in `ctx.state.cspFormAction`; pages with a
 * script of ours (src/page/scripts.ts) set `ctx.state.cspScript`.
 */
export function securityHeaders(options: { isSecure: boolean }): Middleware {
  const strictPolicy = contentSecurityPolicy({});
  return async (ctx, next) => {
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set('Referrer-Policy', 'no-referrer');
    ctx.set('X-Frame-Options', 'DENY');
    if (options.isSecure) ctx.set('Strict-Transport-Security', 'max-age=63072000; includeSubDomains');
    // Before next(): the engine adds to a policy that it finds, and an error page needs one as well.
    ctx.set('Content-Security-Policy', strictPolicy);
    await next();
    if (ctx.response.type !== 'text/html') return;
    const { cspFormAction: formAction, cspScript, cspFrames, cspBlobImages } = ctx.state;
    if (formAction || cspScript) {
      ctx.set(
        'Content-Security-Policy',
        contentSecurityPolicy({
          formAction: ["'self'", ...(formAction ?? [])],
          ...(cspScript === true && { scripts: "'self'" }),
          ...(cspFrames === true && { frames: "'self'" }),
          ...(cspBlobImages === true && { images: "'self' blob:" }),
        }),
      );
    }
    if (!ctx.response.get('Cache-Control')) ctx.set('Cache-Control', 'no-store');
  };
}

/** `scripts`: which may run; `frames`: what may be shown in one; none when absent. `images`: ours when absent. */
type Policy = { formAction?: string[]; scripts?: string; frames?: string; images?: string };

export function contentSecurityPolicy({
  formAction = ["'self'"],
  scripts,
  frames,
  images = "'self'",
}: Policy): string {
  return [
    "default-src 'none'",
    ...(scripts ? [`script-src ${scripts}`] : []),
    ...(frames ? [`frame-src ${frames}`] : []),
    "style-src 'self'",
    `img-src ${images}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Chromium applies form-action to every redirect that follows the post, the client's callback included.
    `form-action ${formAction.join(' ')}`,
  ].join('; ');
}
