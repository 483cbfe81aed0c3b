// Signs people in without the pages: a session of the engine, through its public interface, and the cookie that a
// browser would send. The same on every server under test.
import { createHmac } from 'node:crypto';
import type Provider from 'oidc-provider';

const SESSION_SECONDS = 86_400;

export async function sessionCookie(
  provider: Provider,
  options: { accountId: string; cookieName: string; cookieKey: string },
): Promise<{ cookie: string; uid: string }> {
  const { accountId, cookieName, cookieKey } = options;
  const session = new provider.Session();
  session.loginAccount({ accountId });
  await session.save(SESSION_SECONDS);
  const pair = `${cookieName}=${session.jti}`;
  // As the engine's cookie library signs.
  const signature = createHmac('sha1', cookieKey).update(pair).digest('base64url');
  return { cookie: `${pair}; ${cookieName}.sig=${signature}`, uid: session.uid };
}
