// A single-page application, built with Vite: npm install oidc-client-ts
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';

const callback = import.meta.env.VITE_TOLLGATE_CALLBACK;

const manager = new UserManager({
  authority: import.meta.env.VITE_TOLLGATE_ISSUER,
  client_id: import.meta.env.VITE_TOLLGATE_CLIENT_ID,
  redirect_uri: callback,
  scope: 'openid email profile',
  // In memory: a script that gets into the page later finds no token in any storage.
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
});

/** For your "Sign in" button. The library makes state and PKCE itself; the nonce is yours. */
export function signIn() {
  return manager.signinRedirect({ nonce: crypto.randomUUID() });
}

/** For every start of the page: who has just come back, if anybody. */
export async function signedIn() {
  if (location.origin + location.pathname !== callback) return undefined;
  const user = await manager.signinCallback();
  // The code is spent; it should not stay in the address bar.
  history.replaceState(null, '', '/');
  // Know your customer by `sub`: the e-mail address may change.
  return user?.profile;
}
