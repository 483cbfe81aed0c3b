// The HTTP server of a process: limits against slow and oversized requests, and a shutdown that lets the requests
// in flight finish.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  keepAliveMilliseconds,
  requestHeaderBytes,
  requestHeadersMilliseconds,
  requestMilliseconds,
  shutdownMilliseconds,
} from '../limits/protocol.ts';

export type RunningServer = {
  port: number;
  /** Takes no new connections, waits for the answers under way, and cuts what is left after 30 s. */
  close(): Promise<void>;
};

export async function listen(
  handler: RequestListener,
  address: { host: string; port: number },
): Promise<RunningServer> {
  const server = createServer(
    {
      maxHeaderSize: requestHeaderBytes,
      requestTimeout: requestMilliseconds,
      headersTimeout: requestHeadersMilliseconds,
      keepAliveTimeout: keepAliveMilliseconds,
      connectionsCheckingInterval: 1_000,
    },
    (request, response) => {
      // What was refused before all of it was here (a file too large) is still on its way. Unread, it would hold its
      // connection, and the request behind it, until `requestTimeout`; which also ends who sends for ever.
      response.once('finish', () => request.resume());
      handler(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, resolve);
  });
  return { port: portOf(server), close: () => closeServer(server) };
}

async function closeServer(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), shutdownMilliseconds);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a TCP port');
  return address.port;
}
