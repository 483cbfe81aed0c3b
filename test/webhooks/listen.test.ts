// `tollgate listen` (promise 55, threat 153): the real command as a process, a real service, and a real receiver that verifies with the package that
// integrators install. Connections break, receivers are away, keys are revoked; nothing is lost and everything is said.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { verifyWebhook } from '../../packages/webhooks/src/webhooks.ts';
import { createApiKey, revokeApiKey } from '../../src/applications/api-key.ts';
import { freePort } from '../harness/free-port.ts';
import { untilItWorks } from '../harness/outage.ts';
import { startTcpProxy } from '../harness/tcp-proxy.ts';
import { type RegisteredApplication, startTollgate, type TestTollgate } from '../harness/tollgate.ts';
import { createVisits } from './sessions.ts';
import { issueCertificate } from './sink.ts';

const cli = resolve(import.meta.dirname, '../../dist/src/cli.js');

let service: TestTollgate;
let application: RegisteredApplication;
let key: { id: string; key: string };
let visits: ReturnType<typeof createVisits>;
const open: (() => unknown)[] = [];

beforeAll(async () => {
  service = await startTollgate();
  application = await service.register();
  visits = createVisits(service.tollgate.connection);
  key = await newKey();
});
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});
afterAll(() => service.stop());

function newKey() {
  const now = new Date();
  return createApiKey(service.db, {
    workspaceId: service.workspace.id,
    name: 'listen',
    scopes: ['identity:read'],
    now,
  });
}

type Listener = { output(): string; errors(): string; secret(): string; exited: Promise<number | null> };

function listen(
  line: string,
  { apiKey = key.key, api = `${service.url}/v1` }: { apiKey?: string; api?: string } = {},
): Listener {
  const words = ['listen', ...line.split(' '), '--api', api];
  const env = { PATH: process.env.PATH ?? '', TOLLGATE_API_KEY: apiKey };
  // No settings of the developer's: they would come from a file .env of the working directory.
  const child: ChildProcess = spawn(process.execPath, [cli, ...words], { cwd: tmpdir(), env });
  const said = { output: '', errors: '' };
  child.stdout?.on('data', (text) => {
    said.output += text;
  });
  child.stderr?.on('data', (text) => {
    said.errors += text;
  });
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  open.push(async () => {
    child.kill('SIGINT');
    await exited;
  });
  return {
    output: () => said.output,
    errors: () => said.errors,
    secret: () => /whsec_[\w-]+/.exec(said.output)?.[0] ?? '',
    exited,
  };
}

const ready = (listener: Listener, words = 'Ready') =>
  untilItWorks(async () => expect(listener.output() + listener.errors()).toContain(words));

type Arrived = { headers: IncomingHttpHeaders; body: Buffer };
type Receiver = { url: string; arrived: Arrived[]; statuses: number[] };

/** Answers with each of the statuses, then with 204. */
async function startReceiver({ port = 0, secure = false } = {}): Promise<Receiver> {
  const receiver: Receiver = { url: '', arrived: [], statuses: [] };
  const server: Server = secure ? createHttpsServer(await issueCertificate({})) : createServer();
  server.on('request', async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    receiver.arrived.push({ headers: request.headers, body });
    response.writeHead(receiver.statuses.shift() ?? 204).end();
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port: own } = server.address() as AddressInfo;
  receiver.url = `${secure ? 'https' : 'http'}://localhost:${own}/webhooks`;
  return receiver;
}

/** As an integrator's code does. @throws when it is not genuine. */
function verify({ headers, body }: Arrived, secret: string) {
  return verifyWebhook({ headers, body: body.toString('utf8') }, secret);
}

const idsOf = ({ arrived }: Receiver) => arrived.map(({ headers }) => headers['x-service-webhook-id']);

test('each session arrives once, signed as its webhook would be, with the secret that was shown', async () => {
  const receiver = await startReceiver();
  const listener = listen(`--forward ${receiver.url}`);
  await ready(listener);
  const { account, event } = await visits.newcomer(application.id);
  const later = await visits.visit(application.id, account.id);
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual([event.id, later.id]));
  const [first, second] = receiver.arrived;
  if (!first || !second) throw new Error('nothing arrived');
  expect(await verify(first, listener.secret())).toMatchObject({
    id: event.id,
    type: 'identity.registration.completed.v1',
    data: { application_id: application.id, customer: { sub: event.sub, email: account.email } },
  });
  expect((await verify(second, listener.secret())).type).toBe('identity.login.completed.v1');
  await expect(verify(first, 'whsec_another')).rejects.toThrow(/signature/);
  expect(first.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Tollgate-Webhooks/1',
  });
  await ready(listener, `${event.id}  →  204`);
  expect(listener.output()).not.toContain(key.key);
});

test('the secret stays the same for a key, is another for another, and does not show the key', async () => {
  const [one, again, other] = [
    listen('--forward http://localhost:4003/'),
    listen('--forward http://localhost:4003/'),
    listen('--forward http://localhost:4003/', { apiKey: (await newKey()).key }),
  ];
  for (const listener of [one, again, other]) await ready(listener);
  expect(one.secret()).toMatch(/^whsec_[\w-]{43}$/);
  expect(again.secret()).toBe(one.secret());
  expect(other.secret()).not.toBe(one.secret());
});

