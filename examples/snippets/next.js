// Next.js 15 or later: npm install next-auth@beta
// app/api/auth/[...nextauth]/route.js, with AUTH_SECRET and TOLLGATE_CLIENT_SECRET in .env.local
import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  trustHost: true,
  providers: [
    {
      id: 'tollgate',
      name: 'Tollgate',
      type: 'oidc',
      issuer: process.env.TOLLGATE_ISSUER,
      clientId: process.env.TOLLGATE_CLIENT_ID,
      clientSecret: process.env.TOLLGATE_CLIENT_SECRET,
      // By default it sends PKCE alone; Tollgate wants all three.
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
  callbacks: {
    // Know your customer by `sub`: the e-mail address may change.
    jwt: ({ token, profile }) => (profile ? { ...token, sub: profile.sub } : token),
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub } }),
  },
});

// Register this callback: https://<your host>/api/auth/callback/tollgate
export const { GET, POST } = handlers;
