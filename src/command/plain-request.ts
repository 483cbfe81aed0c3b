// One HTTP request as the command line makes them: no redirects, bounded in time and bytes. The certificate of this very
// machine is not asked for, because nothing leaves it.
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { listenAnswerBytes } from '../limits/listening.ts';
import { isLoopbackHost } from '../loopback.ts';

export type SentAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

type Sending = {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  milliseconds: number;
  signal: AbortSignal;
};

/** @throws Error when there is no complete answer in time. */
export async function send(
  url: string,
  { method, headers, body, milliseconds, signal }: Sending,
): Promise<SentAnswer> {
  const { protocol, hostname } = new URL(url);
  const options = {
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]),
  };
  const { promise, resolve, reject } = Promise.withResolvers<SentAnswer>();
  const request =
    protocol === 'https:'
      ? requestHttps(url, { ...options, rejectUnauthorized: !isLoopbackHost(hostname) })
      : requestHttp(url, options);
  request.on('error', reject);
  request.on('response', (response) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    response.on('data', (piece: Buffer) => {
      bytes += piece.length;
      pieces.push(piece);
      if (bytes > listenAnswerBytes) response.destroy(new Error('the answer is too large'));
    });
    response.on('error', reject);
    response.on('end', () => {
      const { statusCode: status = 0 } = response;
      resolve({ status, headers: response.headers, body: Buffer.concat(pieces).toString('utf8') });
    });
  });
  request.end(body);
  return promise;
}

/** For a terminal: `ECONNREFUSED`, `no answer in time`. */
export function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  // Both addresses of a name were tried: what the first one said.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (first instanceof Error && 'code' in first && first.code === 'ABORT_ERR') return 'no answer in time';
  if (first instanceof Error && 'code' in first && typeof first.code === 'string') return first.code;
  return error.name === 'TimeoutError' ? 'no answer in time' : error.message;
}
