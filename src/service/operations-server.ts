// The operator's own port, apart from the public one: /healthz (the process runs), /readyz (send it requests) and
// /metrics. Nothing here names a person, an application or a secret; still, keep it inside your network.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Config } from '../config/config.ts';
import { requestHeadersMilliseconds, requestMilliseconds } from '../limits/server.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Health } from './health.ts';

type Place = Pick<Config, 'operationsHost' | 'operationsPort'>;

/**
 * Before the service listens, and closed after it: it answers probes until the last request is done.
 * @returns undefined without a port of its own.
 */
export async function startOperations(
  { config, ...parts }: Parts & { config: Place },
  opened: AsyncDisposableStack,
): Promise<OperationsServer | undefined> {
  const { operationsHost: host, operationsPort: port } = config;
  if (port === undefined) return undefined;
  const operations = await listenForOperations(parts, { host, port });
  opened.defer(operations.close);
  return operations;
}

type Parts = { health: Health; metrics: Pick<Metrics, 'registry'>; log: Log };

export type OperationsServer = { port: number; close(): Promise<void> };

async function listenForOperations(
  parts: Parts,
  place: { host: string; port: number },
): Promise<OperationsServer> {
  const server = createServer(
    { requestTimeout: requestMilliseconds, headersTimeout: requestHeadersMilliseconds },
    (request, response) => {
      answer(parts, request, response).catch((error: unknown) => {
        parts.log.warn({ err: error }, 'operations port: a request failed');
        response.destroy();
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.port, place.host, resolve);
  });
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound !== null ? bound.port : place.port,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  { health, metrics }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, 'text/plain', '');
  const path = (request.url ?? '').split('?', 1)[0];
  if (path === '/healthz') return send(response, 200, 'application/json', '{"alive":true}');
  if (path === '/readyz') {
    const readiness = await health.ready();
    return send(
      response,
      readiness.ready ? 200 : 503,
      'application/json',
      JSON.stringify(readiness, null, 2),
    );
  }
  if (path === '/metrics')
    return send(response, 200, metrics.registry.contentType, await metrics.registry.metrics());
  return send(response, 404, 'text/plain', '');
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' });
  response.end(body);
}
