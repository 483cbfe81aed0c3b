// Where a webhook may go (promise 37, threats 78 and 79): at creation, and again with the addresses that are really
// connected to.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Database, transaction } from '../../src/database/connection.ts';
import { checkEndpoint, isAllowedIpAddress } from '../../src/webhooks/endpoint-url.ts';
import { createWebhookSender } from '../../src/webhooks/sender.ts';
import { createSubscription, listSubscriptions } from '../../src/webhooks/subscription.ts';
import { openTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Company, createCompany, keys, START } from './company.ts';
import { answerStatus, createAuthority, issueCertificate, type Sink, startSink } from './sink.ts';

/** Threat 78, and everything that has been used to disguise the same things. `%` stands for the sink's port. */
const REFUSED = [
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'https:hooks.example.com',
  'https:/hooks.example.com',
  'https:///hooks.example.com',
  '//hooks.example.com/',
  'hooks.example.com',
  'javascript:alert(1)',
  'file:///etc/passwd',
  '',
  ' https://hooks.example.com/',
  'https://hooks.example.com/ ',
  'https://hooks.example.com/a b',
  'https://hooks.exam\tple.com/',
  'https://hooks.example.com/\r\nx-evil: 1',
  'https://hooks.example.com\\@127.0.0.1/',
  'https://user@hooks.example.com/',
  'https://user:password@hooks.example.com/',
  'https://:password@hooks.example.com/',
  'https://hooks.example.com@127.0.0.1:%/',
  'https://hooks.example.com/#fragment',
  'https://hooks.example.com/#',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:25/',
  'https://hooks.example.com:80/',
  'https://hooks.example.com:0/',
  'https://hooks.example.com:65536/',
  'https://8.8.8.8/',
  'https://127.0.0.1:%/',
  'https://127.1:%/',
  'https://2130706433:%/',
  'https://0x7f000001:%/',
  'https://0177.0.0.1:%/',
  'https://127.0.0.1.:%/',
  'https://%31%32%37.0.0.1:4433/',
  'https://①②⑦.⓪.⓪.①:%/',
  'https://0.0.0.0:%/',
  'https://0:%/',
  'https://10.0.0.1/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://169.254.169.254/latest/meta-data/',
  'https://192.0.2.1/',
  'https://198.18.0.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://[::1]:%/',
  'https://[::]:%/',
  'https://[::ffff:7f00:1]:%/',
  'https://[::ffff:127.0.0.1]:%/',
  'https://[::127.0.0.1]:%/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001::1]/',
  'https://[fc00::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[fec0::1]/',
  'https://[ff02::1]/',
  'https://[2001:db8::1]/',
  'https://[2606:4700::1111]/',
  'https://localhost:%/',
  'https://LOCALHOST:%/',
  'https://localhost.:%/',
  'https://api.localhost:%/',
  'https://localhost.localdomain/',
  'https://intranet/',
  'https://metadata/',
  'https://metadata.google.internal/computeMetadata/v1/',
  'https://metadata.goog/',
  'https://instance-data.ec2.internal/',
  'https://kubernetes.default.svc.cluster.local/',
  'https://printer.local/',
  'https://router.lan/',
  'https://nas.home.arpa/',
  'https://127.0.0.1.nip.io:%/',
  'https://7f000001.nip.io:%/',
  'https://127-0-0-1.sslip.io:%/',
  'https://localtest.me:%/',
  'https://hooks.example.com./',
  'https://id.tollgate.example/',
  'https://ID.Tollgate.Example:8443/',
  `https://hooks.example.com/${'a'.repeat(2_000)}`,
];

const ACCEPTED = [
  'https://hooks.example.com',
  'https://hooks.example.com/path?query=1&token=x',
  'https://hooks.example.com:443/',
  'https://hooks.example.com:8443/',
  'HTTPS://HOOKS.EXAMPLE.COM/Path',
  'https://xn--bcher-kva.example/',
  'https://my-internal.example.com/',
  'https://localhost.example.com/',
];

const rules = { allowLoopback: false, ownHosts: ['id.tollgate.example'] };
const loopback = { ...rules, allowLoopback: true };
const never = () => Promise.reject(new Error('no look-up was expected'));

let database: TestDatabase;
let db: Database;
let company: Company;
let sink: Sink;
let caCert: string;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.connection.db;
  company = await createCompany(db);
  const authority = await createAuthority();
  caCert = authority.cert;
  sink = await startSink({ certificate: await issueCertificate({ authority }) });
});

afterAll(async () => {
  await sink.close();
  await database.remove();
});

function withPort(url: string): string {
  return url.replace('%/', `${sink.port}/`);
}

function create(url: string) {
  const { workspaceId } = company;
  return transaction(db, (tx) => createSubscription(tx, { ...rules, keys, workspaceId, url, now: START }));
}

function send(url: string, options: Partial<Parameters<typeof createWebhookSender>[0]> = {}) {
  const request = { url, headers: { 'content-type': 'application/json' }, body: '{}' };
  return createWebhookSender({ rules, resolve: never, extraCa: caCert, ...options })(request);
}