test('a receiver with a certificate of its own making is no obstacle on this machine', async () => {
  const receiver = await startReceiver({ secure: true });
  await ready(listen(`--forward ${receiver.url} --application ${application.id}`));
  const { event } = await visits.newcomer(application.id);
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual([event.id]));
});

test('a broken connection is opened again, and what happened meanwhile comes once', async () => {
  const { hostname, port } = new URL(service.url);
  const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
  open.push(() => proxy.close());
  const receiver = await startReceiver();
  const listener = listen(`--forward ${receiver.url}`, { api: `http://127.0.0.1:${proxy.port}/v1` });
  await ready(listener);
  const { account, event } = await visits.newcomer(application.id);
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual([event.id]));
  await proxy.refuse();
  await ready(listener, 'no event is lost');
  const missed = [
    await visits.visit(application.id, account.id),
    await visits.visit(application.id, account.id),
  ];
  await proxy.accept();
  await ready(listener, 'Connected again');
  const all = [event, ...missed].map(({ id }) => id);
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual(all));
  // Cut while it waits for an answer: the page that was on its way is asked for again.
  proxy.cut();
  const last = await visits.visit(application.id, account.id);
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual([...all, last.id]));
});

test('a receiver that is away is waited for, and the terminal says so', async () => {
  const port = await freePort();
  const listener = listen(`--forward http://localhost:${port}/hooks`);
  await ready(listener);
  const { event } = await visits.newcomer(application.id);
  await ready(listener, `Nobody answers at http://localhost:${port}/hooks (ECONNREFUSED). 1 event waits`);
  const receiver = await startReceiver({ port });
  await untilItWorks(async () => expect(idsOf(receiver)).toEqual([event.id]));
});

test('a receiver that refuses gets the event again, signed anew, while others pass it', async () => {
  const receiver = await startReceiver();
  receiver.statuses.push(500, 302);
  const listener = listen(`--forward ${receiver.url}`);
  await ready(listener);
  const { account, event } = await visits.newcomer(application.id);
  const later = await visits.visit(application.id, account.id);
  await untilItWorks(async () =>
    expect(idsOf(receiver).toSorted()).toEqual([event.id, event.id, later.id, later.id].toSorted()),
  );
  for (const arrived of receiver.arrived) await verify(arrived, listener.secret());
  expect(listener.output()).toMatch(new RegExp(`${event.id} {2}→ {2}500 in \\d+ ms\\. Trying again in 1 s`));
  receiver.statuses.push(410);
  const gone = await visits.visit(application.id, account.id);
  await ready(listener, 'Given up');
  expect(idsOf(receiver).filter((id) => id === gone.id)).toHaveLength(1);
});

test('a key that is revoked ends it within seconds', async () => {
  const own = await newKey();
  const listener = listen('--forward http://localhost:4003/', { apiKey: own.key });
  await ready(listener);
  const startedAt = performance.now();
  await revokeApiKey(service.db, { id: own.id, workspaceId: service.workspace.id, now: new Date() });
  expect(await listener.exited).toBe(1);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(listener.errors()).toBe(
    'tollgate: The API key is not valid, or no longer. Nothing more is received.\n',
  );
});

test('a service that stops answers whoever waits, and is waited for in turn', async () => {
  const stopping = await startTollgate();
  const { key: apiKey } = await createApiKey(stopping.db, {
    workspaceId: stopping.workspace.id,
    name: 'listen',
    scopes: ['identity:read'],
    now: new Date(),
  });
  const listener = listen('--forward http://localhost:4003/', { apiKey, api: `${stopping.url}/v1` });
  await ready(listener);
  const startedAt = performance.now();
  await stopping.stop();
  // It might have waited for 20 seconds, and been cut off after 30.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  await ready(listener, 'no event is lost');
});

test('what cannot work is said in one sentence', async () => {
  const silent = createTcpServer((socket) =>
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\nno'),
  );
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done));
  open.push(() => silent.close());
  const elsewhere = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const here = '--forward http://localhost:4003/';
  const ends: [Listener, RegExp][] = [
    [listen('--forward http://shop.example/webhooks'), /--forward must be an https:\/\/ address, or/],
    [listen('--forward nonsense'), /--forward must be/],
    [listen(here, { api: 'http://id.example.com/v1' }), /--api must be/],
    [listen(here, { api: elsewhere }), /is no customer-data API \(it answered 404\)/],
    [listen(here, { apiKey: ' ' }), /Set TOLLGATE_API_KEY to an API key/],
    [listen(here, { apiKey: 'tollgate_v1_wrong' }), /The API key is not valid/],
    [listen(`${here} --application app_unknown`), /This API key cannot read anything here/],
  ];
  for (const [listener, sentence] of ends) {
    expect(await listener.exited).toBe(1);
    expect(listener.errors()).toMatch(sentence);
    expect(listener.errors()).toMatch(/^tollgate: [^\n]+\n$/);
  }
});
