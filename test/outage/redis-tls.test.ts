// Redis behind TLS and a password, as REDIS_URL says, with the service as a real process: the
// authority of a company's own Redis is given to it as NODE_EXTRA_CA_CERTS. Whom it cannot trust it does not talk to.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signInAs } from '../harness/browserless-person.ts';
import { type Client, exchange, readCallback, startAttempt, userinfo } from '../harness/client.ts';
import { type CommandLine, createCommandLine } from '../harness/command-line.ts';
import { hasOwnRedis, type OwnRedisServer, startOwnRedis } from '../harness/redis.ts';
import { createAuthority, issueCertificate } from '../webhooks/sink.ts';

const CALLBACK = 'https://shop.example/callback';
/** With what an address must encode. */
const PASSWORD = 'canary-p@ss/w:rd%';
const describeTls = (await hasOwnRedis()) ? describe : describe.skip;

describeTls('rediss:// with a password', () => {
  let redis: OwnRedisServer;
  let tollgate: CommandLine;
  let caFile: string;

  beforeAll(async () => {
    const authority = await createAuthority();
    const certificate = await issueCertificate({ authority });
    redis = await startOwnRedis({ secured: { ...certificate, password: PASSWORD } });
    tollgate = await createCommandLine({ REDIS_URL: redis.url });
    caFile = join(tollgate.directory, 'ca.pem');
    await writeFile(caFile, authority.cert);
  });
  afterAll(async () => {
    await tollgate.remove();
    await redis.stop();
  });

  /** 503 without Redis; 401 for a token that is none. */
  const statusOf = async (service: { url: string }) => (await userinfo(service, 'x'.repeat(43))).status;
  const countKeys = () => redis.command((commands) => commands.dbsize());

  test('a sign-in goes through it, and the password is in no log line', async () => {
    const service = await tollgate.start({ NODE_EXTRA_CA_CERTS: caFile });
    const made = await tollgate.json(`application create --name Shop --callback ${CALLBACK}`);
    await tollgate.json(`credit ${made.applicationId} 10 --reference start`);
    const client: Client = {
      clientId: String(made.clientId),
      clientSecret: String(made.clientSecret),
      redirectUris: [CALLBACK],
    };
    const attempt = startAttempt(service, client);
    const callback = await signInAs({ authorizationUrl: attempt.url, email: 'ada@example.test' });
    const { code = '' } = readCallback(callback);
    const answer = await exchange(service, client, { code, verifier: attempt.verifier });
    expect(answer.status).toBe(200);
    expect((await userinfo(service, String(answer.body.access_token))).status).toBe(200);
    expect(await countKeys()).toBeGreaterThan(1);
    expect(await service.stop('SIGTERM')).toBe(0);
    expect(service.stderr()).not.toContain('canary');
  }, 120_000);

  test.each([
    ['an authority that it was not told of', {}],
    ['a wrong password', { password: 'canary-wrong' }],
    ['a name that the certificate does not have', { host: '127.0.0.1' }],
  ])(
    '%s: 503, and nothing is sent there',
    async (_name, wrong: { password?: string; host?: string }) => {
      await redis.command((commands) => commands.flushall());
      const url = new URL(redis.url);
      url.password = wrong.password ?? url.password;
      url.hostname = wrong.host ?? url.hostname;
      const isTrusted = Object.keys(wrong).length > 0;
      const service = await tollgate.startWaiting({
        REDIS_URL: url.href,
        ...(isTrusted && { NODE_EXTRA_CA_CERTS: caFile }),
      });
      expect(await statusOf(service)).toBe(503);
      expect(await countKeys()).toBe(0);
      expect(await service.stop('SIGTERM')).toBe(0);
      expect(service.stderr()).toContain('Redis does not answer at');
      expect(service.stderr()).not.toContain('canary');
    },
    120_000,
  );
});
