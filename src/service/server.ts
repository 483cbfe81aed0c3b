// The HTTP server of a process: limits against slow and oversized requests, and a shutdown that lets the requests
// in flight finish.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  keepAliveMilliseconds,
  requestHeaderBytes,
  requestHeadersMilliseconds,
  requestMilliseconds,
  shutdownMilliseconds,
} from '../limits/server.ts';

export type RunningServer = {
  port: number;
  /** Takes no new connections, waits for the answers under way, and cuts what is left after 30 s. */
  close(): Promise<void>;
};

export async function listen(
  handler: RequestListener,
  place: { host: string; port: number },
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
      response.once('finish', () => {
        request.resume();
        // The last answer of a server that closes leaves its connection open for the next request otherwise.
        if (!server.listening) setImmediate(() => server.closeIdleConnections());
      });
      handler(request, response);
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.port, place.host, resolve);
  });
  const connections = watchConnections(server);
  return { port: portOf(server), close: () => closeServer(server, connections) };
}

function watchConnections(server: Server): Set<Socket> {
  const connections = new Set<Socket>();
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  return connections;
}

async function closeServer(server: Server, connections: Set<Socket>): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), shutdownMilliseconds);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Node takes a connection that has asked for nothing yet, as browsers open in advance, for one with a request.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  });
  clearTimeout(cut);
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === 'string')
    throw new Error('the server does not listen on a TCP port');
  return address.port;
}
