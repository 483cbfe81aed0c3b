// Next.js 15 or later: npm install next react react-dom next-auth@beta ./tollgate-webhooks.tgz
// The last is not on npm yet: curl -O https://id.example.com/docs/files/tollgate-webhooks.tgz
// auth.js beside the folder app, with AUTH_SECRET and TOLLGATE_CLIENT_SECRET in .env.local
import NextAuth from 'next-auth';

const issuer = process.env.TOLLGATE_ISSUER;
const clientId = process.env.TOLLGATE_CLIENT_ID;
// Register this callback: https://<your host>/api/auth/callback/tollgate
const home = new URL('/', process.env.TOLLGATE_CALLBACK).href;
// Behind whatever ends TLS, Next.js takes its own port for its address, and Auth.js would send people there.
process.env.AUTH_URL ??= new URL(home).origin;

export const { handlers, auth, signIn, signOut } = NextAuth({
  trustHost: true,
  pages: { error: '/sign-in-failed' },
  providers: [
    {
      id: 'tollgate',
      name: 'Tollgate',
      type: 'oidc',
      issuer,
      clientId,
      clientSecret: process.env.TOLLGATE_CLIENT_SECRET,
      // By default it sends PKCE alone; Tollgate wants all three.
      checks: ['pkce', 'state', 'nonce'],
      // Everything is in the ID Token, so the session needs no access token, and nothing has to be refreshed.
      authorization: { params: { scope: 'openid email profile' } },
    },
  ],
  callbacks: {
    // Know your customer by `sub`: the e-mail address may change.
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});

/** Auth.js ends its own session. Send the browser here afterwards, and the one at Tollgate ends too. */
export const logOutAddress = `${issuer}/oauth/logout?${new URLSearchParams({
  client_id: clientId,
  post_logout_redirect_uri: home,
})}`;