describe('threat 78: an endpoint that is not a public HTTPS address', () => {
  test.each(REFUSED)('is refused at creation: %s', async (url) => {
    await expect(create(withPort(url))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  test.each(REFUSED)('is refused at each delivery, before a look-up or a connection: %s', async (url) => {
    expect(await send(withPort(url))).toMatchObject({ failure: 'blocked_address' });
  });

  test('opened no connection to the machine that the test runs on', async () => {
    expect(sink.connections).toBe(0);
    expect(await listSubscriptions(db, company.workspaceId)).toEqual([]);
  });

  test.each(ACCEPTED)('but a public one is accepted: %s', async (url) => {
    const { id, secret } = await create(url);
    expect(id).toMatch(/^whs_/);
    expect(secret).toMatch(/^whsec_[\w-]{43}$/);
  });

  test('the switch for development allows loopback addresses and no other private ones', async () => {
    const { workspaceId } = company;
    for (const host of ['localhost', 'api.localhost', '127.0.0.1', '[::1]']) {
      const url = `https://${host}:8443/hooks`;
      await transaction(db, (tx) =>
        createSubscription(tx, { ...loopback, keys, workspaceId, url, now: START }),
      );
    }
    for (const host of ['10.0.0.1', '192.168.1.1', '169.254.169.254', '[fd00::1]', 'router.lan', '0.0.0.0']) {
      const url = `https://${host}:8443/hooks`;
      const created = transaction(db, (tx) =>
        createSubscription(tx, { ...loopback, keys, workspaceId, url, now: START }),
      );
      await expect(created).rejects.toMatchObject({ code: 'invalid_request' });
    }
    expect(await send(sink.url, { rules: loopback })).toMatchObject({ status: 200 });
    expect(sink.received).toHaveLength(1);
  });

  test('a workspace has at most 20 subscriptions', async () => {
    const { workspaceId } = await createCompany(db);
    const url = 'https://hooks.example.com/';
    const add = () =>
      transaction(db, (tx) => createSubscription(tx, { ...rules, keys, workspaceId, url, now: START }));
    for (let count = 0; count < 20; count += 1) await add();
    await expect(add()).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('threat 79: a public name that leads to a private address', () => {
  const PRIVATE = [
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.10',
    '169.254.169.254',
    '100.100.100.200',
    '192.0.0.192',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
    '2001::1',
    '100::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '5f00::1',
    'not an address',
    '',
  ];

  test.each(PRIVATE.filter((address) => address !== '::ffff:8.8.8.8'))(
    'resolving to %s is refused at delivery',
    async (address) => {
      const answer = await send('https://hooks.example.com/', { resolve: async () => [address] });
      expect(answer).toMatchObject({ failure: 'blocked_address' });
      expect(isAllowedIpAddress(address, 'hooks.example.com', rules)).toBe(false);
    },
  );

  test('also under the switch for development, which is for the name localhost alone', async () => {
    const options = { rules: loopback, resolve: async () => ['127.0.0.1'] };
    expect(await send(`https://hooks.example.com:${sink.port}/`, options)).toMatchObject({
      failure: 'blocked_address',
    });
  });

  test('one private address among public ones refuses all', async () => {
    for (const addresses of [
      ['8.8.8.8', '127.0.0.1'],
      ['127.0.0.1', '8.8.8.8'],
      ['2606:4700::1111', '::1'],
      [],
    ]) {
      const answer = await send('https://hooks.example.com/', { resolve: async () => addresses });
      expect(answer).toMatchObject({ failure: 'blocked_address' });
    }
  });

  test('public at creation and private at delivery is refused at delivery; one look-up decides and connects', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['127.0.0.1']];
    let lookUps = 0;
    const resolve = async () => answers[lookUps++] ?? [];
    await checkEndpoint('https://rebind.example.com/', { rules, resolve });
    expect(await send('https://rebind.example.com/', { resolve })).toMatchObject({
      failure: 'blocked_address',
    });
    expect(lookUps).toBe(2);
  });

  test('private at creation is refused at creation; a name that does not resolve yet is not', async () => {
    const check = (resolve: () => Promise<string[]>) =>
      checkEndpoint('https://hooks.example.com/', { rules, resolve });
    await expect(check(async () => ['10.0.0.1'])).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(check(async () => ['8.8.8.8', '10.0.0.1'])).rejects.toMatchObject({
      code: 'invalid_request',
    });
    await check(() => Promise.reject(new Error('ENOTFOUND')));
    await check(async () => ['8.8.8.8']);
  });

  test('a name without an address is a failure of its own', async () => {
    const answer = await send('https://gone.example.com/', {
      resolve: () => Promise.reject(new Error('ENOTFOUND')),
    });
    expect(answer).toMatchObject({ failure: 'dns' });
  });

  test.each([301, 302, 303, 307, 308])(
    'a %i to a private address, by name or literal, is not followed',
    async (status) => {
      const inner = await startSink({ certificate: await issueCertificate({}) });
      for (const location of [
        `https://localhost:${inner.port}/`,
        `https://127.0.0.1:${inner.port}/`,
        'http://169.254.169.254/',
      ]) {
        sink.respond = answerStatus(status, { location });
        const answer = await send(sink.url, { rules: loopback });
        expect(answer.status).toBe(status);
      }
      expect(inner.connections).toBe(0);
      await inner.close();
    },
  );

  test('public addresses are allowed', () => {
    for (const address of ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:82b::200e']) {
      expect(isAllowedIpAddress(address, 'hooks.example.com', rules)).toBe(true);
    }
  });
});
