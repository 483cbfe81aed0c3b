// A public client in the browser: oidc-client-ts, PKCE, no secret, tokens in memory only. The server that
// delivers this page puts the issuer and the Client ID into /settings.json.
import { InMemoryWebStorage, type User, UserManager, WebStorageStateStore } from 'oidc-client-ts';

type Settings = { issuer: string; clientId: string };

const settings: Settings = await (await fetch('/settings.json')).json();
const manager = new UserManager({
  authority: settings.issuer,
  client_id: settings.clientId,
  redirect_uri: `${location.origin}/callback.html`,
  post_logout_redirect_uri: `${location.origin}/`,
  scope: 'openid email profile offline_access',
  // Tokens in memory: a script that gets into the page later finds nothing in any storage.
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // State, nonce and PKCE verifier must survive the trip to Tollgate, but not the tab.
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
  // The profile comes from UserInfo, across origins, with the access token.
  loadUserInfo: true,
});

let renewals = 0;

byId('sign-in').onclick = attempted(() =>
  // The one line that Tollgate needs beyond this library's defaults: a nonce, new for each attempt.
  manager.signinRedirect({ nonce: randomNonce() }),
);
byId('refresh').onclick = attempted(async () => {
  // The refresh token is replaced at each use; the old one is worth nothing from then on.
  const user = await manager.signinSilent();
  renewals += 1;
  show(user);
});
byId('log-out').onclick = attempted(() => manager.signoutRedirect());

await attempted(start)();

async function start(): Promise<void> {
  if (location.pathname !== '/callback.html') return show(null);
  try {
    show(await manager.signinCallback());
  } finally {
    // The code is spent; it should not stay in the address bar or the history.
    history.replaceState(null, '', '/');
  }
}

function show(user: User | null | undefined): void {
  byId('signed-out').hidden = Boolean(user);
  byId('signed-in').hidden = !user;
  if (!user) return;
  byId('name').textContent = user.profile.name ?? user.profile.email ?? user.profile.sub;
  byId('expires').textContent = new Date((user.expires_at ?? 0) * 1000).toLocaleTimeString();
  byId('renewals').textContent = String(renewals);
  byId('claims').replaceChildren(
    ...Object.entries(user.profile).flatMap(([claim, value]) => [
      element('dt', claim),
      element('dd', String(value)),
    ]),
  );
}

/** Shows what went wrong instead of leaving it to the console. */
function attempted(action: () => Promise<void>): () => Promise<void> {
  return async () => {
    byId('problem').hidden = true;
    try {
      await action();
    } catch (error) {
      show(null);
      byId('problem-text').textContent = error instanceof Error ? error.message : String(error);
      byId('problem').hidden = false;
    }
  };
}

function randomNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no element ${id}`);
  return found;
}

function element(name: string, text: string): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}
