// What our speed is compared with: oidc-provider by itself, with the adapter that its documentation shows, RS256,
// clients and people in memory, no consent page, no charge, no rate limit and no log.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { answerCalls } from './processes.ts';
import { sessionCookie } from './session-cookie.ts';
import type { Application, Person } from './sign-in.ts';

const redis = new Redis(process.env.REDIS_URL ?? '', { keyPrefix: `bench-bare:${process.pid}:` });
const CONSUMABLE = ['AuthorizationCode', 'RefreshToken'];
const GRANTABLE = ['AccessToken', 'AuthorizationCode', 'RefreshToken'];

/** As in the engine's own example/adapters/redis.ts: values under their ids, lists of what a grant led to. */
function redisAdapter(model: string): Adapter {
  const keyOf = (id: string) => `${model}:${id}`;
  const read = async (key: string): Promise<AdapterPayload | undefined> => {
    if (!CONSUMABLE.includes(model)) {
      const text = await redis.get(key);
      return text === null ? undefined : JSON.parse(text);
    }
    const { payload, consumed } = await redis.hgetall(key);
    return payload === undefined
      ? undefined
      : { ...JSON.parse(payload), ...(consumed && { consumed: Number(consumed) }) };
  };
  return {
    async upsert(id, payload, expiresIn = 0) {
      const key = keyOf(id);
      const text = JSON.stringify(payload);
      const multi = redis.multi();
      if (CONSUMABLE.includes(model)) multi.hset(key, { payload: text }).expire(key, expiresIn);
      else multi.set(key, text, 'EX', expiresIn);
      if (GRANTABLE.includes(model) && payload.grantId) {
        const list = `grant:${payload.grantId}`;
        multi.rpush(list, key).expire(list, expiresIn);
      }
      if (payload.uid) multi.set(`uid:${payload.uid}`, id, 'EX', expiresIn);
      await multi.exec();
    },
    find: (id) => read(keyOf(id)),
    async findByUid(uid) {
      const id = await redis.get(`uid:${uid}`);
      return id === null ? undefined : read(keyOf(id));
    },
    findByUserCode: async () => undefined,
    async destroy(id) {
      await redis.del(keyOf(id));
    },
    async consume(id) {
      await redis.hset(keyOf(id), 'consumed', Math.floor(Date.now() / 1000));
    },
    async revokeByGrantId(grantId) {
      const keys = await redis.lrange(`grant:${grantId}`, 0, -1);
      await redis.del(...keys, `grant:${grantId}`);
    },
  };
}

const applications: Application[] = Array.from({ length: 100 }, (_, index) => ({
  clientId: `client_${index}`,
  clientSecret: randomUUID(),
  redirectUri: 'https://app.example.test/callback',
}));
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const cookieKey = randomUUID();

const configuration: Configuration = {
  adapter: redisAdapter,
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'bench' }] },
  clients: applications.map(({ clientId, clientSecret, redirectUri }) => ({
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: 'client_secret_post' as const,
  })),
  cookies: { keys: [cookieKey], names: { session: 'session' } },
  routes: { authorization: '/oauth/authorize', token: '/oauth/token' },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  conformIdTokenClaims: false,
  features: { devInteractions: { enabled: false } },
  findAccount: (_ctx, accountId) => ({
    accountId,
    claims: () => ({ sub: accountId, email: `${accountId}@example.test`, email_verified: true, name: 'Ada' }),
  }),
  /** Consent as given: the recipe of the engine's documentation for one's own applications. */
  async loadExistingGrant({ oidc }) {
    const { client, session, account, provider } = oidc;
    if (!client || !session || !account) return undefined;
    const grantId = session.grantIdFor(client.clientId);
    if (grantId) return provider.Grant.find(grantId);
    const grant = new provider.Grant({ clientId: client.clientId, accountId: account.accountId });
    grant.addOIDCScope('openid email profile');
    await grant.save();
    return grant;
  },
};

let provider: Provider | undefined;

answerCalls(
  {
    async start() {
      const server = new Provider('http://127.0.0.1', configuration);
      provider = server;
      const listening = server.listen(0, '127.0.0.1');
      await new Promise((resolve) => listening.once('listening', resolve));
      return { port: (listening.address() as AddressInfo).port, applications };
    },
    async people(count: number): Promise<Person[]> {
      if (!provider) throw new Error('not started');
      const people: Person[] = [];
      while (people.length < count) {
        const accountId = `acc_${randomUUID()}`;
        const { cookie } = await sessionCookie(provider, { accountId, cookieName: 'session', cookieKey });
        people.push({ cookie });
      }
      return people;
    },
    cpu: () => process.cpuUsage(),
  },
  async () => {
    redis.disconnect();
  },
);
