// An API that takes Tollgate's JWT access tokens (RFC 9068). Node 20 or later: npm install jose
import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const issuer = process.env.TOLLGATE_ISSUER;
const identifier = process.env.API_IDENTIFIER;
// Fetched once and kept; again only when a token names a key that is not among them.
const keys = createRemoteJWKSet(new URL('/oauth/jwks', issuer));

/** Everything that is wrong with a token has a code of jose's; these are about the keys, and our own problem. */
const withoutKeys = ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'];

/** Who calls and what they may do; undefined: nobody whom we know. */
async function readToken(request) {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ');
  if (scheme.toLowerCase() !== 'bearer' || !token) return undefined;
  try {
    const expected = { issuer, audience: identifier, algorithms: ['RS256'], typ: 'at+jwt' };
    const { payload } = await jwtVerify(token, keys, {
      ...expected,
      requiredClaims: ['exp', 'sub', 'client_id'],
    });
    return { sub: payload.sub, clientId: payload.client_id, scopes: (payload.scope ?? '').split(' ') };
  } catch (error) {
    if (error.code?.startsWith('ERR_J') && !withoutKeys.includes(error.code)) return undefined;
    throw error;
  }
}

function answer(response, status, body, challenge) {
  if (challenge) response.setHeader('www-authenticate', challenge);
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

createServer(async (request, response) => {
  try {
    const caller = await readToken(request);
    if (!caller) return answer(response, 401, { error: 'invalid_token' }, 'Bearer error="invalid_token"');
    if (!caller.scopes.includes('orders:read'))
      return answer(
        response,
        403,
        { error: 'insufficient_scope' },
        'Bearer error="insufficient_scope", scope="orders:read"',
      );
    answer(response, 200, { orders: [], of: caller.sub, through: caller.clientId });
  } catch (error) {
    console.error(error);
    answer(response, 503, { error: 'temporarily_unavailable' });
  }
}).listen(Number(process.env.PORT ?? 4010), '127.0.0.1');
