// Endpoints for webhook tests: real TLS servers on loopback that keep every byte they are sent and answer
// whatever the test says, however rude. Their certificates come from an authority made for the test.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { generate } from 'selfsigned';

export type Received = {
  /** Start line and header lines exactly as sent. */
  head: string;
  headers: Record<string, string>;
  body: Buffer;
  at: number;
};
export type Respond = (socket: tls.TLSSocket, received: Received) => void;
export type Sink = {
  url: string;
  port: number;
  received: Received[];
  /** Connections that were opened, with or without a request. */
  connections: number;
  open: Set<tls.TLSSocket>;
  respond: Respond;
  close(): Promise<void>;
};
export type Authority = { cert: string; key: string };
type Certificate = { cert: string; key: string };

export async function createAuthority(): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: 'Test authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return { cert: made.cert, key: made.private };
}

export async function issueCertificate(options: {
  authority?: Authority;
  host?: string;
  notAfterDate?: Date;
}): Promise<Certificate> {
  const { authority, host = 'localhost', notAfterDate } = options;
  const made = await generate([{ name: 'commonName', value: host }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ...(notAfterDate && { notBeforeDate: new Date(notAfterDate.getTime() - 86_400_000), notAfterDate }),
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 2, value: host }] },
    ],
    ...(authority && { ca: authority }),
  });
  return { cert: made.cert, key: made.private };
}

export const answerOk: Respond = (socket) => {
  socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok');
};

export function answerStatus(status: number, headers: Record<string, string> = {}): Respond {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (socket) => {
    socket.end(`HTTP/1.1 ${status} Test\r\n${lines.join('')}content-length: 0\r\nconnection: close\r\n\r\n`);
  };
}

export async function startSink(options: {
  certificate: Certificate;
  respond?: Respond;
  host?: string;
}): Promise<Sink> {
  const { certificate, respond = answerOk, host = '127.0.0.1' } = options;
  const server = tls.createServer(certificate);
  const sink: Sink = {
    url: '',
    port: 0,
    received: [],
    connections: 0,
    open: new Set(),
    respond,
    async close() {
      if (!server.listening) return;
      server.close();
      for (const socket of sink.open) socket.destroy();
      await once(server, 'close');
    },
  };
  server.on('connection', () => {
    sink.connections += 1;
  });
  server.on('secureConnection', (socket) => {
    sink.open.add(socket);
    socket.on('close', () => sink.open.delete(socket));
    socket.on('error', () => undefined);
    readRequest(socket, (received) => {
      sink.received.push(received);
      sink.respond(socket, received);
    });
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  sink.port = addressOf(server).port;
  sink.url = `https://localhost:${sink.port}/hooks`;
  return sink;
}

function addressOf(server: tls.Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server does not listen');
  return address;
}

function readRequest(socket: tls.TLSSocket, done: (received: Received) => void): void {
  let bytes = Buffer.alloc(0);
  const read = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = bytes.subarray(0, end).toString('latin1');
    const headers = headersOf(head);
    const body = bytes.subarray(end + 4);
    if (body.length < Number(headers['content-length'] ?? 0)) return;
    socket.off('data', read);
    done({ head, headers, body, at: Date.now() });
  };
  socket.on('data', read);
}

/** Names as they were sent: lower case is promised. */
function headersOf(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trim()];
    }),
  );
}
