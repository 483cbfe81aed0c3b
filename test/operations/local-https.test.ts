// `tollgate local-https`: HTTPS in front of one's own http server, for requests of any kind and WebSockets.
import { spawn } from 'node:child_process';
import { createHash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type KeptCertificate, keepCertificate } from '../../src/command/local-certificate.ts';
import { type LocalHttps, startLocalHttps } from '../../src/command/local-https.ts';
import { freePort } from '../harness/free-port.ts';

let folder: string;
let certificate: KeptCertificate;
let behind: Server;
let to: number;
let front: LocalHttps;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tollgate-local-'));
  certificate = await keepCertificate(join(folder, 'certificates'));
  to = await freePort();
  behind = createServer(async (asked, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk);
    answer.setHeader('Set-Cookie', ['a=1', 'b=2']);
    answer.statusCode = 201;
    answer.end(
      JSON.stringify({
        method: asked.method,
        url: asked.url,
        headers: asked.headers,
        digest: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
      }),
    );
  });
  behind.on('upgrade', (asked, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${asked.headers.upgrade}\r\nConnection: Upgrade\r\n\r\n`,
    );
    socket.pipe(socket);
  });
  await new Promise<void>((listening) => behind.listen(to, 'localhost', listening));
  front = await startLocalHttps({ port: await freePort(), to, certificate });
});
afterAll(async () => {
  await front.close();
  await new Promise((closed) => {
    behind.close(closed);
    behind.closeAllConnections();
  });
  await rm(folder, { recursive: true });
});

type Answer = { status: number | undefined; headers: Record<string, unknown>; text: string };

function send(url: string, options: { method?: string; body?: Buffer; ca?: string } = {}): Promise<Answer> {
  const { method = 'GET', body, ca = certificate.ca } = options;
  return new Promise((done, failed) => {
    const sent = request(url, { method, ca }, async (answer) => {
      let text = '';
      for await (const chunk of answer) text += chunk;
      done({ status: answer.statusCode, headers: answer.headers, text });
    });
    sent.on('error', failed).end(body);
  });
}

test('requests and answers pass as they are, large bodies too, and the application learns that it was HTTPS', async () => {
  const body = randomBytes(3_000_000);
  const answer = await send(`${front.url}/callback?code=a%20b`, { method: 'POST', body });
  expect(answer.status).toBe(201);
  expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2']);
  expect(JSON.parse(answer.text)).toMatchObject({
    method: 'POST',
    url: '/callback?code=a%20b',
    digest: createHash('sha256').update(body).digest('hex'),
    headers: {
      host: new URL(front.url).host,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': new URL(front.url).host,
    },
  });
});

test('a WebSocket goes through in both directions', async () => {
  const { port, host } = new URL(front.url);
  const socket = connect({ host: 'localhost', port: Number(port), ca: certificate.ca });
  socket.write(`GET /live HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  const [head] = await once(socket, 'data');
  expect(String(head)).toContain('101 Switching Protocols');
  const said = randomBytes(64);
  socket.write(said);
  const [echo] = await once(socket, 'data');
  expect(echo).toEqual(said);
  socket.destroy();
});

test('nobody trusts it who was not told to, and the fingerprint is what the connection shows', async () => {
  await expect(send(front.url, { ca: '' })).rejects.toThrow(/self-signed|unable to verify|issuer/i);
  const { port } = new URL(front.url);
  const socket = connect({ host: 'localhost', port: Number(port), ca: certificate.ca });
  await once(socket, 'secureConnect');
  expect(socket.getPeerCertificate().fingerprint256).toBe(
    new X509Certificate(certificate.cert).fingerprint256,
  );
  socket.destroy();
});

test('while the application is not there, the answer says so', async () => {
  const nobody = await freePort();
  const empty = await startLocalHttps({ port: await freePort(), to: nobody, certificate });
  const answer = await send(empty.url);
  expect([answer.status, answer.text]).toEqual([
    502,
    `Nothing answers at http://localhost:${nobody}. Start your application there.\n`,
  ]);
  await empty.close();
});

test('the certificate is kept, and the authority cannot sign anything else: its key is nowhere', async () => {
  const directory = join(folder, 'certificates');
  expect(await keepCertificate(directory)).toEqual(certificate);
  expect((await readdir(directory)).sort()).toEqual(['ca.pem', 'cert.pem', 'key.pem']);
  expect((await stat(join(directory, 'key.pem'))).mode & 0o077).toBe(0);
  const authority = new X509Certificate(certificate.ca);
  const server = new X509Certificate(certificate.cert);
  expect([authority.ca, server.ca, server.verify(authority.publicKey)]).toEqual([true, false, true]);
  const key = await readFile(join(directory, 'key.pem'), 'utf8');
  expect(authority.checkPrivateKey((await import('node:crypto')).createPrivateKey(key))).toBe(false);
  await writeFile(join(directory, 'cert.pem'), 'broken');
  expect((await keepCertificate(directory)).cert).not.toBe('broken');
});

test('the command says the address and the fingerprint, and ends by a signal; a taken port is one sentence', async () => {
  const port = await freePort();
  const command = (at: number) =>
    spawn(process.execPath, [
      resolve(import.meta.dirname, '../../dist/src/cli.js'),
      ...['local-https', String(at), '--to', String(to), '--certificates', join(folder, 'of-the-command')],
    ]);
  const running = command(port);
  const [said] = await once(running.stdout, 'data');
  expect(String(said)).toContain(`https://localhost:${port}  →  http://localhost:${to}`);
  const ca = await readFile(join(folder, 'of-the-command/ca.pem'), 'utf8');
  expect(String(said)).toContain(new X509Certificate(ca).fingerprint256);
  expect((await send(`https://localhost:${port}/`, { ca })).status).toBe(201);
  const second = command(port);
  const [complaint] = await once(second.stderr, 'data');
  expect(String(complaint)).toBe(`tollgate: Port ${port} is taken by another program; name another one.\n`);
  running.kill('SIGINT');
  expect(await once(running, 'exit')).toEqual([0, null]);
});
