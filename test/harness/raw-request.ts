// One HTTP request exactly as written, also where fetch would tidy it up: repeated headers, odd methods and
// paths, bodies on GET.
import { type IncomingHttpHeaders, request } from 'node:http';

export type RawRequest = {
  method?: string;
  path: string;
  /** The usual one without it. */
  host?: string;
  /** Name, value, name, value, …: repeated names stay repeated. */
  headers?: string[];
  body?: string | Buffer;
};
export type RawAnswer = { status: number; headers: IncomingHttpHeaders; text: string };

export function rawRequest(
  port: number,
  { method = 'GET', path, host = `127.0.0.1:${port}`, headers = [], body }: RawRequest,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const all = ['Host', host, ...headers];
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: all, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
