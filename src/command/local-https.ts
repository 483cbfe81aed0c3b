// `tollgate local-https`: TLS in front of one's own http server on this machine, because callbacks are HTTPS everywhere
// It forwards requests and WebSockets as they are, and listens for this machine only.
import { type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Certificate, fingerprintOf, type KeptCertificate } from './local-certificate.ts';

export type LocalHttps = { url: string; close(): Promise<void> };

/** Names of this machine: a browser may try either for `localhost`. */
const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1'];

export async function startLocalHttps(options: {
  port: number;
  /** Port of the http server behind it. */
  to: number;
  certificate: Certificate;
}): Promise<LocalHttps> {
  const { port, to, certificate } = options;
  const servers: Server[] = [];
  const close = async () => {
    await Promise.all(servers.map(closeServer));
  };
  try {
    for (const host of LOOPBACK_ADDRESSES) {
      const server = createServer(certificate, (request, response) => forward(request, response, to));
      server.on('upgrade', (request, socket, head) => forwardUpgrade(request, socket, { head, to }));
      if (await listen(server, port, host)) servers.push(server);
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { url: `https://localhost:${port}`, close };
}

/** @returns false on a machine without this kind of address. */
function listen(server: Server, port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT') resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => resolve(true));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function forward(request: IncomingMessage, response: ServerResponse, to: number): void {
  const { method, url } = request;
  const onward = requestHttp(
    { host: 'localhost', port: to, method, path: url, headers: headersOf(request) },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
      answer.pipe(response);
    },
  );
  onward.on('error', () => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`Nothing answers at http://localhost:${to}. Start your application there.\n`);
  });
  response.on('close', () => onward.destroy());
  request.pipe(onward);
}

/** The host stays as the browser wrote it: applications build their callback from it. */
function headersOf({ headers, socket }: IncomingMessage): IncomingMessage['headers'] {
  return {
    ...headers,
    'x-forwarded-proto': 'https',
    'x-forwarded-host': headers.host,
    'x-forwarded-for': socket.remoteAddress,
  };
}

/** RFC 6455 §4: after the answer to the handshake both sides write as they like, so the connections are joined. */
function forwardUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  { head, to }: { head: Buffer; to: number },
): void {
  const onward = connect({ host: 'localhost', port: to });
  const end = () => {
    onward.destroy();
    socket.destroy();
  };
  onward.on('error', end).on('close', end);
  socket.on('error', end).on('close', end);
  onward.once('connect', () => {
    const lines = Object.entries(headersOf(request)).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}`),
    );
    onward.write(`${request.method} ${request.url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    onward.write(head);
    onward.pipe(socket);
    socket.pipe(onward);
  });
}

/** What the terminal says: where it is, whether to believe the browser's warning, and how to have none. */
export function explainLocalHttps({ ca, cert, caFile }: KeptCertificate, url: string, to: number): string {
  return `
  ${url}  →  http://localhost:${to}

  Register ${url}/… as a callback of your application. The first visit brings a warning, because nobody but this
  machine has signed the certificate. It is the right one if the browser shows this SHA-256 fingerprint:

    ${fingerprintOf(cert)}

  To be warned no more, let this machine trust the authority that signed it. Its key was thrown away at once: it can
  never sign anything else. Its fingerprint: ${fingerprintOf(ca)}

    macOS          sudo security add-trusted-cert -d -r trustRoot -k /Library/Keychains/System.keychain ${caFile}
    Debian, Ubuntu sudo cp ${caFile} /usr/local/share/ca-certificates/tollgate-local.crt && sudo update-ca-certificates
    Windows        certutil -addstore -user Root ${caFile}
    Firefox, and Chrome on Linux, have lists of their own: Settings, Certificates, Authorities, Import
    Node           NODE_EXTRA_CA_CERTS=${caFile}
    Tollgate       WEBHOOK_CA_FILE=${caFile} WEBHOOK_ALLOW_LOOPBACK=on, for webhooks to ${url}/…

  Ctrl-C ends it.
`;
}
