// A single-page application, built with Vite: npm install react react-dom oidc-client-ts
import { InMemoryWebStorage, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

const callback = import.meta.env.VITE_TOLLGATE_CALLBACK;

const manager = new UserManager({
  authority: import.meta.env.VITE_TOLLGATE_ISSUER,
  client_id: import.meta.env.VITE_TOLLGATE_CLIENT_ID,
  redirect_uri: callback,
  post_logout_redirect_uri: new URL('/', callback).href,
  // offline_access: a refresh token, so that the person stays signed in longer than an access token lives. It is
  // renewed by itself a minute before the end, and each renewal brings a new one: let every tab have its own.
  scope: 'openid email profile offline_access',
  // In memory: a script that gets into the page later finds no token in any storage.
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
});

/** The library makes state and PKCE itself; the nonce is yours. Afterwards the person is back where they were. */
const signIn = () => manager.signinRedirect({ nonce: crypto.randomUUID(), state: location.pathname });

/** Once for each start of the page: who has just come back, if anybody. React runs effects twice while developing. */
const arrival = comeBack();

async function comeBack() {
  if (location.origin + location.pathname !== callback) return undefined;
  const user = await manager.signinCallback().finally(() => {
    // The code is spent; it should not stay in the address bar.
    history.replaceState(null, '', '/');
  });
  if (typeof user?.state === 'string') history.replaceState(null, '', user.state);
  return user;
}

function App() {
  const [user, setUser] = useState();
  const [problem, setProblem] = useState();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    const { events } = manager;
    events.addUserLoaded(setUser);
    events.addUserUnloaded(() => setUser(undefined));
    events.addSilentRenewError(setProblem);
    arrival.then(setUser, setProblem).finally(() => setReady(true));
  }, []);
  if (!isReady) return <p>One moment…</p>;
  if (problem) return <Problem error={problem} />;
  if (location.pathname === '/account')
    return user ? <Account user={user} /> : <SignIn lead="Your account is yours alone." />;
  if (!user) return <SignIn />;
  return (
    <main>
      <h1>Shop</h1>
      <p>Signed in as {user.profile.email}</p>
      <Account user={user} />
    </main>
  );
}

function SignIn({ lead }) {
  return (
    <main>
      <h1>Shop</h1>
      {lead && <p>{lead}</p>}
      <button type="button" onClick={signIn}>
        Sign in
      </button>
    </main>
  );
}

/** For customers only. Know yours by `sub`: the e-mail address may change. Send the access token to your own API. */
function Account({ user }) {
  const [renewals, setRenewals] = useState(0);
  const renew = async () => {
    await manager.signinSilent();
    setRenewals(renewals + 1);
  };
  return (
    <section>
      <h2>Account</h2>
      <pre>{JSON.stringify(user.profile, null, 2)}</pre>
      <button type="button" onClick={renew}>
        Renew the access token
      </button>
      <p>Renewals: {renewals}</p>
      <button type="button" onClick={() => manager.signoutRedirect()}>
        Log out
      </button>
    </section>
  );
}

const explanations = {
  access_denied: 'You said no, and nothing was shared.',
  invalid_grant: 'That took too long, or was opened twice.',
  temporarily_unavailable: 'Signing in is paused. Please come back later.',
};

function Problem({ error }) {
  // For you, not for the person: what Tollgate said, and the reference that Usage → Find a sign-in takes.
  console.error(error);
  return (
    <main>
      <h1>Signing in failed</h1>
      <p>{explanations[error.error] ?? 'Something went wrong. Please try once more.'}</p>
      <button type="button" onClick={signIn}>
        Start again
      </button>
    </main>
  );
}

createRoot(document.getElementById('app')).render(<App />);
