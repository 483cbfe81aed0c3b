// Where a form of the hosted pages may end (the policy's form-action). Chromium holds that against every redirect
// that follows the form, and not only against the callback: one that sends the browser on to an origin that is
// missing here ends the sign-in silently, on our page.
import { getDomain } from 'tldts';
import type { Application } from '../src/applications/application.ts';

/** The callback, every other registered address of the application, and the neighbours of the callback's host. */
export function formTargets(application: Application, callbackOrigin: string | undefined): string[] {
  // A device's flow ends on a page of ours.
  if (callbackOrigin === undefined) return [];
  const registered = [...application.redirectUris, ...application.allowedOrigins].flatMap((uri) =>
    URL.canParse(uri) ? [new URL(uri).origin] : [],
  );
  return [...new Set([callbackOrigin, ...registered, ...neighbours(callbackOrigin)])];
}

/**
 * A backend at api.example.com that goes on to www.example.com is common; so is one port of localhost to another. Never
 * above what one owner has registered: `*.co.uk` or `*.github.io` would be half of the world.
 */
function neighbours(origin: string): string[] {
  const { hostname } = new URL(origin);
  if (hostname === 'localhost') return ['http://localhost:*', 'https://localhost:*'];
  const domain = getDomain(hostname, { allowPrivateDomains: true });
  if (domain === null || (hostname !== domain && !hostname.endsWith(`.${domain}`))) return [];
  const parent = hostname === domain ? domain : hostname.slice(hostname.indexOf('.') + 1);
  return [`https://${parent}`, `https://*.${parent}`];
}
